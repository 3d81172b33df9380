"""Lists and sums of deliveries."""

from collections import Counter
from decimal import Decimal


def per_supplier(deliveries):
    """Deliveries for each supplier, in the order of the file."""
    found = {}
    for delivery in deliveries:
        found.setdefault(delivery.supplier, []).append(delivery)
    return found


def select_came_between(deliveries, first, last):
    """The deliveries with came from first to last, both included."""
    return [delivery for delivery in deliveries if first <= delivery.came <= last]


def per_month_of_came(deliveries):
    """How many deliveries each month has, by came: (2024, 5) is May 2024."""
    counts = Counter((delivery.came.year, delivery.came.month) for delivery in deliveries)
    return sorted(counts.items())


def mean_boxes(deliveries):
    """The mean of boxes, rounded to a tenth; None without deliveries."""
    values = [delivery.boxes for delivery in deliveries]
    return round(sum(values) / len(values), 1) if values else None


def at_least_boxes(deliveries, wanted):
    """The deliveries whose boxes is at least what is wanted."""
    return [delivery for delivery in deliveries if delivery.boxes >= wanted]


def per_state(deliveries):
    """Deliveries for each state, in the order of the file."""
    found = {}
    for delivery in deliveries:
        found.setdefault(delivery.state, []).append(delivery)
    return found


def count_states(deliveries):
    """How many deliveries there are of each state, most first."""
    counts = Counter(delivery.state for delivery in deliveries)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def add_up_net(deliveries):
    """The sum of net."""
    return sum((delivery.net for delivery in deliveries), Decimal(0))


def net_of_each_state(deliveries):
    """The sum of net for each state, largest first."""
    sums = {}
    for delivery in deliveries:
        sums[delivery.state] = sums.get(delivery.state, Decimal(0)) + delivery.net
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_net(deliveries, count=5):
    """The deliveries with the largest net; equal ones in the order of their code."""
    return sorted(deliveries, key=lambda delivery: (-delivery.net, delivery.code))[:count]


def with_remark(deliveries):
    """The deliveries that have a remark."""
    return [delivery for delivery in deliveries if delivery.remark]


COLUMNS = ("code", "supplier", "came", "boxes", "state")


def table_of_deliveries(deliveries):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(deliveries, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
