"""Lists and sums of rates."""

from collections import Counter
from decimal import Decimal


def search_label(rates, part):
    """The rates whose label has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [rate for rate in rates if all(word in rate.label.lower() for word in wanted)]


def find_since_between(rates, first, last):
    """The rates with since from first to last, both included."""
    return [rate for rate in rates if first <= rate.since <= last]


def by_month_of_since(rates):
    """How many rates each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((rate.since.year, rate.since.month) for rate in rates)
    return sorted(counts.items())


def by_kind(rates):
    """Rates for each kind, in the order of the file."""
    found = {}
    for rate in rates:
        found.setdefault(rate.kind, []).append(rate)
    return found


def count_kinds(rates):
    """How many rates there are of each kind, most first."""
    counts = Counter(rate.kind for rate in rates)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_hourly(rates):
    """The sum of hourly."""
    return sum((rate.hourly for rate in rates), Decimal(0))


def hourly_of_each_kind(rates):
    """The sum of hourly for each kind, largest first."""
    sums = {}
    for rate in rates:
        sums[rate.kind] = sums.get(rate.kind, Decimal(0)) + rate.hourly
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_hourly(rates, count=5):
    """The rates with the largest hourly; equal ones in the order of their code."""
    return sorted(rates, key=lambda rate: (-rate.hourly, rate.code))[:count]


COLUMNS = ("code", "label", "since", "kind", "hourly")


def table_of_rates(rates):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(rates, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
