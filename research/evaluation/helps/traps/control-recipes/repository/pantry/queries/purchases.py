"""Lists and sums of purchases."""

from collections import Counter
from decimal import Decimal


def search_what(purchases, part):
    """The purchases whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [purchase for purchase in purchases if all(word in purchase.what.lower() for word in wanted)]


def pick_day_between(purchases, first, last):
    """The purchases with day from first to last, both included."""
    return [purchase for purchase in purchases if first <= purchase.day <= last]


def group_by_month_of_day(purchases):
    """How many purchases each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((purchase.day.year, purchase.day.month) for purchase in purchases)
    return sorted(counts.items())


def mean_pieces(purchases):
    """The mean of pieces, rounded to a tenth; None without purchases."""
    values = [purchase.pieces for purchase in purchases]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(purchases, wanted):
    """The purchases whose pieces is at least what is wanted."""
    return [purchase for purchase in purchases if purchase.pieces >= wanted]


def sum_of_price(purchases):
    """The sum of price."""
    return sum((purchase.price for purchase in purchases), Decimal(0))


def price_of_each_shop(purchases):
    """The sum of price for each shop, largest first."""
    sums = {}
    for purchase in purchases:
        sums[purchase.shop] = sums.get(purchase.shop, Decimal(0)) + purchase.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(purchases, count=5):
    """The purchases with the largest price; equal ones in the order of their code."""
    return sorted(purchases, key=lambda purchase: (-purchase.price, purchase.code))[:count]


def group_by_shop(purchases):
    """Purchases for each shop, in the order of the file."""
    found = {}
    for purchase in purchases:
        found.setdefault(purchase.shop, []).append(purchase)
    return found


def count_shops(purchases):
    """How many purchases there are of each shop, most first."""
    counts = Counter(purchase.shop for purchase in purchases)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "what", "day", "pieces", "price")


def table_of_purchases(purchases):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(purchases, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
