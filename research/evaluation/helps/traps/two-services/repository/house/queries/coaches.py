"""Lists and sums of coaches."""

from collections import Counter
from decimal import Decimal


def search_company(coaches, part):
    """The coaches whose company has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [coach for coach in coaches if all(word in coach.company.lower() for word in wanted)]


def pick_arrives_between(coaches, first, last):
    """The coaches with arrives from first to last, both included."""
    return [coach for coach in coaches if first <= coach.arrives <= last]


def group_by_month_of_arrives(coaches):
    """How many coaches each month has, by arrives: (2024, 5) is May 2024."""
    counts = Counter((coach.arrives.year, coach.arrives.month) for coach in coaches)
    return sorted(counts.items())


def mean_seats(coaches):
    """The mean of seats, rounded to a tenth; None without coaches."""
    values = [coach.seats for coach in coaches]
    return round(sum(values) / len(values), 1) if values else None


def at_least_seats(coaches, wanted):
    """The coaches whose seats is at least what is wanted."""
    return [coach for coach in coaches if coach.seats >= wanted]


def group_by_state(coaches):
    """Coaches for each state, in the order of the file."""
    found = {}
    for coach in coaches:
        found.setdefault(coach.state, []).append(coach)
    return found


def count_states(coaches):
    """How many coaches there are of each state, most first."""
    counts = Counter(coach.state for coach in coaches)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sum_of_fee(coaches):
    """The sum of fee."""
    return sum((coach.fee for coach in coaches), Decimal(0))


def fee_of_each_state(coaches):
    """The sum of fee for each state, largest first."""
    sums = {}
    for coach in coaches:
        sums[coach.state] = sums.get(coach.state, Decimal(0)) + coach.fee
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_fee(coaches, count=5):
    """The coaches with the largest fee; equal ones in the order of their code."""
    return sorted(coaches, key=lambda coach: (-coach.fee, coach.code))[:count]


COLUMNS = ("code", "company", "arrives", "seats", "state")


def table_of_coaches(coaches):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(coaches, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
