"""Lists and sums of pumps."""

from collections import Counter


def by_building(pumps):
    """Pumps for each building, in the order of the file."""
    found = {}
    for pump in pumps:
        found.setdefault(pump.building, []).append(pump)
    return found


def find_fitted_between(pumps, first, last):
    """The pumps with fitted from first to last, both included."""
    return [pump for pump in pumps if first <= pump.fitted <= last]


def by_month_of_fitted(pumps):
    """How many pumps each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((pump.fitted.year, pump.fitted.month) for pump in pumps)
    return sorted(counts.items())


def mean_watts(pumps):
    """The mean of watts, rounded to a tenth; None without pumps."""
    values = [pump.watts for pump in pumps]
    return round(sum(values) / len(values), 1) if values else None


def at_least_watts(pumps, wanted):
    """The pumps whose watts is at least what is wanted."""
    return [pump for pump in pumps if pump.watts >= wanted]


def by_speed(pumps):
    """Pumps for each speed, in the order of the file."""
    found = {}
    for pump in pumps:
        found.setdefault(pump.speed, []).append(pump)
    return found


def count_speeds(pumps):
    """How many pumps there are of each speed, most first."""
    counts = Counter(pump.speed for pump in pumps)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_spare(pumps):
    """The pumps that are marked as spare."""
    return [pump for pump in pumps if pump.spare]


COLUMNS = ("code", "building", "fitted", "watts", "speed")


def table_of_pumps(pumps):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(pumps, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
