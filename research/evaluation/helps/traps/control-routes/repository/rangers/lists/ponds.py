"""Lists and sums of ponds."""

from collections import Counter
from decimal import Decimal


def search_title(ponds, part):
    """The ponds whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [pond for pond in ponds if all(word in pond.title.lower() for word in wanted)]


def find_read_between(ponds, first, last):
    """The ponds with read from first to last, both included."""
    return [pond for pond in ponds if first <= pond.read <= last]


def by_month_of_read(ponds):
    """How many ponds each month has, by read: (2024, 5) is May 2024."""
    counts = Counter((pond.read.year, pond.read.month) for pond in ponds)
    return sorted(counts.items())


def total_level(ponds):
    """The sum of level."""
    return sum((pond.level for pond in ponds), Decimal(0))


def level_of_each_state(ponds):
    """The sum of level for each state, largest first."""
    sums = {}
    for pond in ponds:
        sums[pond.state] = sums.get(pond.state, Decimal(0)) + pond.level
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_level(ponds, count=5):
    """The ponds with the largest level; equal ones in the order of their code."""
    return sorted(ponds, key=lambda pond: (-pond.level, pond.code))[:count]


def mean_fish(ponds):
    """The mean of fish, rounded to a tenth; None without ponds."""
    values = [pond.fish for pond in ponds]
    return round(sum(values) / len(values), 1) if values else None


def at_least_fish(ponds, wanted):
    """The ponds whose fish is at least what is wanted."""
    return [pond for pond in ponds if pond.fish >= wanted]


def by_state(ponds):
    """Ponds for each state, in the order of the file."""
    found = {}
    for pond in ponds:
        found.setdefault(pond.state, []).append(pond)
    return found


def count_states(ponds):
    """How many ponds there are of each state, most first."""
    counts = Counter(pond.state for pond in ponds)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "read", "level", "fish")


def table_of_ponds(ponds):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(ponds, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
