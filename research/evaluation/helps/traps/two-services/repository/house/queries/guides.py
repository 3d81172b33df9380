"""Lists and sums of guides."""

from collections import Counter
from decimal import Decimal


def pick_day_between(guides, first, last):
    """The guides with day from first to last, both included."""
    return [shift for shift in guides if first <= shift.day <= last]


def group_by_month_of_day(guides):
    """How many guides each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((shift.day.year, shift.day.month) for shift in guides)
    return sorted(counts.items())


def group_by_hall(guides):
    """Guides for each hall, in the order of the file."""
    found = {}
    for shift in guides:
        found.setdefault(shift.hall, []).append(shift)
    return found


def count_halls(guides):
    """How many guides there are of each hall, most first."""
    counts = Counter(shift.hall for shift in guides)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sum_of_hours(guides):
    """The sum of hours."""
    return sum((shift.hours for shift in guides), Decimal(0))


def hours_of_each_hall(guides):
    """The sum of hours for each hall, largest first."""
    sums = {}
    for shift in guides:
        sums[shift.hall] = sums.get(shift.hall, Decimal(0)) + shift.hours
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_hours(guides, count=5):
    """The guides with the largest hours; equal ones in the order of their code."""
    return sorted(guides, key=lambda shift: (-shift.hours, shift.code))[:count]


def mean_tours(guides):
    """The mean of tours, rounded to a tenth; None without guides."""
    values = [shift.tours for shift in guides]
    return round(sum(values) / len(values), 1) if values else None


def at_least_tours(guides, wanted):
    """The guides whose tours is at least what is wanted."""
    return [shift for shift in guides if shift.tours >= wanted]


def pick_swapped(guides):
    """The guides that are marked as swapped."""
    return [shift for shift in guides if shift.swapped]


COLUMNS = ("code", "day", "hall", "hours", "tours")


def table_of_guides(guides):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(guides, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
