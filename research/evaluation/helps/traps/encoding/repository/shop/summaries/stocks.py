"""Lists and sums of stocks."""

from collections import Counter


def select_day_between(stocks, first, last):
    """The stocks with day from first to last, both included."""
    return [count for count in stocks if first <= count.day <= last]


def per_month_of_day(stocks):
    """How many stocks each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((count.day.year, count.day.month) for count in stocks)
    return sorted(counts.items())


def per_aisle(stocks):
    """Stocks for each aisle, in the order of the file."""
    found = {}
    for count in stocks:
        found.setdefault(count.aisle, []).append(count)
    return found


def count_aisles(stocks):
    """How many stocks there are of each aisle, most first."""
    counts = Counter(count.aisle for count in stocks)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_pieces(stocks):
    """The mean of pieces, rounded to a tenth; None without stocks."""
    values = [count.pieces for count in stocks]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(stocks, wanted):
    """The stocks whose pieces is at least what is wanted."""
    return [count for count in stocks if count.pieces >= wanted]


def mean_missing(stocks):
    """The mean of missing, rounded to a tenth; None without stocks."""
    values = [count.missing for count in stocks]
    return round(sum(values) / len(values), 1) if values else None


def at_least_missing(stocks, wanted):
    """The stocks whose missing is at least what is wanted."""
    return [count for count in stocks if count.missing >= wanted]


def select_twice(stocks):
    """The stocks that are marked as twice."""
    return [count for count in stocks if count.twice]


COLUMNS = ("code", "day", "aisle", "pieces", "missing")


def table_of_stocks(stocks):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(stocks, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
