"""Lists and sums of files."""

from collections import Counter
from decimal import Decimal


def search_title(files, part):
    """The files whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [file for file in files if all(word in file.title.lower() for word in wanted)]


def pick_added_between(files, first, last):
    """The files with added from first to last, both included."""
    return [file for file in files if first <= file.added <= last]


def group_by_month_of_added(files):
    """How many files each month has, by added: (2024, 5) is May 2024."""
    counts = Counter((file.added.year, file.added.month) for file in files)
    return sorted(counts.items())


def sum_of_megabytes(files):
    """The sum of megabytes."""
    return sum((file.megabytes for file in files), Decimal(0))


def megabytes_of_each_kind(files):
    """The sum of megabytes for each kind, largest first."""
    sums = {}
    for file in files:
        sums[file.kind] = sums.get(file.kind, Decimal(0)) + file.megabytes
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_megabytes(files, count=5):
    """The files with the largest megabytes; equal ones in the order of their code."""
    return sorted(files, key=lambda file: (-file.megabytes, file.code))[:count]


def mean_fetched(files):
    """The mean of fetched, rounded to a tenth; None without files."""
    values = [file.fetched for file in files]
    return round(sum(values) / len(values), 1) if values else None


def at_least_fetched(files, wanted):
    """The files whose fetched is at least what is wanted."""
    return [file for file in files if file.fetched >= wanted]


def group_by_kind(files):
    """Files for each kind, in the order of the file."""
    found = {}
    for file in files:
        found.setdefault(file.kind, []).append(file)
    return found


def count_kinds(files):
    """How many files there are of each kind, most first."""
    counts = Counter(file.kind for file in files)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "added", "megabytes", "fetched")


def table_of_files(files):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(files, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
