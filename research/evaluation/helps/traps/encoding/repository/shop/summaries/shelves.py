"""Lists and sums of shelves."""

from collections import Counter
from decimal import Decimal


def per_aisle(shelves):
    """Shelves for each aisle, in the order of the file."""
    found = {}
    for shelf in shelves:
        found.setdefault(shelf.aisle, []).append(shelf)
    return found


def count_aisles(shelves):
    """How many shelves there are of each aisle, most first."""
    counts = Counter(shelf.aisle for shelf in shelves)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def select_fitted_between(shelves, first, last):
    """The shelves with fitted from first to last, both included."""
    return [shelf for shelf in shelves if first <= shelf.fitted <= last]


def per_month_of_fitted(shelves):
    """How many shelves each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((shelf.fitted.year, shelf.fitted.month) for shelf in shelves)
    return sorted(counts.items())


def mean_slots(shelves):
    """The mean of slots, rounded to a tenth; None without shelves."""
    values = [shelf.slots for shelf in shelves]
    return round(sum(values) / len(values), 1) if values else None


def at_least_slots(shelves, wanted):
    """The shelves whose slots is at least what is wanted."""
    return [shelf for shelf in shelves if shelf.slots >= wanted]


def add_up_width(shelves):
    """The sum of width."""
    return sum((shelf.width for shelf in shelves), Decimal(0))


def width_of_each_aisle(shelves):
    """The sum of width for each aisle, largest first."""
    sums = {}
    for shelf in shelves:
        sums[shelf.aisle] = sums.get(shelf.aisle, Decimal(0)) + shelf.width
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_width(shelves, count=5):
    """The shelves with the largest width; equal ones in the order of their code."""
    return sorted(shelves, key=lambda shelf: (-shelf.width, shelf.code))[:count]


def select_cooled(shelves):
    """The shelves that are marked as cooled."""
    return [shelf for shelf in shelves if shelf.cooled]


COLUMNS = ("code", "aisle", "fitted", "slots", "width")


def table_of_shelves(shelves):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(shelves, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
