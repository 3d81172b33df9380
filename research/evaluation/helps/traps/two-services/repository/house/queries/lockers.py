"""Lists and sums of lockers."""

from collections import Counter


def group_by_wall(lockers):
    """Lockers for each wall, in the order of the file."""
    found = {}
    for locker in lockers:
        found.setdefault(locker.wall, []).append(locker)
    return found


def count_walls(lockers):
    """How many lockers there are of each wall, most first."""
    counts = Counter(locker.wall for locker in lockers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def group_by_size(lockers):
    """Lockers for each size, in the order of the file."""
    found = {}
    for locker in lockers:
        found.setdefault(locker.size, []).append(locker)
    return found


def count_sizes(lockers):
    """How many lockers there are of each size, most first."""
    counts = Counter(locker.size for locker in lockers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_serviced_between(lockers, first, last):
    """The lockers with serviced from first to last, both included."""
    return [locker for locker in lockers if first <= locker.serviced <= last]


def group_by_month_of_serviced(lockers):
    """How many lockers each month has, by serviced: (2024, 5) is May 2024."""
    counts = Counter((locker.serviced.year, locker.serviced.month) for locker in lockers)
    return sorted(counts.items())


def pick_broken(lockers):
    """The lockers that are marked as broken."""
    return [locker for locker in lockers if locker.broken]


def pick_key_lost(lockers):
    """The lockers that are marked as key lost."""
    return [locker for locker in lockers if locker.key_lost]


COLUMNS = ("code", "wall", "size", "serviced", "broken")


def table_of_lockers(lockers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(lockers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
