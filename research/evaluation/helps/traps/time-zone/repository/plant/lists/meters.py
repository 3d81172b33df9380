"""Lists and sums of meters."""

from collections import Counter


def by_building(meters):
    """Meters for each building, in the order of the file."""
    found = {}
    for meter in meters:
        found.setdefault(meter.building, []).append(meter)
    return found


def find_fitted_between(meters, first, last):
    """The meters with fitted from first to last, both included."""
    return [meter for meter in meters if first <= meter.fitted <= last]


def by_month_of_fitted(meters):
    """How many meters each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((meter.fitted.year, meter.fitted.month) for meter in meters)
    return sorted(counts.items())


def by_kind(meters):
    """Meters for each kind, in the order of the file."""
    found = {}
    for meter in meters:
        found.setdefault(meter.kind, []).append(meter)
    return found


def count_kinds(meters):
    """How many meters there are of each kind, most first."""
    counts = Counter(meter.kind for meter in meters)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_digits(meters):
    """The mean of digits, rounded to a tenth; None without meters."""
    values = [meter.digits for meter in meters]
    return round(sum(values) / len(values), 1) if values else None


def at_least_digits(meters, wanted):
    """The meters whose digits is at least what is wanted."""
    return [meter for meter in meters if meter.digits >= wanted]


def find_sealed(meters):
    """The meters that are marked as sealed."""
    return [meter for meter in meters if meter.sealed]


def with_remark(meters):
    """The meters that have a remark."""
    return [meter for meter in meters if meter.remark]


COLUMNS = ("code", "building", "fitted", "kind", "digits")


def table_of_meters(meters):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(meters, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
