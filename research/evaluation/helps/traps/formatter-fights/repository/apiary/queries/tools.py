"""Lists and sums of tools."""

from collections import Counter


def search_what(tools, part):
    """The tools whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [tool for tool in tools if all(word in tool.what.lower() for word in wanted)]


def pick_lent_between(tools, first, last):
    """The tools with lent from first to last, both included."""
    return [tool for tool in tools if first <= tool.lent <= last]


def group_by_month_of_lent(tools):
    """How many tools each month has, by lent: (2024, 5) is May 2024."""
    counts = Counter((tool.lent.year, tool.lent.month) for tool in tools)
    return sorted(counts.items())


def mean_card(tools):
    """The mean of card, rounded to a tenth; None without tools."""
    values = [tool.card for tool in tools]
    return round(sum(values) / len(values), 1) if values else None


def at_least_card(tools, wanted):
    """The tools whose card is at least what is wanted."""
    return [tool for tool in tools if tool.card >= wanted]


def group_by_state(tools):
    """Tools for each state, in the order of the file."""
    found = {}
    for tool in tools:
        found.setdefault(tool.state, []).append(tool)
    return found


def count_states(tools):
    """How many tools there are of each state, most first."""
    counts = Counter(tool.state for tool in tools)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "what", "lent", "card", "state")


def table_of_tools(tools):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(tools, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
