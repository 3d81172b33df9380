"""Lists and sums of sensors."""

from collections import Counter


def by_building(sensors):
    """Sensors for each building, in the order of the file."""
    found = {}
    for sensor in sensors:
        found.setdefault(sensor.building, []).append(sensor)
    return found


def find_fitted_between(sensors, first, last):
    """The sensors with fitted from first to last, both included."""
    return [sensor for sensor in sensors if first <= sensor.fitted <= last]


def by_month_of_fitted(sensors):
    """How many sensors each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((sensor.fitted.year, sensor.fitted.month) for sensor in sensors)
    return sorted(counts.items())


def by_kind(sensors):
    """Sensors for each kind, in the order of the file."""
    found = {}
    for sensor in sensors:
        found.setdefault(sensor.kind, []).append(sensor)
    return found


def count_kinds(sensors):
    """How many sensors there are of each kind, most first."""
    counts = Counter(sensor.kind for sensor in sensors)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_battery(sensors):
    """The mean of battery, rounded to a tenth; None without sensors."""
    values = [sensor.battery for sensor in sensors]
    return round(sum(values) / len(values), 1) if values else None


def at_least_battery(sensors, wanted):
    """The sensors whose battery is at least what is wanted."""
    return [sensor for sensor in sensors if sensor.battery >= wanted]


def find_wired(sensors):
    """The sensors that are marked as wired."""
    return [sensor for sensor in sensors if sensor.wired]


COLUMNS = ("code", "building", "fitted", "kind", "battery")


def table_of_sensors(sensors):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(sensors, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
