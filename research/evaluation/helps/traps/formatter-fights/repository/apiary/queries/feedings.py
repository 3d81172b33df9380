"""Lists and sums of feedings."""

from collections import Counter
from decimal import Decimal


def group_by_hive(feedings):
    """Feedings for each hive, in the order of the file."""
    found = {}
    for feeding in feedings:
        found.setdefault(feeding.hive, []).append(feeding)
    return found


def pick_given_between(feedings, first, last):
    """The feedings with given from first to last, both included."""
    return [feeding for feeding in feedings if first <= feeding.given <= last]


def group_by_month_of_given(feedings):
    """How many feedings each month has, by given: (2024, 5) is May 2024."""
    counts = Counter((feeding.given.year, feeding.given.month) for feeding in feedings)
    return sorted(counts.items())


def sum_of_litres(feedings):
    """The sum of litres."""
    return sum((feeding.litres for feeding in feedings), Decimal(0))


def litres_of_each_kind(feedings):
    """The sum of litres for each kind, largest first."""
    sums = {}
    for feeding in feedings:
        sums[feeding.kind] = sums.get(feeding.kind, Decimal(0)) + feeding.litres
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_litres(feedings, count=5):
    """The feedings with the largest litres; equal ones in the order of their code."""
    return sorted(feedings, key=lambda feeding: (-feeding.litres, feeding.code))[:count]


def group_by_kind(feedings):
    """Feedings for each kind, in the order of the file."""
    found = {}
    for feeding in feedings:
        found.setdefault(feeding.kind, []).append(feeding)
    return found


def count_kinds(feedings):
    """How many feedings there are of each kind, most first."""
    counts = Counter(feeding.kind for feeding in feedings)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "hive", "given", "litres", "kind")


def table_of_feedings(feedings):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(feedings, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
