"""Lists and sums of vouchers."""

from collections import Counter
from decimal import Decimal


def select_sold_between(vouchers, first, last):
    """The vouchers with sold from first to last, both included."""
    return [voucher for voucher in vouchers if first <= voucher.sold <= last]


def per_month_of_sold(vouchers):
    """How many vouchers each month has, by sold: (2024, 5) is May 2024."""
    counts = Counter((voucher.sold.year, voucher.sold.month) for voucher in vouchers)
    return sorted(counts.items())


def select_ends_between(vouchers, first, last):
    """The vouchers with ends from first to last, both included."""
    return [voucher for voucher in vouchers if first <= voucher.ends <= last]


def per_month_of_ends(vouchers):
    """How many vouchers each month has, by ends: (2024, 5) is May 2024."""
    counts = Counter((voucher.ends.year, voucher.ends.month) for voucher in vouchers)
    return sorted(counts.items())


def add_up_worth(vouchers):
    """The sum of worth."""
    return sum((voucher.worth for voucher in vouchers), Decimal(0))


def worth_of_each_kind(vouchers):
    """The sum of worth for each kind, largest first."""
    sums = {}
    for voucher in vouchers:
        sums[voucher.kind] = sums.get(voucher.kind, Decimal(0)) + voucher.worth
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_worth(vouchers, count=5):
    """The vouchers with the largest worth; equal ones in the order of their code."""
    return sorted(vouchers, key=lambda voucher: (-voucher.worth, voucher.code))[:count]


def select_used(vouchers):
    """The vouchers that are marked as used."""
    return [voucher for voucher in vouchers if voucher.used]


def per_kind(vouchers):
    """Vouchers for each kind, in the order of the file."""
    found = {}
    for voucher in vouchers:
        found.setdefault(voucher.kind, []).append(voucher)
    return found


def count_kinds(vouchers):
    """How many vouchers there are of each kind, most first."""
    counts = Counter(voucher.kind for voucher in vouchers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "sold", "ends", "worth", "used")


def table_of_vouchers(vouchers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(vouchers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
