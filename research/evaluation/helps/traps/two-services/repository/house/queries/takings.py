"""Lists and sums of takings."""

from collections import Counter
from decimal import Decimal


def pick_day_between(takings, first, last):
    """The takings with day from first to last, both included."""
    return [taking for taking in takings if first <= taking.day <= last]


def group_by_month_of_day(takings):
    """How many takings each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((taking.day.year, taking.day.month) for taking in takings)
    return sorted(counts.items())


def group_by_desk(takings):
    """Takings for each desk, in the order of the file."""
    found = {}
    for taking in takings:
        found.setdefault(taking.desk, []).append(taking)
    return found


def count_desks(takings):
    """How many takings there are of each desk, most first."""
    counts = Counter(taking.desk for taking in takings)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sum_of_cash(takings):
    """The sum of cash."""
    return sum((taking.cash for taking in takings), Decimal(0))


def cash_of_each_desk(takings):
    """The sum of cash for each desk, largest first."""
    sums = {}
    for taking in takings:
        sums[taking.desk] = sums.get(taking.desk, Decimal(0)) + taking.cash
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_cash(takings, count=5):
    """The takings with the largest cash; equal ones in the order of their code."""
    return sorted(takings, key=lambda taking: (-taking.cash, taking.code))[:count]


def sum_of_card(takings):
    """The sum of card."""
    return sum((taking.card for taking in takings), Decimal(0))


def card_of_each_desk(takings):
    """The sum of card for each desk, largest first."""
    sums = {}
    for taking in takings:
        sums[taking.desk] = sums.get(taking.desk, Decimal(0)) + taking.card
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_card(takings, count=5):
    """The takings with the largest card; equal ones in the order of their code."""
    return sorted(takings, key=lambda taking: (-taking.card, taking.code))[:count]


def mean_tickets(takings):
    """The mean of tickets, rounded to a tenth; None without takings."""
    values = [taking.tickets for taking in takings]
    return round(sum(values) / len(values), 1) if values else None


def at_least_tickets(takings, wanted):
    """The takings whose tickets is at least what is wanted."""
    return [taking for taking in takings if taking.tickets >= wanted]


COLUMNS = ("code", "day", "desk", "cash", "card")


def table_of_takings(takings):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(takings, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
