"""Lists and sums of allowances."""

from collections import Counter
from decimal import Decimal


def by_project(allowances):
    """Allowances for each project, in the order of the file."""
    found = {}
    for allowance in allowances:
        found.setdefault(allowance.project, []).append(allowance)
    return found


def find_day_between(allowances, first, last):
    """The allowances with day from first to last, both included."""
    return [allowance for allowance in allowances if first <= allowance.day <= last]


def by_month_of_day(allowances):
    """How many allowances each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((allowance.day.year, allowance.day.month) for allowance in allowances)
    return sorted(counts.items())


def mean_nights(allowances):
    """The mean of nights, rounded to a tenth; None without allowances."""
    values = [allowance.nights for allowance in allowances]
    return round(sum(values) / len(values), 1) if values else None


def at_least_nights(allowances, wanted):
    """The allowances whose nights is at least what is wanted."""
    return [allowance for allowance in allowances if allowance.nights >= wanted]


def total_amount(allowances):
    """The sum of amount."""
    return sum((allowance.amount for allowance in allowances), Decimal(0))


def amount_of_each_country(allowances):
    """The sum of amount for each country, largest first."""
    sums = {}
    for allowance in allowances:
        sums[allowance.country] = sums.get(allowance.country, Decimal(0)) + allowance.amount
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_amount(allowances, count=5):
    """The allowances with the largest amount; equal ones in the order of their code."""
    return sorted(allowances, key=lambda allowance: (-allowance.amount, allowance.code))[:count]


def by_country(allowances):
    """Allowances for each country, in the order of the file."""
    found = {}
    for allowance in allowances:
        found.setdefault(allowance.country, []).append(allowance)
    return found


def count_countrys(allowances):
    """How many allowances there are of each country, most first."""
    counts = Counter(allowance.country for allowance in allowances)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "project", "day", "nights", "amount")


def table_of_allowances(allowances):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(allowances, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
