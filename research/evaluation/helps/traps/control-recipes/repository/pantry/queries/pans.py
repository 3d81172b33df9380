"""Lists and sums of pans."""

from collections import Counter
from decimal import Decimal


def search_what(pans, part):
    """The pans whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [pan for pan in pans if all(word in pan.what.lower() for word in wanted)]


def pick_bought_between(pans, first, last):
    """The pans with bought from first to last, both included."""
    return [pan for pan in pans if first <= pan.bought <= last]


def group_by_month_of_bought(pans):
    """How many pans each month has, by bought: (2024, 5) is May 2024."""
    counts = Counter((pan.bought.year, pan.bought.month) for pan in pans)
    return sorted(counts.items())


def sum_of_size(pans):
    """The sum of size."""
    return sum((pan.size for pan in pans), Decimal(0))


def size_of_each_kind(pans):
    """The sum of size for each kind, largest first."""
    sums = {}
    for pan in pans:
        sums[pan.kind] = sums.get(pan.kind, Decimal(0)) + pan.size
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_size(pans, count=5):
    """The pans with the largest size; equal ones in the order of their code."""
    return sorted(pans, key=lambda pan: (-pan.size, pan.code))[:count]


def group_by_kind(pans):
    """Pans for each kind, in the order of the file."""
    found = {}
    for pan in pans:
        found.setdefault(pan.kind, []).append(pan)
    return found


def count_kinds(pans):
    """How many pans there are of each kind, most first."""
    counts = Counter(pan.kind for pan in pans)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_lent(pans):
    """The pans that are marked as lent."""
    return [pan for pan in pans if pan.lent]


COLUMNS = ("code", "what", "bought", "size", "kind")


def table_of_pans(pans):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(pans, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
