"""Lists and sums of repairs."""

from collections import Counter
from decimal import Decimal


def by_book(repairs):
    """Repairs for each book, in the order of the file."""
    found = {}
    for repair in repairs:
        found.setdefault(repair.book, []).append(repair)
    return found


def find_begun_between(repairs, first, last):
    """The repairs with begun from first to last, both included."""
    return [repair for repair in repairs if first <= repair.begun <= last]


def by_month_of_begun(repairs):
    """How many repairs each month has, by begun: (2024, 5) is May 2024."""
    counts = Counter((repair.begun.year, repair.begun.month) for repair in repairs)
    return sorted(counts.items())


def find_done_between(repairs, first, last):
    """The repairs with done from first to last, both included."""
    return [repair for repair in repairs if first <= repair.done <= last]


def by_month_of_done(repairs):
    """How many repairs each month has, by done: (2024, 5) is May 2024."""
    counts = Counter((repair.done.year, repair.done.month) for repair in repairs)
    return sorted(counts.items())


def by_work(repairs):
    """Repairs for each work, in the order of the file."""
    found = {}
    for repair in repairs:
        found.setdefault(repair.work, []).append(repair)
    return found


def count_works(repairs):
    """How many repairs there are of each work, most first."""
    counts = Counter(repair.work for repair in repairs)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_hours(repairs):
    """The mean of hours, rounded to a tenth; None without repairs."""
    values = [repair.hours for repair in repairs]
    return round(sum(values) / len(values), 1) if values else None


def at_least_hours(repairs, wanted):
    """The repairs whose hours is at least what is wanted."""
    return [repair for repair in repairs if repair.hours >= wanted]


def total_cost(repairs):
    """The sum of cost."""
    return sum((repair.cost for repair in repairs), Decimal(0))


def cost_of_each_work(repairs):
    """The sum of cost for each work, largest first."""
    sums = {}
    for repair in repairs:
        sums[repair.work] = sums.get(repair.work, Decimal(0)) + repair.cost
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_cost(repairs, count=5):
    """The repairs with the largest cost; equal ones in the order of their code."""
    return sorted(repairs, key=lambda repair: (-repair.cost, repair.code))[:count]


COLUMNS = ("code", "book", "begun", "done", "work")


def table_of_repairs(repairs):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(repairs, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
