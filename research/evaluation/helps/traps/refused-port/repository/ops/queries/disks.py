"""Lists and sums of disks."""

from collections import Counter
from decimal import Decimal


def group_by_host(disks):
    """Disks for each host, in the order of the file."""
    found = {}
    for disk in disks:
        found.setdefault(disk.host, []).append(disk)
    return found


def pick_fitted_between(disks, first, last):
    """The disks with fitted from first to last, both included."""
    return [disk for disk in disks if first <= disk.fitted <= last]


def group_by_month_of_fitted(disks):
    """How many disks each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((disk.fitted.year, disk.fitted.month) for disk in disks)
    return sorted(counts.items())


def sum_of_size(disks):
    """The sum of size."""
    return sum((disk.size for disk in disks), Decimal(0))


def size_of_each_state(disks):
    """The sum of size for each state, largest first."""
    sums = {}
    for disk in disks:
        sums[disk.state] = sums.get(disk.state, Decimal(0)) + disk.size
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_size(disks, count=5):
    """The disks with the largest size; equal ones in the order of their code."""
    return sorted(disks, key=lambda disk: (-disk.size, disk.code))[:count]


def group_by_state(disks):
    """Disks for each state, in the order of the file."""
    found = {}
    for disk in disks:
        found.setdefault(disk.state, []).append(disk)
    return found


def count_states(disks):
    """How many disks there are of each state, most first."""
    counts = Counter(disk.state for disk in disks)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_errors(disks):
    """The mean of errors, rounded to a tenth; None without disks."""
    values = [disk.errors for disk in disks]
    return round(sum(values) / len(values), 1) if values else None


def at_least_errors(disks, wanted):
    """The disks whose errors is at least what is wanted."""
    return [disk for disk in disks if disk.errors >= wanted]


COLUMNS = ("code", "host", "fitted", "size", "state")


def table_of_disks(disks):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(disks, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
