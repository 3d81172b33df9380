"""Lists and sums of orders."""

from collections import Counter
from decimal import Decimal


def search_title(orders, part):
    """The orders whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [order for order in orders if all(word in order.title.lower() for word in wanted)]


def find_asked_between(orders, first, last):
    """The orders with asked from first to last, both included."""
    return [order for order in orders if first <= order.asked <= last]


def by_month_of_asked(orders):
    """How many orders each month has, by asked: (2024, 5) is May 2024."""
    counts = Counter((order.asked.year, order.asked.month) for order in orders)
    return sorted(counts.items())


def find_arrived_between(orders, first, last):
    """The orders with arrived from first to last, both included."""
    return [order for order in orders if first <= order.arrived <= last]


def by_month_of_arrived(orders):
    """How many orders each month has, by arrived: (2024, 5) is May 2024."""
    counts = Counter((order.arrived.year, order.arrived.month) for order in orders)
    return sorted(counts.items())


def mean_copies(orders):
    """The mean of copies, rounded to a tenth; None without orders."""
    values = [order.copies for order in orders]
    return round(sum(values) / len(values), 1) if values else None


def at_least_copies(orders, wanted):
    """The orders whose copies is at least what is wanted."""
    return [order for order in orders if order.copies >= wanted]


def total_price(orders):
    """The sum of price."""
    return sum((order.price for order in orders), Decimal(0))


def price_of_each_state(orders):
    """The sum of price for each state, largest first."""
    sums = {}
    for order in orders:
        sums[order.state] = sums.get(order.state, Decimal(0)) + order.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(orders, count=5):
    """The orders with the largest price; equal ones in the order of their code."""
    return sorted(orders, key=lambda order: (-order.price, order.code))[:count]


def by_state(orders):
    """Orders for each state, in the order of the file."""
    found = {}
    for order in orders:
        found.setdefault(order.state, []).append(order)
    return found


def count_states(orders):
    """How many orders there are of each state, most first."""
    counts = Counter(order.state for order in orders)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "asked", "arrived", "copies")


def table_of_orders(orders):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(orders, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
