"""Lists and sums of quotas."""

from collections import Counter
from decimal import Decimal


def group_by_key(quotas):
    """Quotas for each key, in the order of the file."""
    found = {}
    for quota in quotas:
        found.setdefault(quota.key, []).append(quota)
    return found


def pick_since_between(quotas, first, last):
    """The quotas with since from first to last, both included."""
    return [quota for quota in quotas if first <= quota.since <= last]


def group_by_month_of_since(quotas):
    """How many quotas each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((quota.since.year, quota.since.month) for quota in quotas)
    return sorted(counts.items())


def mean_calls(quotas):
    """The mean of calls, rounded to a tenth; None without quotas."""
    values = [quota.calls for quota in quotas]
    return round(sum(values) / len(values), 1) if values else None


def at_least_calls(quotas, wanted):
    """The quotas whose calls is at least what is wanted."""
    return [quota for quota in quotas if quota.calls >= wanted]


def sum_of_price(quotas):
    """The sum of price."""
    return sum((quota.price for quota in quotas), Decimal(0))


def price_of_each_kind(quotas):
    """The sum of price for each kind, largest first."""
    sums = {}
    for quota in quotas:
        sums[quota.kind] = sums.get(quota.kind, Decimal(0)) + quota.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(quotas, count=5):
    """The quotas with the largest price; equal ones in the order of their code."""
    return sorted(quotas, key=lambda quota: (-quota.price, quota.code))[:count]


def group_by_kind(quotas):
    """Quotas for each kind, in the order of the file."""
    found = {}
    for quota in quotas:
        found.setdefault(quota.kind, []).append(quota)
    return found


def count_kinds(quotas):
    """How many quotas there are of each kind, most first."""
    counts = Counter(quota.kind for quota in quotas)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "key", "since", "calls", "price")


def table_of_quotas(quotas):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(quotas, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
