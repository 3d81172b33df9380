"""Lists and sums of tools."""

from collections import Counter
from decimal import Decimal


def search_what(tools, part):
    """The tools whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [tool for tool in tools if all(word in tool.what.lower() for word in wanted)]


def find_bought_between(tools, first, last):
    """The tools with bought from first to last, both included."""
    return [tool for tool in tools if first <= tool.bought <= last]


def by_month_of_bought(tools):
    """How many tools each month has, by bought: (2024, 5) is May 2024."""
    counts = Counter((tool.bought.year, tool.bought.month) for tool in tools)
    return sorted(counts.items())


def total_price(tools):
    """The sum of price."""
    return sum((tool.price for tool in tools), Decimal(0))


def price_of_each_state(tools):
    """The sum of price for each state, largest first."""
    sums = {}
    for tool in tools:
        sums[tool.state] = sums.get(tool.state, Decimal(0)) + tool.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(tools, count=5):
    """The tools with the largest price; equal ones in the order of their code."""
    return sorted(tools, key=lambda tool: (-tool.price, tool.code))[:count]


def by_state(tools):
    """Tools for each state, in the order of the file."""
    found = {}
    for tool in tools:
        found.setdefault(tool.state, []).append(tool)
    return found


def count_states(tools):
    """How many tools there are of each state, most first."""
    counts = Counter(tool.state for tool in tools)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "what", "bought", "price", "state")


def table_of_tools(tools):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(tools, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
