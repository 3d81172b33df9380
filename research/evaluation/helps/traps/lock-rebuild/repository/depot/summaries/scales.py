"""Lists and sums of scales."""

from collections import Counter
from decimal import Decimal


def per_branch(scales):
    """Scales for each branch, in the order of the file."""
    found = {}
    for scale in scales:
        found.setdefault(scale.branch, []).append(scale)
    return found


def select_checked_between(scales, first, last):
    """The scales with checked from first to last, both included."""
    return [scale for scale in scales if first <= scale.checked <= last]


def per_month_of_checked(scales):
    """How many scales each month has, by checked: (2024, 5) is May 2024."""
    counts = Counter((scale.checked.year, scale.checked.month) for scale in scales)
    return sorted(counts.items())


def mean_most(scales):
    """The mean of most, rounded to a tenth; None without scales."""
    values = [scale.most for scale in scales]
    return round(sum(values) / len(values), 1) if values else None


def at_least_most(scales, wanted):
    """The scales whose most is at least what is wanted."""
    return [scale for scale in scales if scale.most >= wanted]


def add_up_error(scales):
    """The sum of error."""
    return sum((scale.error for scale in scales), Decimal(0))


def largest_error(scales, count=5):
    """The scales with the largest error; equal ones in the order of their code."""
    return sorted(scales, key=lambda scale: (-scale.error, scale.code))[:count]


def select_sealed(scales):
    """The scales that are marked as sealed."""
    return [scale for scale in scales if scale.sealed]


COLUMNS = ("code", "branch", "checked", "most", "error")


def table_of_scales(scales):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(scales, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
