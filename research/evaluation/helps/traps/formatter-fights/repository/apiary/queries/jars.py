"""Lists and sums of jars."""

from collections import Counter
from decimal import Decimal


def pick_filled_between(jars, first, last):
    """The jars with filled from first to last, both included."""
    return [jar_lot for jar_lot in jars if first <= jar_lot.filled <= last]


def group_by_month_of_filled(jars):
    """How many jars each month has, by filled: (2024, 5) is May 2024."""
    counts = Counter((jar_lot.filled.year, jar_lot.filled.month) for jar_lot in jars)
    return sorted(counts.items())


def pick_best_between(jars, first, last):
    """The jars with best from first to last, both included."""
    return [jar_lot for jar_lot in jars if first <= jar_lot.best <= last]


def group_by_month_of_best(jars):
    """How many jars each month has, by best: (2024, 5) is May 2024."""
    counts = Counter((jar_lot.best.year, jar_lot.best.month) for jar_lot in jars)
    return sorted(counts.items())


def mean_jars(jars):
    """The mean of jars, rounded to a tenth; None without jars."""
    values = [jar_lot.jars for jar_lot in jars]
    return round(sum(values) / len(values), 1) if values else None


def at_least_jars(jars, wanted):
    """The jars whose jars is at least what is wanted."""
    return [jar_lot for jar_lot in jars if jar_lot.jars >= wanted]


def group_by_size(jars):
    """Jars for each size, in the order of the file."""
    found = {}
    for jar_lot in jars:
        found.setdefault(jar_lot.size, []).append(jar_lot)
    return found


def count_sizes(jars):
    """How many jars there are of each size, most first."""
    counts = Counter(jar_lot.size for jar_lot in jars)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sum_of_price(jars):
    """The sum of price."""
    return sum((jar_lot.price for jar_lot in jars), Decimal(0))


def price_of_each_size(jars):
    """The sum of price for each size, largest first."""
    sums = {}
    for jar_lot in jars:
        sums[jar_lot.size] = sums.get(jar_lot.size, Decimal(0)) + jar_lot.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(jars, count=5):
    """The jars with the largest price; equal ones in the order of their code."""
    return sorted(jars, key=lambda jar_lot: (-jar_lot.price, jar_lot.code))[:count]


COLUMNS = ("code", "filled", "best", "jars", "size")


def table_of_jars(jars):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(jars, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
