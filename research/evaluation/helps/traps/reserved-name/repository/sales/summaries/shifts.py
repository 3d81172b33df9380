"""Lists and sums of shifts."""

from collections import Counter
from decimal import Decimal


def per_till(shifts):
    """Shifts for each till, in the order of the file."""
    found = {}
    for shift in shifts:
        found.setdefault(shift.till, []).append(shift)
    return found


def select_day_between(shifts, first, last):
    """The shifts with day from first to last, both included."""
    return [shift for shift in shifts if first <= shift.day <= last]


def per_month_of_day(shifts):
    """How many shifts each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((shift.day.year, shift.day.month) for shift in shifts)
    return sorted(counts.items())


def add_up_hours(shifts):
    """The sum of hours."""
    return sum((shift.hours for shift in shifts), Decimal(0))


def hours_of_each_kind(shifts):
    """The sum of hours for each kind, largest first."""
    sums = {}
    for shift in shifts:
        sums[shift.kind] = sums.get(shift.kind, Decimal(0)) + shift.hours
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_hours(shifts, count=5):
    """The shifts with the largest hours; equal ones in the order of their code."""
    return sorted(shifts, key=lambda shift: (-shift.hours, shift.code))[:count]


def mean_breaks(shifts):
    """The mean of breaks, rounded to a tenth; None without shifts."""
    values = [shift.breaks for shift in shifts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_breaks(shifts, wanted):
    """The shifts whose breaks is at least what is wanted."""
    return [shift for shift in shifts if shift.breaks >= wanted]


def per_kind(shifts):
    """Shifts for each kind, in the order of the file."""
    found = {}
    for shift in shifts:
        found.setdefault(shift.kind, []).append(shift)
    return found


def count_kinds(shifts):
    """How many shifts there are of each kind, most first."""
    counts = Counter(shift.kind for shift in shifts)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "till", "day", "hours", "breaks")


def table_of_shifts(shifts):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(shifts, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
