"""Lists and sums of trips."""

from collections import Counter
from decimal import Decimal


def by_project(trips):
    """Trips for each project, in the order of the file."""
    found = {}
    for trip in trips:
        found.setdefault(trip.project, []).append(trip)
    return found


def find_day_between(trips, first, last):
    """The trips with day from first to last, both included."""
    return [trip for trip in trips if first <= trip.day <= last]


def by_month_of_day(trips):
    """How many trips each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((trip.day.year, trip.day.month) for trip in trips)
    return sorted(counts.items())


def mean_kilometres(trips):
    """The mean of kilometres, rounded to a tenth; None without trips."""
    values = [trip.kilometres for trip in trips]
    return round(sum(values) / len(values), 1) if values else None


def at_least_kilometres(trips, wanted):
    """The trips whose kilometres is at least what is wanted."""
    return [trip for trip in trips if trip.kilometres >= wanted]


def by_by(trips):
    """Trips for each by, in the order of the file."""
    found = {}
    for trip in trips:
        found.setdefault(trip.by, []).append(trip)
    return found


def count_bys(trips):
    """How many trips there are of each by, most first."""
    counts = Counter(trip.by for trip in trips)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_cost(trips):
    """The sum of cost."""
    return sum((trip.cost for trip in trips), Decimal(0))


def cost_of_each_by(trips):
    """The sum of cost for each by, largest first."""
    sums = {}
    for trip in trips:
        sums[trip.by] = sums.get(trip.by, Decimal(0)) + trip.cost
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_cost(trips, count=5):
    """The trips with the largest cost; equal ones in the order of their code."""
    return sorted(trips, key=lambda trip: (-trip.cost, trip.code))[:count]


COLUMNS = ("code", "project", "day", "kilometres", "by")


def table_of_trips(trips):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(trips, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
