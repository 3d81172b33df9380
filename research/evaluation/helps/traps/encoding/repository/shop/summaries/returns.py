"""Lists and sums of returns."""

from collections import Counter
from decimal import Decimal


def select_day_between(returns, first, last):
    """The returns with day from first to last, both included."""
    return [return_note for return_note in returns if first <= return_note.day <= last]


def per_month_of_day(returns):
    """How many returns each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((return_note.day.year, return_note.day.month) for return_note in returns)
    return sorted(counts.items())


def per_why(returns):
    """Returns for each why, in the order of the file."""
    found = {}
    for return_note in returns:
        found.setdefault(return_note.why, []).append(return_note)
    return found


def count_whys(returns):
    """How many returns there are of each why, most first."""
    counts = Counter(return_note.why for return_note in returns)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def add_up_amount(returns):
    """The sum of amount."""
    return sum((return_note.amount for return_note in returns), Decimal(0))


def amount_of_each_why(returns):
    """The sum of amount for each why, largest first."""
    sums = {}
    for return_note in returns:
        sums[return_note.why] = sums.get(return_note.why, Decimal(0)) + return_note.amount
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_amount(returns, count=5):
    """The returns with the largest amount; equal ones in the order of their code."""
    return sorted(returns, key=lambda return_note: (-return_note.amount, return_note.code))[:count]


def mean_pieces(returns):
    """The mean of pieces, rounded to a tenth; None without returns."""
    values = [return_note.pieces for return_note in returns]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(returns, wanted):
    """The returns whose pieces is at least what is wanted."""
    return [return_note for return_note in returns if return_note.pieces >= wanted]


def with_remark(returns):
    """The returns that have a remark."""
    return [return_note for return_note in returns if return_note.remark]


COLUMNS = ("code", "day", "why", "amount", "pieces")


def table_of_returns(returns):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(returns, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
