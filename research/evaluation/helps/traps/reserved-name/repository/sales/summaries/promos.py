"""Lists and sums of promos."""

from collections import Counter


def search_title(promos, part):
    """The promos whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [promo for promo in promos if all(word in promo.title.lower() for word in wanted)]


def select_begins_between(promos, first, last):
    """The promos with begins from first to last, both included."""
    return [promo for promo in promos if first <= promo.begins <= last]


def per_month_of_begins(promos):
    """How many promos each month has, by begins: (2024, 5) is May 2024."""
    counts = Counter((promo.begins.year, promo.begins.month) for promo in promos)
    return sorted(counts.items())


def select_ends_between(promos, first, last):
    """The promos with ends from first to last, both included."""
    return [promo for promo in promos if first <= promo.ends <= last]


def per_month_of_ends(promos):
    """How many promos each month has, by ends: (2024, 5) is May 2024."""
    counts = Counter((promo.ends.year, promo.ends.month) for promo in promos)
    return sorted(counts.items())


def mean_percent(promos):
    """The mean of percent, rounded to a tenth; None without promos."""
    values = [promo.percent for promo in promos]
    return round(sum(values) / len(values), 1) if values else None


def at_least_percent(promos, wanted):
    """The promos whose percent is at least what is wanted."""
    return [promo for promo in promos if promo.percent >= wanted]


def per_kind(promos):
    """Promos for each kind, in the order of the file."""
    found = {}
    for promo in promos:
        found.setdefault(promo.kind, []).append(promo)
    return found


def count_kinds(promos):
    """How many promos there are of each kind, most first."""
    counts = Counter(promo.kind for promo in promos)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "begins", "ends", "percent")


def table_of_promos(promos):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(promos, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
