"""Lists and sums of lots."""

from collections import Counter
from decimal import Decimal


def select_made_between(lots, first, last):
    """The lots with made from first to last, both included."""
    return [lot for lot in lots if first <= lot.made <= last]


def per_month_of_made(lots):
    """How many lots each month has, by made: (2024, 5) is May 2024."""
    counts = Counter((lot.made.year, lot.made.month) for lot in lots)
    return sorted(counts.items())


def select_best_until_between(lots, first, last):
    """The lots with best until from first to last, both included."""
    return [lot for lot in lots if first <= lot.best_until <= last]


def per_month_of_best_until(lots):
    """How many lots each month has, by best until: (2024, 5) is May 2024."""
    counts = Counter((lot.best_until.year, lot.best_until.month) for lot in lots)
    return sorted(counts.items())


def mean_pieces(lots):
    """The mean of pieces, rounded to a tenth; None without lots."""
    values = [lot.pieces for lot in lots]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(lots, wanted):
    """The lots whose pieces is at least what is wanted."""
    return [lot for lot in lots if lot.pieces >= wanted]


def per_kind(lots):
    """Lots for each kind, in the order of the file."""
    found = {}
    for lot in lots:
        found.setdefault(lot.kind, []).append(lot)
    return found


def count_kinds(lots):
    """How many lots there are of each kind, most first."""
    counts = Counter(lot.kind for lot in lots)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def add_up_price(lots):
    """The sum of price."""
    return sum((lot.price for lot in lots), Decimal(0))


def price_of_each_kind(lots):
    """The sum of price for each kind, largest first."""
    sums = {}
    for lot in lots:
        sums[lot.kind] = sums.get(lot.kind, Decimal(0)) + lot.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(lots, count=5):
    """The lots with the largest price; equal ones in the order of their code."""
    return sorted(lots, key=lambda lot: (-lot.price, lot.code))[:count]


COLUMNS = ("code", "made", "best_until", "pieces", "kind")


def table_of_lots(lots):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(lots, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
