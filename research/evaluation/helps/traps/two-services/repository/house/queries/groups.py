"""Lists and sums of groups."""

from collections import Counter
from decimal import Decimal


def search_town(groups, part):
    """The groups whose town has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [group for group in groups if all(word in group.town.lower() for word in wanted)]


def pick_comes_between(groups, first, last):
    """The groups with comes from first to last, both included."""
    return [group for group in groups if first <= group.comes <= last]


def group_by_month_of_comes(groups):
    """How many groups each month has, by comes: (2024, 5) is May 2024."""
    counts = Counter((group.comes.year, group.comes.month) for group in groups)
    return sorted(counts.items())


def mean_people(groups):
    """The mean of people, rounded to a tenth; None without groups."""
    values = [group.people for group in groups]
    return round(sum(values) / len(values), 1) if values else None


def at_least_people(groups, wanted):
    """The groups whose people is at least what is wanted."""
    return [group for group in groups if group.people >= wanted]


def group_by_kind(groups):
    """Groups for each kind, in the order of the file."""
    found = {}
    for group in groups:
        found.setdefault(group.kind, []).append(group)
    return found


def count_kinds(groups):
    """How many groups there are of each kind, most first."""
    counts = Counter(group.kind for group in groups)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sum_of_deposit(groups):
    """The sum of deposit."""
    return sum((group.deposit for group in groups), Decimal(0))


def deposit_of_each_kind(groups):
    """The sum of deposit for each kind, largest first."""
    sums = {}
    for group in groups:
        sums[group.kind] = sums.get(group.kind, Decimal(0)) + group.deposit
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_deposit(groups, count=5):
    """The groups with the largest deposit; equal ones in the order of their code."""
    return sorted(groups, key=lambda group: (-group.deposit, group.code))[:count]


def with_remark(groups):
    """The groups that have a remark."""
    return [group for group in groups if group.remark]


COLUMNS = ("code", "town", "comes", "people", "kind")


def table_of_groups(groups):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(groups, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
