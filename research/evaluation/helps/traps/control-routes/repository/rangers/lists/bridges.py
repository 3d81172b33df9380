"""Lists and sums of bridges."""

from collections import Counter
from decimal import Decimal


def search_title(bridges, part):
    """The bridges whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [bridge for bridge in bridges if all(word in bridge.title.lower() for word in wanted)]


def find_checked_between(bridges, first, last):
    """The bridges with checked from first to last, both included."""
    return [bridge for bridge in bridges if first <= bridge.checked <= last]


def by_month_of_checked(bridges):
    """How many bridges each month has, by checked: (2024, 5) is May 2024."""
    counts = Counter((bridge.checked.year, bridge.checked.month) for bridge in bridges)
    return sorted(counts.items())


def total_span(bridges):
    """The sum of span."""
    return sum((bridge.span for bridge in bridges), Decimal(0))


def span_of_each_kind(bridges):
    """The sum of span for each kind, largest first."""
    sums = {}
    for bridge in bridges:
        sums[bridge.kind] = sums.get(bridge.kind, Decimal(0)) + bridge.span
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_span(bridges, count=5):
    """The bridges with the largest span; equal ones in the order of their code."""
    return sorted(bridges, key=lambda bridge: (-bridge.span, bridge.code))[:count]


def mean_load(bridges):
    """The mean of load, rounded to a tenth; None without bridges."""
    values = [bridge.load for bridge in bridges]
    return round(sum(values) / len(values), 1) if values else None


def at_least_load(bridges, wanted):
    """The bridges whose load is at least what is wanted."""
    return [bridge for bridge in bridges if bridge.load >= wanted]


def by_kind(bridges):
    """Bridges for each kind, in the order of the file."""
    found = {}
    for bridge in bridges:
        found.setdefault(bridge.kind, []).append(bridge)
    return found


def count_kinds(bridges):
    """How many bridges there are of each kind, most first."""
    counts = Counter(bridge.kind for bridge in bridges)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "checked", "span", "load")


def table_of_bridges(bridges):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(bridges, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
