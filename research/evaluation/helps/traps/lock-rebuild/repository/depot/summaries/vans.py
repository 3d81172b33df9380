"""Lists and sums of vans."""

from collections import Counter
from decimal import Decimal


def search_label(vans, part):
    """The vans whose label has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [van for van in vans if all(word in van.label.lower() for word in wanted)]


def select_bought_between(vans, first, last):
    """The vans with bought from first to last, both included."""
    return [van for van in vans if first <= van.bought <= last]


def per_month_of_bought(vans):
    """How many vans each month has, by bought: (2024, 5) is May 2024."""
    counts = Counter((van.bought.year, van.bought.month) for van in vans)
    return sorted(counts.items())


def add_up_load(vans):
    """The sum of load."""
    return sum((van.load for van in vans), Decimal(0))


def load_of_each_fuel(vans):
    """The sum of load for each fuel, largest first."""
    sums = {}
    for van in vans:
        sums[van.fuel] = sums.get(van.fuel, Decimal(0)) + van.load
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_load(vans, count=5):
    """The vans with the largest load; equal ones in the order of their code."""
    return sorted(vans, key=lambda van: (-van.load, van.code))[:count]


def mean_stops(vans):
    """The mean of stops, rounded to a tenth; None without vans."""
    values = [van.stops for van in vans]
    return round(sum(values) / len(values), 1) if values else None


def at_least_stops(vans, wanted):
    """The vans whose stops is at least what is wanted."""
    return [van for van in vans if van.stops >= wanted]


def per_fuel(vans):
    """Vans for each fuel, in the order of the file."""
    found = {}
    for van in vans:
        found.setdefault(van.fuel, []).append(van)
    return found


def count_fuels(vans):
    """How many vans there are of each fuel, most first."""
    counts = Counter(van.fuel for van in vans)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "label", "bought", "load", "stops")


def table_of_vans(vans):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(vans, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
