"""Lists and sums of rolls."""

from collections import Counter
from decimal import Decimal


def select_bought_between(rolls, first, last):
    """The rolls with bought from first to last, both included."""
    return [roll for roll in rolls if first <= roll.bought <= last]


def per_month_of_bought(rolls):
    """How many rolls each month has, by bought: (2024, 5) is May 2024."""
    counts = Counter((roll.bought.year, roll.bought.month) for roll in rolls)
    return sorted(counts.items())


def mean_metres(rolls):
    """The mean of metres, rounded to a tenth; None without rolls."""
    values = [roll.metres for roll in rolls]
    return round(sum(values) / len(values), 1) if values else None


def at_least_metres(rolls, wanted):
    """The rolls whose metres is at least what is wanted."""
    return [roll for roll in rolls if roll.metres >= wanted]


def per_width(rolls):
    """Rolls for each width, in the order of the file."""
    found = {}
    for roll in rolls:
        found.setdefault(roll.width, []).append(roll)
    return found


def count_widths(rolls):
    """How many rolls there are of each width, most first."""
    counts = Counter(roll.width for roll in rolls)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def add_up_price(rolls):
    """The sum of price."""
    return sum((roll.price for roll in rolls), Decimal(0))


def price_of_each_width(rolls):
    """The sum of price for each width, largest first."""
    sums = {}
    for roll in rolls:
        sums[roll.width] = sums.get(roll.width, Decimal(0)) + roll.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(rolls, count=5):
    """The rolls with the largest price; equal ones in the order of their code."""
    return sorted(rolls, key=lambda roll: (-roll.price, roll.code))[:count]


def select_empty(rolls):
    """The rolls that are marked as empty."""
    return [roll for roll in rolls if roll.empty]


COLUMNS = ("code", "bought", "metres", "width", "price")


def table_of_rolls(rolls):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(rolls, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
