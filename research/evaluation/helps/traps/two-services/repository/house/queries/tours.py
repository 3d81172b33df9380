"""Lists and sums of tours."""

from collections import Counter
from decimal import Decimal


def search_title(tours, part):
    """The tours whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [tour for tour in tours if all(word in tour.title.lower() for word in wanted)]


def pick_begins_between(tours, first, last):
    """The tours with begins from first to last, both included."""
    return [tour for tour in tours if first <= tour.begins <= last]


def group_by_month_of_begins(tours):
    """How many tours each month has, by begins: (2024, 5) is May 2024."""
    counts = Counter((tour.begins.year, tour.begins.month) for tour in tours)
    return sorted(counts.items())


def mean_places(tours):
    """The mean of places, rounded to a tenth; None without tours."""
    values = [tour.places for tour in tours]
    return round(sum(values) / len(values), 1) if values else None


def at_least_places(tours, wanted):
    """The tours whose places is at least what is wanted."""
    return [tour for tour in tours if tour.places >= wanted]


def mean_minutes(tours):
    """The mean of minutes, rounded to a tenth; None without tours."""
    values = [tour.minutes for tour in tours]
    return round(sum(values) / len(values), 1) if values else None


def at_least_minutes(tours, wanted):
    """The tours whose minutes is at least what is wanted."""
    return [tour for tour in tours if tour.minutes >= wanted]


def sum_of_price(tours):
    """The sum of price."""
    return sum((tour.price for tour in tours), Decimal(0))


def price_of_each_language(tours):
    """The sum of price for each language, largest first."""
    sums = {}
    for tour in tours:
        sums[tour.language] = sums.get(tour.language, Decimal(0)) + tour.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(tours, count=5):
    """The tours with the largest price; equal ones in the order of their code."""
    return sorted(tours, key=lambda tour: (-tour.price, tour.code))[:count]


def group_by_language(tours):
    """Tours for each language, in the order of the file."""
    found = {}
    for tour in tours:
        found.setdefault(tour.language, []).append(tour)
    return found


def count_languages(tours):
    """How many tours there are of each language, most first."""
    counts = Counter(tour.language for tour in tours)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_full(tours):
    """The tours that are marked as full."""
    return [tour for tour in tours if tour.full]


COLUMNS = ("code", "title", "begins", "places", "minutes")


def table_of_tours(tours):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(tours, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
