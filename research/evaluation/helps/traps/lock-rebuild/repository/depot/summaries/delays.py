"""Lists and sums of delays."""

from collections import Counter
from decimal import Decimal


def select_day_between(delays, first, last):
    """The delays with day from first to last, both included."""
    return [delay for delay in delays if first <= delay.day <= last]


def per_month_of_day(delays):
    """How many delays each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((delay.day.year, delay.day.month) for delay in delays)
    return sorted(counts.items())


def add_up_hours(delays):
    """The sum of hours."""
    return sum((delay.hours for delay in delays), Decimal(0))


def hours_of_each_why(delays):
    """The sum of hours for each why, largest first."""
    sums = {}
    for delay in delays:
        sums[delay.why] = sums.get(delay.why, Decimal(0)) + delay.hours
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_hours(delays, count=5):
    """The delays with the largest hours; equal ones in the order of their code."""
    return sorted(delays, key=lambda delay: (-delay.hours, delay.code))[:count]


def per_why(delays):
    """Delays for each why, in the order of the file."""
    found = {}
    for delay in delays:
        found.setdefault(delay.why, []).append(delay)
    return found


def count_whys(delays):
    """How many delays there are of each why, most first."""
    counts = Counter(delay.why for delay in delays)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_parcels(delays):
    """The mean of parcels, rounded to a tenth; None without delays."""
    values = [delay.parcels for delay in delays]
    return round(sum(values) / len(values), 1) if values else None


def at_least_parcels(delays, wanted):
    """The delays whose parcels is at least what is wanted."""
    return [delay for delay in delays if delay.parcels >= wanted]


COLUMNS = ("code", "day", "hours", "why", "parcels")


def table_of_delays(delays):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(delays, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
