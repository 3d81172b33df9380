"""Lists and sums of wastes."""

from collections import Counter


def pick_day_between(wastes, first, last):
    """The wastes with day from first to last, both included."""
    return [waste for waste in wastes if first <= waste.day <= last]


def group_by_month_of_day(wastes):
    """How many wastes each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((waste.day.year, waste.day.month) for waste in wastes)
    return sorted(counts.items())


def mean_grams(wastes):
    """The mean of grams, rounded to a tenth; None without wastes."""
    values = [waste.grams for waste in wastes]
    return round(sum(values) / len(values), 1) if values else None


def at_least_grams(wastes, wanted):
    """The wastes whose grams is at least what is wanted."""
    return [waste for waste in wastes if waste.grams >= wanted]


def group_by_why(wastes):
    """Wastes for each why, in the order of the file."""
    found = {}
    for waste in wastes:
        found.setdefault(waste.why, []).append(waste)
    return found


def count_whys(wastes):
    """How many wastes there are of each why, most first."""
    counts = Counter(waste.why for waste in wastes)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_given(wastes):
    """The wastes that are marked as given."""
    return [waste for waste in wastes if waste.given]


COLUMNS = ("code", "day", "grams", "why", "given")


def table_of_wastes(wastes):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(wastes, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
