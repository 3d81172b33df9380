"""Lists and sums of invoices."""

from collections import Counter
from decimal import Decimal


def by_project(invoices):
    """Invoices for each project, in the order of the file."""
    found = {}
    for invoice in invoices:
        found.setdefault(invoice.project, []).append(invoice)
    return found


def find_sent_between(invoices, first, last):
    """The invoices with sent from first to last, both included."""
    return [invoice for invoice in invoices if first <= invoice.sent <= last]


def by_month_of_sent(invoices):
    """How many invoices each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((invoice.sent.year, invoice.sent.month) for invoice in invoices)
    return sorted(counts.items())


def find_due_between(invoices, first, last):
    """The invoices with due from first to last, both included."""
    return [invoice for invoice in invoices if first <= invoice.due <= last]


def by_month_of_due(invoices):
    """How many invoices each month has, by due: (2024, 5) is May 2024."""
    counts = Counter((invoice.due.year, invoice.due.month) for invoice in invoices)
    return sorted(counts.items())


def total_net(invoices):
    """The sum of net."""
    return sum((invoice.net for invoice in invoices), Decimal(0))


def net_of_each_state(invoices):
    """The sum of net for each state, largest first."""
    sums = {}
    for invoice in invoices:
        sums[invoice.state] = sums.get(invoice.state, Decimal(0)) + invoice.net
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_net(invoices, count=5):
    """The invoices with the largest net; equal ones in the order of their code."""
    return sorted(invoices, key=lambda invoice: (-invoice.net, invoice.code))[:count]


def by_state(invoices):
    """Invoices for each state, in the order of the file."""
    found = {}
    for invoice in invoices:
        found.setdefault(invoice.state, []).append(invoice)
    return found


def count_states(invoices):
    """How many invoices there are of each state, most first."""
    counts = Counter(invoice.state for invoice in invoices)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "project", "sent", "due", "net")


def table_of_invoices(invoices):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(invoices, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
