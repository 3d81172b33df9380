"""Lists and sums of plants."""

from collections import Counter
from decimal import Decimal


def search_what(plants, part):
    """The plants whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [plant for plant in plants if all(word in plant.what.lower() for word in wanted)]


def find_set_between(plants, first, last):
    """The plants with set from first to last, both included."""
    return [plant for plant in plants if first <= plant.set <= last]


def by_month_of_set(plants):
    """How many plants each month has, by set: (2024, 5) is May 2024."""
    counts = Counter((plant.set.year, plant.set.month) for plant in plants)
    return sorted(counts.items())


def mean_count(plants):
    """The mean of count, rounded to a tenth; None without plants."""
    values = [plant.count for plant in plants]
    return round(sum(values) / len(values), 1) if values else None


def at_least_count(plants, wanted):
    """The plants whose count is at least what is wanted."""
    return [plant for plant in plants if plant.count >= wanted]


def by_state(plants):
    """Plants for each state, in the order of the file."""
    found = {}
    for plant in plants:
        found.setdefault(plant.state, []).append(plant)
    return found


def count_states(plants):
    """How many plants there are of each state, most first."""
    counts = Counter(plant.state for plant in plants)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def by_place(plants):
    """Plants for each place, in the order of the file."""
    found = {}
    for plant in plants:
        found.setdefault(plant.place, []).append(plant)
    return found


def count_places(plants):
    """How many plants there are of each place, most first."""
    counts = Counter(plant.place for plant in plants)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_price(plants):
    """The sum of price."""
    return sum((plant.price for plant in plants), Decimal(0))


def price_of_each_state(plants):
    """The sum of price for each state, largest first."""
    sums = {}
    for plant in plants:
        sums[plant.state] = sums.get(plant.state, Decimal(0)) + plant.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(plants, count=5):
    """The plants with the largest price; equal ones in the order of their code."""
    return sorted(plants, key=lambda plant: (-plant.price, plant.code))[:count]


COLUMNS = ("code", "what", "set", "count", "state")


def table_of_plants(plants):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(plants, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
