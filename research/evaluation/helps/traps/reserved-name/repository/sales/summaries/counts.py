"""Lists and sums of counts."""

from collections import Counter


def per_lot(counts):
    """Counts for each lot, in the order of the file."""
    found = {}
    for stock_count in counts:
        found.setdefault(stock_count.lot, []).append(stock_count)
    return found


def select_day_between(counts, first, last):
    """The counts with day from first to last, both included."""
    return [stock_count for stock_count in counts if first <= stock_count.day <= last]


def per_month_of_day(counts):
    """How many counts each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((stock_count.day.year, stock_count.day.month) for stock_count in counts)
    return sorted(counts.items())


def mean_pieces(counts):
    """The mean of pieces, rounded to a tenth; None without counts."""
    values = [stock_count.pieces for stock_count in counts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(counts, wanted):
    """The counts whose pieces is at least what is wanted."""
    return [stock_count for stock_count in counts if stock_count.pieces >= wanted]


def mean_missing(counts):
    """The mean of missing, rounded to a tenth; None without counts."""
    values = [stock_count.missing for stock_count in counts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_missing(counts, wanted):
    """The counts whose missing is at least what is wanted."""
    return [stock_count for stock_count in counts if stock_count.missing >= wanted]


def with_remark(counts):
    """The counts that have a remark."""
    return [stock_count for stock_count in counts if stock_count.remark]


COLUMNS = ("code", "lot", "day", "pieces", "missing")


def table_of_counts(counts):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(counts, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
