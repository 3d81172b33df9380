"""Lists and sums of days."""

from collections import Counter
from decimal import Decimal


def per_till(days):
    """Days for each till, in the order of the file."""
    found = {}
    for day_sum in days:
        found.setdefault(day_sum.till, []).append(day_sum)
    return found


def select_day_between(days, first, last):
    """The days with day from first to last, both included."""
    return [day_sum for day_sum in days if first <= day_sum.day <= last]


def per_month_of_day(days):
    """How many days each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((day_sum.day.year, day_sum.day.month) for day_sum in days)
    return sorted(counts.items())


def add_up_cash(days):
    """The sum of cash."""
    return sum((day_sum.cash for day_sum in days), Decimal(0))


def largest_cash(days, count=5):
    """The days with the largest cash; equal ones in the order of their code."""
    return sorted(days, key=lambda day_sum: (-day_sum.cash, day_sum.code))[:count]


def add_up_card(days):
    """The sum of card."""
    return sum((day_sum.card for day_sum in days), Decimal(0))


def largest_card(days, count=5):
    """The days with the largest card; equal ones in the order of their code."""
    return sorted(days, key=lambda day_sum: (-day_sum.card, day_sum.code))[:count]


def mean_bills(days):
    """The mean of bills, rounded to a tenth; None without days."""
    values = [day_sum.bills for day_sum in days]
    return round(sum(values) / len(values), 1) if values else None


def at_least_bills(days, wanted):
    """The days whose bills is at least what is wanted."""
    return [day_sum for day_sum in days if day_sum.bills >= wanted]


COLUMNS = ("code", "till", "day", "cash", "card")


def table_of_days(days):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(days, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
