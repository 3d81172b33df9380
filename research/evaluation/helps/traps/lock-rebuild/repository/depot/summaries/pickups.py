"""Lists and sums of pickups."""

from collections import Counter
from decimal import Decimal


def per_branch(pickups):
    """Pickups for each branch, in the order of the file."""
    found = {}
    for pickup in pickups:
        found.setdefault(pickup.branch, []).append(pickup)
    return found


def select_day_between(pickups, first, last):
    """The pickups with day from first to last, both included."""
    return [pickup for pickup in pickups if first <= pickup.day <= last]


def per_month_of_day(pickups):
    """How many pickups each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((pickup.day.year, pickup.day.month) for pickup in pickups)
    return sorted(counts.items())


def mean_parcels(pickups):
    """The mean of parcels, rounded to a tenth; None without pickups."""
    values = [pickup.parcels for pickup in pickups]
    return round(sum(values) / len(values), 1) if values else None


def at_least_parcels(pickups, wanted):
    """The pickups whose parcels is at least what is wanted."""
    return [pickup for pickup in pickups if pickup.parcels >= wanted]


def add_up_fee(pickups):
    """The sum of fee."""
    return sum((pickup.fee for pickup in pickups), Decimal(0))


def fee_of_each_state(pickups):
    """The sum of fee for each state, largest first."""
    sums = {}
    for pickup in pickups:
        sums[pickup.state] = sums.get(pickup.state, Decimal(0)) + pickup.fee
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_fee(pickups, count=5):
    """The pickups with the largest fee; equal ones in the order of their code."""
    return sorted(pickups, key=lambda pickup: (-pickup.fee, pickup.code))[:count]


def per_state(pickups):
    """Pickups for each state, in the order of the file."""
    found = {}
    for pickup in pickups:
        found.setdefault(pickup.state, []).append(pickup)
    return found


def count_states(pickups):
    """How many pickups there are of each state, most first."""
    counts = Counter(pickup.state for pickup in pickups)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "branch", "day", "parcels", "fee")


def table_of_pickups(pickups):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(pickups, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
