"""Lists and sums of queens."""

from collections import Counter


def group_by_hive(queens):
    """Queens for each hive, in the order of the file."""
    found = {}
    for queen in queens:
        found.setdefault(queen.hive, []).append(queen)
    return found


def pick_hatched_between(queens, first, last):
    """The queens with hatched from first to last, both included."""
    return [queen for queen in queens if first <= queen.hatched <= last]


def group_by_month_of_hatched(queens):
    """How many queens each month has, by hatched: (2024, 5) is May 2024."""
    counts = Counter((queen.hatched.year, queen.hatched.month) for queen in queens)
    return sorted(counts.items())


def group_by_year(queens):
    """Queens for each year, in the order of the file."""
    found = {}
    for queen in queens:
        found.setdefault(queen.year, []).append(queen)
    return found


def count_years(queens):
    """How many queens there are of each year, most first."""
    counts = Counter(queen.year for queen in queens)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_marked(queens):
    """The queens that are marked as marked."""
    return [queen for queen in queens if queen.marked]


def mean_cells(queens):
    """The mean of cells, rounded to a tenth; None without queens."""
    values = [queen.cells for queen in queens]
    return round(sum(values) / len(values), 1) if values else None


def at_least_cells(queens, wanted):
    """The queens whose cells is at least what is wanted."""
    return [queen for queen in queens if queen.cells >= wanted]


COLUMNS = ("code", "hive", "hatched", "year", "marked")


def table_of_queens(queens):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(queens, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
