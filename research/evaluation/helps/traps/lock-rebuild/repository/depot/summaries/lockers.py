"""Lists and sums of lockers."""

from collections import Counter
from decimal import Decimal


def search_place(lockers, part):
    """The lockers whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [locker for locker in lockers if all(word in locker.place.lower() for word in wanted)]


def select_fitted_between(lockers, first, last):
    """The lockers with fitted from first to last, both included."""
    return [locker for locker in lockers if first <= locker.fitted <= last]


def per_month_of_fitted(lockers):
    """How many lockers each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((locker.fitted.year, locker.fitted.month) for locker in lockers)
    return sorted(counts.items())


def mean_doors(lockers):
    """The mean of doors, rounded to a tenth; None without lockers."""
    values = [locker.doors for locker in lockers]
    return round(sum(values) / len(values), 1) if values else None


def at_least_doors(lockers, wanted):
    """The lockers whose doors is at least what is wanted."""
    return [locker for locker in lockers if locker.doors >= wanted]


def per_state(lockers):
    """Lockers for each state, in the order of the file."""
    found = {}
    for locker in lockers:
        found.setdefault(locker.state, []).append(locker)
    return found


def count_states(lockers):
    """How many lockers there are of each state, most first."""
    counts = Counter(locker.state for locker in lockers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def add_up_rent(lockers):
    """The sum of rent."""
    return sum((locker.rent for locker in lockers), Decimal(0))


def rent_of_each_state(lockers):
    """The sum of rent for each state, largest first."""
    sums = {}
    for locker in lockers:
        sums[locker.state] = sums.get(locker.state, Decimal(0)) + locker.rent
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_rent(lockers, count=5):
    """The lockers with the largest rent; equal ones in the order of their code."""
    return sorted(lockers, key=lambda locker: (-locker.rent, locker.code))[:count]


COLUMNS = ("code", "place", "fitted", "doors", "state")


def table_of_lockers(lockers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(lockers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
