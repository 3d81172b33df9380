"""Lists and sums of members."""

from collections import Counter
from decimal import Decimal


def by_kind(members):
    """Members for each kind, in the order of the file."""
    found = {}
    for member in members:
        found.setdefault(member.kind, []).append(member)
    return found


def count_kinds(members):
    """How many members there are of each kind, most first."""
    counts = Counter(member.kind for member in members)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_since_between(members, first, last):
    """The members with since from first to last, both included."""
    return [member for member in members if first <= member.since <= last]


def by_month_of_since(members):
    """How many members each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((member.since.year, member.since.month) for member in members)
    return sorted(counts.items())


def find_until_between(members, first, last):
    """The members with until from first to last, both included."""
    return [member for member in members if first <= member.until <= last]


def by_month_of_until(members):
    """How many members each month has, by until: (2024, 5) is May 2024."""
    counts = Counter((member.until.year, member.until.month) for member in members)
    return sorted(counts.items())


def total_fee(members):
    """The sum of fee."""
    return sum((member.fee for member in members), Decimal(0))


def fee_of_each_kind(members):
    """The sum of fee for each kind, largest first."""
    sums = {}
    for member in members:
        sums[member.kind] = sums.get(member.kind, Decimal(0)) + member.fee
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_fee(members, count=5):
    """The members with the largest fee; equal ones in the order of their code."""
    return sorted(members, key=lambda member: (-member.fee, member.code))[:count]


def mean_visits(members):
    """The mean of visits, rounded to a tenth; None without members."""
    values = [member.visits for member in members]
    return round(sum(values) / len(values), 1) if values else None


def at_least_visits(members, wanted):
    """The members whose visits is at least what is wanted."""
    return [member for member in members if member.visits >= wanted]


def find_card_lost(members):
    """The members that are marked as card lost."""
    return [member for member in members if member.card_lost]


COLUMNS = ("code", "kind", "since", "until", "fee")


def table_of_members(members):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(members, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
