"""Lists and sums of stove."""

from collections import Counter
from decimal import Decimal


def find_lit_between(stove, first, last):
    """The stove with lit from first to last, both included."""
    return [firing for firing in stove if first <= firing.lit <= last]


def by_month_of_lit(stove):
    """How many stove each month has, by lit: (2024, 5) is May 2024."""
    counts = Counter((firing.lit.year, firing.lit.month) for firing in stove)
    return sorted(counts.items())


def mean_logs(stove):
    """The mean of logs, rounded to a tenth; None without stove."""
    values = [firing.logs for firing in stove]
    return round(sum(values) / len(values), 1) if values else None


def at_least_logs(stove, wanted):
    """The stove whose logs is at least what is wanted."""
    return [firing for firing in stove if firing.logs >= wanted]


def by_wood(stove):
    """Stove for each wood, in the order of the file."""
    found = {}
    for firing in stove:
        found.setdefault(firing.wood, []).append(firing)
    return found


def count_woods(stove):
    """How many stove there are of each wood, most first."""
    counts = Counter(firing.wood for firing in stove)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_warm(stove):
    """The sum of warm."""
    return sum((firing.warm for firing in stove), Decimal(0))


def warm_of_each_wood(stove):
    """The sum of warm for each wood, largest first."""
    sums = {}
    for firing in stove:
        sums[firing.wood] = sums.get(firing.wood, Decimal(0)) + firing.warm
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_warm(stove, count=5):
    """The stove with the largest warm; equal ones in the order of their code."""
    return sorted(stove, key=lambda firing: (-firing.warm, firing.code))[:count]


def with_remark(stove):
    """The stove that have a remark."""
    return [firing for firing in stove if firing.remark]


COLUMNS = ("code", "lit", "logs", "wood", "warm")


def table_of_stove(stove):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(stove, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
