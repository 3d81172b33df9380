"""Lists and sums of partners."""

from collections import Counter
from decimal import Decimal


def search_title(partners, part):
    """The partners whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [partner for partner in partners if all(word in partner.title.lower() for word in wanted)]


def select_since_between(partners, first, last):
    """The partners with since from first to last, both included."""
    return [partner for partner in partners if first <= partner.since <= last]


def per_month_of_since(partners):
    """How many partners each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((partner.since.year, partner.since.month) for partner in partners)
    return sorted(counts.items())


def select_until_day_between(partners, first, last):
    """The partners with until day from first to last, both included."""
    return [partner for partner in partners if first <= partner.until_day <= last]


def per_month_of_until_day(partners):
    """How many partners each month has, by until day: (2024, 5) is May 2024."""
    counts = Counter((partner.until_day.year, partner.until_day.month) for partner in partners)
    return sorted(counts.items())


def per_zone(partners):
    """Partners for each zone, in the order of the file."""
    found = {}
    for partner in partners:
        found.setdefault(partner.zone, []).append(partner)
    return found


def count_zones(partners):
    """How many partners there are of each zone, most first."""
    counts = Counter(partner.zone for partner in partners)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def add_up_price(partners):
    """The sum of price."""
    return sum((partner.price for partner in partners), Decimal(0))


def price_of_each_zone(partners):
    """The sum of price for each zone, largest first."""
    sums = {}
    for partner in partners:
        sums[partner.zone] = sums.get(partner.zone, Decimal(0)) + partner.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(partners, count=5):
    """The partners with the largest price; equal ones in the order of their code."""
    return sorted(partners, key=lambda partner: (-partner.price, partner.code))[:count]


COLUMNS = ("code", "title", "since", "until_day", "zone")


def table_of_partners(partners):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(partners, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
