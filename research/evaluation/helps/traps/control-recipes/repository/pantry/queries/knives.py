"""Lists and sums of knives."""

from collections import Counter
from decimal import Decimal


def search_what(knives, part):
    """The knives whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [knife for knife in knives if all(word in knife.what.lower() for word in wanted)]


def pick_ground_between(knives, first, last):
    """The knives with ground from first to last, both included."""
    return [knife for knife in knives if first <= knife.ground <= last]


def group_by_month_of_ground(knives):
    """How many knives each month has, by ground: (2024, 5) is May 2024."""
    counts = Counter((knife.ground.year, knife.ground.month) for knife in knives)
    return sorted(counts.items())


def sum_of_length(knives):
    """The sum of length."""
    return sum((knife.length for knife in knives), Decimal(0))


def length_of_each_kind(knives):
    """The sum of length for each kind, largest first."""
    sums = {}
    for knife in knives:
        sums[knife.kind] = sums.get(knife.kind, Decimal(0)) + knife.length
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_length(knives, count=5):
    """The knives with the largest length; equal ones in the order of their code."""
    return sorted(knives, key=lambda knife: (-knife.length, knife.code))[:count]


def group_by_kind(knives):
    """Knives for each kind, in the order of the file."""
    found = {}
    for knife in knives:
        found.setdefault(knife.kind, []).append(knife)
    return found


def count_kinds(knives):
    """How many knives there are of each kind, most first."""
    counts = Counter(knife.kind for knife in knives)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_lent(knives):
    """The knives that are marked as lent."""
    return [knife for knife in knives if knife.lent]


COLUMNS = ("code", "what", "ground", "length", "kind")


def table_of_knives(knives):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(knives, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
