"""Lists and sums of offers."""

from collections import Counter


def search_title(offers, part):
    """The offers whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [offer for offer in offers if all(word in offer.title.lower() for word in wanted)]


def select_begins_between(offers, first, last):
    """The offers with begins from first to last, both included."""
    return [offer for offer in offers if first <= offer.begins <= last]


def per_month_of_begins(offers):
    """How many offers each month has, by begins: (2024, 5) is May 2024."""
    counts = Counter((offer.begins.year, offer.begins.month) for offer in offers)
    return sorted(counts.items())


def select_ends_between(offers, first, last):
    """The offers with ends from first to last, both included."""
    return [offer for offer in offers if first <= offer.ends <= last]


def per_month_of_ends(offers):
    """How many offers each month has, by ends: (2024, 5) is May 2024."""
    counts = Counter((offer.ends.year, offer.ends.month) for offer in offers)
    return sorted(counts.items())


def mean_percent(offers):
    """The mean of percent, rounded to a tenth; None without offers."""
    values = [offer.percent for offer in offers]
    return round(sum(values) / len(values), 1) if values else None


def at_least_percent(offers, wanted):
    """The offers whose percent is at least what is wanted."""
    return [offer for offer in offers if offer.percent >= wanted]


def per_kind(offers):
    """Offers for each kind, in the order of the file."""
    found = {}
    for offer in offers:
        found.setdefault(offer.kind, []).append(offer)
    return found


def count_kinds(offers):
    """How many offers there are of each kind, most first."""
    counts = Counter(offer.kind for offer in offers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "begins", "ends", "percent")


def table_of_offers(offers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(offers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
