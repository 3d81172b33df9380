"""Lists and sums of offers."""

from collections import Counter
from decimal import Decimal


def find_came_between(offers, first, last):
    """The offers with came from first to last, both included."""
    return [offer for offer in offers if first <= offer.came <= last]


def by_month_of_came(offers):
    """How many offers each month has, by came: (2024, 5) is May 2024."""
    counts = Counter((offer.came.year, offer.came.month) for offer in offers)
    return sorted(counts.items())


def find_ends_between(offers, first, last):
    """The offers with ends from first to last, both included."""
    return [offer for offer in offers if first <= offer.ends <= last]


def by_month_of_ends(offers):
    """How many offers each month has, by ends: (2024, 5) is May 2024."""
    counts = Counter((offer.ends.year, offer.ends.month) for offer in offers)
    return sorted(counts.items())


def total_price(offers):
    """The sum of price."""
    return sum((offer.price for offer in offers), Decimal(0))


def price_of_each_kind(offers):
    """The sum of price for each kind, largest first."""
    sums = {}
    for offer in offers:
        sums[offer.kind] = sums.get(offer.kind, Decimal(0)) + offer.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(offers, count=5):
    """The offers with the largest price; equal ones in the order of their code."""
    return sorted(offers, key=lambda offer: (-offer.price, offer.code))[:count]


def by_kind(offers):
    """Offers for each kind, in the order of the file."""
    found = {}
    for offer in offers:
        found.setdefault(offer.kind, []).append(offer)
    return found


def count_kinds(offers):
    """How many offers there are of each kind, most first."""
    counts = Counter(offer.kind for offer in offers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_months(offers):
    """The mean of months, rounded to a tenth; None without offers."""
    values = [offer.months for offer in offers]
    return round(sum(values) / len(values), 1) if values else None


def at_least_months(offers, wanted):
    """The offers whose months is at least what is wanted."""
    return [offer for offer in offers if offer.months >= wanted]


def find_taken(offers):
    """The offers that are marked as taken."""
    return [offer for offer in offers if offer.taken]


COLUMNS = ("code", "came", "ends", "price", "kind")


def table_of_offers(offers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(offers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
