"""Lists and sums of cellar."""

from collections import Counter
from decimal import Decimal


def search_label(cellar, part):
    """The cellar whose label has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [bottle for bottle in cellar if all(word in bottle.label.lower() for word in wanted)]


def pick_laid_between(cellar, first, last):
    """The cellar with laid from first to last, both included."""
    return [bottle for bottle in cellar if first <= bottle.laid <= last]


def group_by_month_of_laid(cellar):
    """How many cellar each month has, by laid: (2024, 5) is May 2024."""
    counts = Counter((bottle.laid.year, bottle.laid.month) for bottle in cellar)
    return sorted(counts.items())


def mean_count(cellar):
    """The mean of count, rounded to a tenth; None without cellar."""
    values = [bottle.count for bottle in cellar]
    return round(sum(values) / len(values), 1) if values else None


def at_least_count(cellar, wanted):
    """The cellar whose count is at least what is wanted."""
    return [bottle for bottle in cellar if bottle.count >= wanted]


def sum_of_price(cellar):
    """The sum of price."""
    return sum((bottle.price for bottle in cellar), Decimal(0))


def price_of_each_kind(cellar):
    """The sum of price for each kind, largest first."""
    sums = {}
    for bottle in cellar:
        sums[bottle.kind] = sums.get(bottle.kind, Decimal(0)) + bottle.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(cellar, count=5):
    """The cellar with the largest price; equal ones in the order of their code."""
    return sorted(cellar, key=lambda bottle: (-bottle.price, bottle.code))[:count]


def group_by_kind(cellar):
    """Cellar for each kind, in the order of the file."""
    found = {}
    for bottle in cellar:
        found.setdefault(bottle.kind, []).append(bottle)
    return found


def count_kinds(cellar):
    """How many cellar there are of each kind, most first."""
    counts = Counter(bottle.kind for bottle in cellar)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "label", "laid", "count", "price")


def table_of_cellar(cellar):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(cellar, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
