"""Lists and sums of refunds."""

from collections import Counter
from decimal import Decimal


def per_till(refunds):
    """Refunds for each till, in the order of the file."""
    found = {}
    for refund in refunds:
        found.setdefault(refund.till, []).append(refund)
    return found


def select_day_between(refunds, first, last):
    """The refunds with day from first to last, both included."""
    return [refund for refund in refunds if first <= refund.day <= last]


def per_month_of_day(refunds):
    """How many refunds each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((refund.day.year, refund.day.month) for refund in refunds)
    return sorted(counts.items())


def add_up_amount(refunds):
    """The sum of amount."""
    return sum((refund.amount for refund in refunds), Decimal(0))


def amount_of_each_why(refunds):
    """The sum of amount for each why, largest first."""
    sums = {}
    for refund in refunds:
        sums[refund.why] = sums.get(refund.why, Decimal(0)) + refund.amount
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_amount(refunds, count=5):
    """The refunds with the largest amount; equal ones in the order of their code."""
    return sorted(refunds, key=lambda refund: (-refund.amount, refund.code))[:count]


def per_why(refunds):
    """Refunds for each why, in the order of the file."""
    found = {}
    for refund in refunds:
        found.setdefault(refund.why, []).append(refund)
    return found


def count_whys(refunds):
    """How many refunds there are of each why, most first."""
    counts = Counter(refund.why for refund in refunds)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def select_checked(refunds):
    """The refunds that are marked as checked."""
    return [refund for refund in refunds if refund.checked]


COLUMNS = ("code", "till", "day", "amount", "why")


def table_of_refunds(refunds):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(refunds, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
