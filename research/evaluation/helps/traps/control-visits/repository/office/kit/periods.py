"""Periods of days."""

from calendar import monthrange
from datetime import date, timedelta


def month(year, number):
    """First and last day of a month."""
    return date(year, number, 1), date(year, number, monthrange(year, number)[1])


def quarter(year, number):
    """First and last day of a quarter, counted from one."""
    return month(year, number * 3 - 2)[0], month(year, number * 3)[1]


def week_of(day):
    """Monday and Sunday of the week of a day."""
    first = day - timedelta(days=day.weekday())
    return first, first + timedelta(days=6)


def days_between(first, last):
    """All days from first to last."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def overlap(one, other):
    """The days that two periods share, or None."""
    first, last = max(one[0], other[0]), min(one[1], other[1])
    return (first, last) if first <= last else None
