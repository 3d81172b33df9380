"""Lists and sums of finds."""

from collections import Counter
from decimal import Decimal


def search_thing(finds, part):
    """The finds whose thing has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [find for find in finds if all(word in find.thing.lower() for word in wanted)]


def pick_found_between(finds, first, last):
    """The finds with found from first to last, both included."""
    return [find for find in finds if first <= find.found <= last]


def group_by_month_of_found(finds):
    """How many finds each month has, by found: (2024, 5) is May 2024."""
    counts = Counter((find.found.year, find.found.month) for find in finds)
    return sorted(counts.items())


def group_by_where(finds):
    """Finds for each where, in the order of the file."""
    found = {}
    for find in finds:
        found.setdefault(find.where, []).append(find)
    return found


def count_wheres(finds):
    """How many finds there are of each where, most first."""
    counts = Counter(find.where for find in finds)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_fetched(finds):
    """The finds that are marked as fetched."""
    return [find for find in finds if find.fetched]


def sum_of_worth(finds):
    """The sum of worth."""
    return sum((find.worth for find in finds), Decimal(0))


def worth_of_each_where(finds):
    """The sum of worth for each where, largest first."""
    sums = {}
    for find in finds:
        sums[find.where] = sums.get(find.where, Decimal(0)) + find.worth
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_worth(finds, count=5):
    """The finds with the largest worth; equal ones in the order of their code."""
    return sorted(finds, key=lambda find: (-find.worth, find.code))[:count]


COLUMNS = ("code", "thing", "found", "where", "fetched")


def table_of_finds(finds):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(finds, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
