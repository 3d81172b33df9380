"""Lists and sums of stamps."""

from collections import Counter
from decimal import Decimal


def per_branch(stamps):
    """Stamps for each branch, in the order of the file."""
    found = {}
    for stamp_roll in stamps:
        found.setdefault(stamp_roll.branch, []).append(stamp_roll)
    return found


def select_given_between(stamps, first, last):
    """The stamps with given from first to last, both included."""
    return [stamp_roll for stamp_roll in stamps if first <= stamp_roll.given <= last]


def per_month_of_given(stamps):
    """How many stamps each month has, by given: (2024, 5) is May 2024."""
    counts = Counter((stamp_roll.given.year, stamp_roll.given.month) for stamp_roll in stamps)
    return sorted(counts.items())


def mean_pieces(stamps):
    """The mean of pieces, rounded to a tenth; None without stamps."""
    values = [stamp_roll.pieces for stamp_roll in stamps]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(stamps, wanted):
    """The stamps whose pieces is at least what is wanted."""
    return [stamp_roll for stamp_roll in stamps if stamp_roll.pieces >= wanted]


def mean_left_over(stamps):
    """The mean of left over, rounded to a tenth; None without stamps."""
    values = [stamp_roll.left_over for stamp_roll in stamps]
    return round(sum(values) / len(values), 1) if values else None


def at_least_left_over(stamps, wanted):
    """The stamps whose left over is at least what is wanted."""
    return [stamp_roll for stamp_roll in stamps if stamp_roll.left_over >= wanted]


def add_up_value(stamps):
    """The sum of value."""
    return sum((stamp_roll.value for stamp_roll in stamps), Decimal(0))


def largest_value(stamps, count=5):
    """The stamps with the largest value; equal ones in the order of their code."""
    return sorted(stamps, key=lambda stamp_roll: (-stamp_roll.value, stamp_roll.code))[:count]


COLUMNS = ("code", "branch", "given", "pieces", "left_over")


def table_of_stamps(stamps):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(stamps, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
