"""Lists and sums of orders."""

from collections import Counter
from decimal import Decimal


def select_asked_between(orders, first, last):
    """The orders with asked from first to last, both included."""
    return [order for order in orders if first <= order.asked <= last]


def per_month_of_asked(orders):
    """How many orders each month has, by asked: (2024, 5) is May 2024."""
    counts = Counter((order.asked.year, order.asked.month) for order in orders)
    return sorted(counts.items())


def select_fetched_between(orders, first, last):
    """The orders with fetched from first to last, both included."""
    return [order for order in orders if first <= order.fetched <= last]


def per_month_of_fetched(orders):
    """How many orders each month has, by fetched: (2024, 5) is May 2024."""
    counts = Counter((order.fetched.year, order.fetched.month) for order in orders)
    return sorted(counts.items())


def mean_pieces(orders):
    """The mean of pieces, rounded to a tenth; None without orders."""
    values = [order.pieces for order in orders]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(orders, wanted):
    """The orders whose pieces is at least what is wanted."""
    return [order for order in orders if order.pieces >= wanted]


def add_up_total(orders):
    """The sum of total."""
    return sum((order.total for order in orders), Decimal(0))


def total_of_each_state(orders):
    """The sum of total for each state, largest first."""
    sums = {}
    for order in orders:
        sums[order.state] = sums.get(order.state, Decimal(0)) + order.total
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_total(orders, count=5):
    """The orders with the largest total; equal ones in the order of their code."""
    return sorted(orders, key=lambda order: (-order.total, order.code))[:count]


def per_state(orders):
    """Orders for each state, in the order of the file."""
    found = {}
    for order in orders:
        found.setdefault(order.state, []).append(order)
    return found


def count_states(orders):
    """How many orders there are of each state, most first."""
    counts = Counter(order.state for order in orders)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "asked", "fetched", "pieces", "total")


def table_of_orders(orders):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(orders, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
