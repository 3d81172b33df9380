"""Lists and sums of wastes."""

from collections import Counter
from decimal import Decimal


def select_day_between(wastes, first, last):
    """The wastes with day from first to last, both included."""
    return [waste for waste in wastes if first <= waste.day <= last]


def per_month_of_day(wastes):
    """How many wastes each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((waste.day.year, waste.day.month) for waste in wastes)
    return sorted(counts.items())


def per_aisle(wastes):
    """Wastes for each aisle, in the order of the file."""
    found = {}
    for waste in wastes:
        found.setdefault(waste.aisle, []).append(waste)
    return found


def count_aisles(wastes):
    """How many wastes there are of each aisle, most first."""
    counts = Counter(waste.aisle for waste in wastes)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def add_up_kilos(wastes):
    """The sum of kilos."""
    return sum((waste.kilos for waste in wastes), Decimal(0))


def kilos_of_each_aisle(wastes):
    """The sum of kilos for each aisle, largest first."""
    sums = {}
    for waste in wastes:
        sums[waste.aisle] = sums.get(waste.aisle, Decimal(0)) + waste.kilos
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_kilos(wastes, count=5):
    """The wastes with the largest kilos; equal ones in the order of their code."""
    return sorted(wastes, key=lambda waste: (-waste.kilos, waste.code))[:count]


def per_why(wastes):
    """Wastes for each why, in the order of the file."""
    found = {}
    for waste in wastes:
        found.setdefault(waste.why, []).append(waste)
    return found


def count_whys(wastes):
    """How many wastes there are of each why, most first."""
    counts = Counter(waste.why for waste in wastes)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def select_given(wastes):
    """The wastes that are marked as given."""
    return [waste for waste in wastes if waste.given]


COLUMNS = ("code", "day", "aisle", "kilos", "why")


def table_of_wastes(wastes):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(wastes, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
