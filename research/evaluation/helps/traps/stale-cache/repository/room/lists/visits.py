"""Lists and sums of visits."""

from collections import Counter
from decimal import Decimal


def find_counted_between(visits, first, last):
    """The visits with counted from first to last, both included."""
    return [visit for visit in visits if first <= visit.counted <= last]


def by_month_of_counted(visits):
    """How many visits each month has, by counted: (2024, 5) is May 2024."""
    counts = Counter((visit.counted.year, visit.counted.month) for visit in visits)
    return sorted(counts.items())


def mean_adults(visits):
    """The mean of adults, rounded to a tenth; None without visits."""
    values = [visit.adults for visit in visits]
    return round(sum(values) / len(values), 1) if values else None


def at_least_adults(visits, wanted):
    """The visits whose adults is at least what is wanted."""
    return [visit for visit in visits if visit.adults >= wanted]


def mean_children(visits):
    """The mean of children, rounded to a tenth; None without visits."""
    values = [visit.children for visit in visits]
    return round(sum(values) / len(values), 1) if values else None


def at_least_children(visits, wanted):
    """The visits whose children is at least what is wanted."""
    return [visit for visit in visits if visit.children >= wanted]


def by_weather(visits):
    """Visits for each weather, in the order of the file."""
    found = {}
    for visit in visits:
        found.setdefault(visit.weather, []).append(visit)
    return found


def count_weathers(visits):
    """How many visits there are of each weather, most first."""
    counts = Counter(visit.weather for visit in visits)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_hours(visits):
    """The sum of hours."""
    return sum((visit.hours for visit in visits), Decimal(0))


def hours_of_each_weather(visits):
    """The sum of hours for each weather, largest first."""
    sums = {}
    for visit in visits:
        sums[visit.weather] = sums.get(visit.weather, Decimal(0)) + visit.hours
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_hours(visits, count=5):
    """The visits with the largest hours; equal ones in the order of their code."""
    return sorted(visits, key=lambda visit: (-visit.hours, visit.code))[:count]


COLUMNS = ("code", "counted", "adults", "children", "weather")


def table_of_visits(visits):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(visits, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
