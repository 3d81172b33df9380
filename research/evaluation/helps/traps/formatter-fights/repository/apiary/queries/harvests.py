"""Lists and sums of harvests."""

from collections import Counter
from decimal import Decimal


def group_by_hive(harvests):
    """Harvests for each hive, in the order of the file."""
    found = {}
    for harvest in harvests:
        found.setdefault(harvest.hive, []).append(harvest)
    return found


def pick_taken_between(harvests, first, last):
    """The harvests with taken from first to last, both included."""
    return [harvest for harvest in harvests if first <= harvest.taken <= last]


def group_by_month_of_taken(harvests):
    """How many harvests each month has, by taken: (2024, 5) is May 2024."""
    counts = Counter((harvest.taken.year, harvest.taken.month) for harvest in harvests)
    return sorted(counts.items())


def sum_of_kilos(harvests):
    """The sum of kilos."""
    return sum((harvest.kilos for harvest in harvests), Decimal(0))


def kilos_of_each_kind(harvests):
    """The sum of kilos for each kind, largest first."""
    sums = {}
    for harvest in harvests:
        sums[harvest.kind] = sums.get(harvest.kind, Decimal(0)) + harvest.kilos
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_kilos(harvests, count=5):
    """The harvests with the largest kilos; equal ones in the order of their code."""
    return sorted(harvests, key=lambda harvest: (-harvest.kilos, harvest.code))[:count]


def group_by_kind(harvests):
    """Harvests for each kind, in the order of the file."""
    found = {}
    for harvest in harvests:
        found.setdefault(harvest.kind, []).append(harvest)
    return found


def count_kinds(harvests):
    """How many harvests there are of each kind, most first."""
    counts = Counter(harvest.kind for harvest in harvests)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_frames(harvests):
    """The mean of frames, rounded to a tenth; None without harvests."""
    values = [harvest.frames for harvest in harvests]
    return round(sum(values) / len(values), 1) if values else None


def at_least_frames(harvests, wanted):
    """The harvests whose frames is at least what is wanted."""
    return [harvest for harvest in harvests if harvest.frames >= wanted]


COLUMNS = ("code", "hive", "taken", "kilos", "kind")


def table_of_harvests(harvests):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(harvests, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
