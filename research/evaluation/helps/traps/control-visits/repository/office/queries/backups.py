"""Lists and sums of backups."""

from collections import Counter
from decimal import Decimal


def pick_made_between(backups, first, last):
    """The backups with made from first to last, both included."""
    return [backup for backup in backups if first <= backup.made <= last]


def group_by_month_of_made(backups):
    """How many backups each month has, by made: (2024, 5) is May 2024."""
    counts = Counter((backup.made.year, backup.made.month) for backup in backups)
    return sorted(counts.items())


def mean_files(backups):
    """The mean of files, rounded to a tenth; None without backups."""
    values = [backup.files for backup in backups]
    return round(sum(values) / len(values), 1) if values else None


def at_least_files(backups, wanted):
    """The backups whose files is at least what is wanted."""
    return [backup for backup in backups if backup.files >= wanted]


def sum_of_size(backups):
    """The sum of size."""
    return sum((backup.size for backup in backups), Decimal(0))


def size_of_each_where(backups):
    """The sum of size for each where, largest first."""
    sums = {}
    for backup in backups:
        sums[backup.where] = sums.get(backup.where, Decimal(0)) + backup.size
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_size(backups, count=5):
    """The backups with the largest size; equal ones in the order of their code."""
    return sorted(backups, key=lambda backup: (-backup.size, backup.code))[:count]


def group_by_where(backups):
    """Backups for each where, in the order of the file."""
    found = {}
    for backup in backups:
        found.setdefault(backup.where, []).append(backup)
    return found


def count_wheres(backups):
    """How many backups there are of each where, most first."""
    counts = Counter(backup.where for backup in backups)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_tested(backups):
    """The backups that are marked as tested."""
    return [backup for backup in backups if backup.tested]


COLUMNS = ("code", "made", "files", "size", "where")


def table_of_backups(backups):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(backups, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
