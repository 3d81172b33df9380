"""Lists and sums of routes."""

from collections import Counter
from decimal import Decimal


def search_title(routes, part):
    """The routes whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [route for route in routes if all(word in route.title.lower() for word in wanted)]


def select_since_between(routes, first, last):
    """The routes with since from first to last, both included."""
    return [route for route in routes if first <= route.since <= last]


def per_month_of_since(routes):
    """How many routes each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((route.since.year, route.since.month) for route in routes)
    return sorted(counts.items())


def mean_stops(routes):
    """The mean of stops, rounded to a tenth; None without routes."""
    values = [route.stops for route in routes]
    return round(sum(values) / len(values), 1) if values else None


def at_least_stops(routes, wanted):
    """The routes whose stops is at least what is wanted."""
    return [route for route in routes if route.stops >= wanted]


def add_up_length(routes):
    """The sum of length."""
    return sum((route.length for route in routes), Decimal(0))


def length_of_each_van(routes):
    """The sum of length for each van, largest first."""
    sums = {}
    for route in routes:
        sums[route.van] = sums.get(route.van, Decimal(0)) + route.length
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_length(routes, count=5):
    """The routes with the largest length; equal ones in the order of their code."""
    return sorted(routes, key=lambda route: (-route.length, route.code))[:count]


def per_van(routes):
    """Routes for each van, in the order of the file."""
    found = {}
    for route in routes:
        found.setdefault(route.van, []).append(route)
    return found


def count_vans(routes):
    """How many routes there are of each van, most first."""
    counts = Counter(route.van for route in routes)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "since", "stops", "length")


def table_of_routes(routes):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(routes, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
