"""Lists and sums of swarms."""

from collections import Counter
from decimal import Decimal


def search_place(swarms, part):
    """The swarms whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [swarm for swarm in swarms if all(word in swarm.place.lower() for word in wanted)]


def pick_seen_between(swarms, first, last):
    """The swarms with seen from first to last, both included."""
    return [swarm for swarm in swarms if first <= swarm.seen <= last]


def group_by_month_of_seen(swarms):
    """How many swarms each month has, by seen: (2024, 5) is May 2024."""
    counts = Counter((swarm.seen.year, swarm.seen.month) for swarm in swarms)
    return sorted(counts.items())


def sum_of_kilos(swarms):
    """The sum of kilos."""
    return sum((swarm.kilos for swarm in swarms), Decimal(0))


def kilos_of_each_end(swarms):
    """The sum of kilos for each end, largest first."""
    sums = {}
    for swarm in swarms:
        sums[swarm.end] = sums.get(swarm.end, Decimal(0)) + swarm.kilos
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_kilos(swarms, count=5):
    """The swarms with the largest kilos; equal ones in the order of their code."""
    return sorted(swarms, key=lambda swarm: (-swarm.kilos, swarm.code))[:count]


def group_by_end(swarms):
    """Swarms for each end, in the order of the file."""
    found = {}
    for swarm in swarms:
        found.setdefault(swarm.end, []).append(swarm)
    return found


def count_ends(swarms):
    """How many swarms there are of each end, most first."""
    counts = Counter(swarm.end for swarm in swarms)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_cast_swarm(swarms):
    """The swarms that are marked as cast swarm."""
    return [swarm for swarm in swarms if swarm.cast_swarm]


COLUMNS = ("code", "place", "seen", "kilos", "end")


def table_of_swarms(swarms):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(swarms, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
