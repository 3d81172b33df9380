"""Lists and sums of faults."""

from collections import Counter
from decimal import Decimal


def by_building(faults):
    """Faults for each building, in the order of the file."""
    found = {}
    for fault in faults:
        found.setdefault(fault.building, []).append(fault)
    return found


def find_seen_between(faults, first, last):
    """The faults with seen from first to last, both included."""
    return [fault for fault in faults if first <= fault.seen <= last]


def by_month_of_seen(faults):
    """How many faults each month has, by seen: (2024, 5) is May 2024."""
    counts = Counter((fault.seen.year, fault.seen.month) for fault in faults)
    return sorted(counts.items())


def by_part(faults):
    """Faults for each part, in the order of the file."""
    found = {}
    for fault in faults:
        found.setdefault(fault.part, []).append(fault)
    return found


def count_parts(faults):
    """How many faults there are of each part, most first."""
    counts = Counter(fault.part for fault in faults)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_hours(faults):
    """The sum of hours."""
    return sum((fault.hours for fault in faults), Decimal(0))


def hours_of_each_part(faults):
    """The sum of hours for each part, largest first."""
    sums = {}
    for fault in faults:
        sums[fault.part] = sums.get(fault.part, Decimal(0)) + fault.hours
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_hours(faults, count=5):
    """The faults with the largest hours; equal ones in the order of their code."""
    return sorted(faults, key=lambda fault: (-fault.hours, fault.code))[:count]


def find_mended(faults):
    """The faults that are marked as mended."""
    return [fault for fault in faults if fault.mended]


def with_remark(faults):
    """The faults that have a remark."""
    return [fault for fault in faults if fault.remark]


COLUMNS = ("code", "building", "seen", "part", "hours")


def table_of_faults(faults):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(faults, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
