"""Lists and sums of trees."""

from collections import Counter
from decimal import Decimal


def search_place(trees, part):
    """The trees whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [tree for tree in trees if all(word in tree.place.lower() for word in wanted)]


def find_seen_between(trees, first, last):
    """The trees with seen from first to last, both included."""
    return [tree for tree in trees if first <= tree.seen <= last]


def by_month_of_seen(trees):
    """How many trees each month has, by seen: (2024, 5) is May 2024."""
    counts = Counter((tree.seen.year, tree.seen.month) for tree in trees)
    return sorted(counts.items())


def total_height(trees):
    """The sum of height."""
    return sum((tree.height for tree in trees), Decimal(0))


def height_of_each_kind(trees):
    """The sum of height for each kind, largest first."""
    sums = {}
    for tree in trees:
        sums[tree.kind] = sums.get(tree.kind, Decimal(0)) + tree.height
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_height(trees, count=5):
    """The trees with the largest height; equal ones in the order of their code."""
    return sorted(trees, key=lambda tree: (-tree.height, tree.code))[:count]


def by_kind(trees):
    """Trees for each kind, in the order of the file."""
    found = {}
    for tree in trees:
        found.setdefault(tree.kind, []).append(tree)
    return found


def count_kinds(trees):
    """How many trees there are of each kind, most first."""
    counts = Counter(tree.kind for tree in trees)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_marked(trees):
    """The trees that are marked as marked."""
    return [tree for tree in trees if tree.marked]


COLUMNS = ("code", "place", "seen", "height", "kind")


def table_of_trees(trees):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(trees, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
