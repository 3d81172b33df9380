"""Lists and sums of refunds."""

from collections import Counter
from decimal import Decimal


def pick_day_between(refunds, first, last):
    """The refunds with day from first to last, both included."""
    return [refund for refund in refunds if first <= refund.day <= last]


def group_by_month_of_day(refunds):
    """How many refunds each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((refund.day.year, refund.day.month) for refund in refunds)
    return sorted(counts.items())


def group_by_reason(refunds):
    """Refunds for each reason, in the order of the file."""
    found = {}
    for refund in refunds:
        found.setdefault(refund.reason, []).append(refund)
    return found


def count_reasons(refunds):
    """How many refunds there are of each reason, most first."""
    counts = Counter(refund.reason for refund in refunds)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sum_of_amount(refunds):
    """The sum of amount."""
    return sum((refund.amount for refund in refunds), Decimal(0))


def amount_of_each_reason(refunds):
    """The sum of amount for each reason, largest first."""
    sums = {}
    for refund in refunds:
        sums[refund.reason] = sums.get(refund.reason, Decimal(0)) + refund.amount
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_amount(refunds, count=5):
    """The refunds with the largest amount; equal ones in the order of their code."""
    return sorted(refunds, key=lambda refund: (-refund.amount, refund.code))[:count]


def mean_tickets(refunds):
    """The mean of tickets, rounded to a tenth; None without refunds."""
    values = [refund.tickets for refund in refunds]
    return round(sum(values) / len(values), 1) if values else None


def at_least_tickets(refunds, wanted):
    """The refunds whose tickets is at least what is wanted."""
    return [refund for refund in refunds if refund.tickets >= wanted]


COLUMNS = ("code", "day", "reason", "amount", "tickets")


def table_of_refunds(refunds):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(refunds, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
