"""Lists and sums of bills."""

from collections import Counter
from decimal import Decimal


def by_building(bills):
    """Bills for each building, in the order of the file."""
    found = {}
    for bill in bills:
        found.setdefault(bill.building, []).append(bill)
    return found


def find_sent_between(bills, first, last):
    """The bills with sent from first to last, both included."""
    return [bill for bill in bills if first <= bill.sent <= last]


def by_month_of_sent(bills):
    """How many bills each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((bill.sent.year, bill.sent.month) for bill in bills)
    return sorted(counts.items())


def find_due_between(bills, first, last):
    """The bills with due from first to last, both included."""
    return [bill for bill in bills if first <= bill.due <= last]


def by_month_of_due(bills):
    """How many bills each month has, by due: (2024, 5) is May 2024."""
    counts = Counter((bill.due.year, bill.due.month) for bill in bills)
    return sorted(counts.items())


def total_net(bills):
    """The sum of net."""
    return sum((bill.net for bill in bills), Decimal(0))


def net_of_each_kind(bills):
    """The sum of net for each kind, largest first."""
    sums = {}
    for bill in bills:
        sums[bill.kind] = sums.get(bill.kind, Decimal(0)) + bill.net
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_net(bills, count=5):
    """The bills with the largest net; equal ones in the order of their code."""
    return sorted(bills, key=lambda bill: (-bill.net, bill.code))[:count]


def by_kind(bills):
    """Bills for each kind, in the order of the file."""
    found = {}
    for bill in bills:
        found.setdefault(bill.kind, []).append(bill)
    return found


def count_kinds(bills):
    """How many bills there are of each kind, most first."""
    counts = Counter(bill.kind for bill in bills)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_paid(bills):
    """The bills that are marked as paid."""
    return [bill for bill in bills if bill.paid]


COLUMNS = ("code", "building", "sent", "due", "net")


def table_of_bills(bills):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(bills, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
