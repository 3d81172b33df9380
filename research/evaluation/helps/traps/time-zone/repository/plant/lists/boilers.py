"""Lists and sums of boilers."""

from collections import Counter
from decimal import Decimal


def by_building(boilers):
    """Boilers for each building, in the order of the file."""
    found = {}
    for boiler in boilers:
        found.setdefault(boiler.building, []).append(boiler)
    return found


def find_fitted_between(boilers, first, last):
    """The boilers with fitted from first to last, both included."""
    return [boiler for boiler in boilers if first <= boiler.fitted <= last]


def by_month_of_fitted(boilers):
    """How many boilers each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((boiler.fitted.year, boiler.fitted.month) for boiler in boilers)
    return sorted(counts.items())


def find_checked_between(boilers, first, last):
    """The boilers with checked from first to last, both included."""
    return [boiler for boiler in boilers if first <= boiler.checked <= last]


def by_month_of_checked(boilers):
    """How many boilers each month has, by checked: (2024, 5) is May 2024."""
    counts = Counter((boiler.checked.year, boiler.checked.month) for boiler in boilers)
    return sorted(counts.items())


def total_output(boilers):
    """The sum of output."""
    return sum((boiler.output for boiler in boilers), Decimal(0))


def output_of_each_fuel(boilers):
    """The sum of output for each fuel, largest first."""
    sums = {}
    for boiler in boilers:
        sums[boiler.fuel] = sums.get(boiler.fuel, Decimal(0)) + boiler.output
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_output(boilers, count=5):
    """The boilers with the largest output; equal ones in the order of their code."""
    return sorted(boilers, key=lambda boiler: (-boiler.output, boiler.code))[:count]


def by_fuel(boilers):
    """Boilers for each fuel, in the order of the file."""
    found = {}
    for boiler in boilers:
        found.setdefault(boiler.fuel, []).append(boiler)
    return found


def count_fuels(boilers):
    """How many boilers there are of each fuel, most first."""
    counts = Counter(boiler.fuel for boiler in boilers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "building", "fitted", "checked", "output")


def table_of_boilers(boilers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(boilers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
