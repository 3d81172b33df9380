"""Lists and sums of mails."""

from collections import Counter
from decimal import Decimal


def pick_sent_between(mails, first, last):
    """The mails with sent from first to last, both included."""
    return [mail for mail in mails if first <= mail.sent <= last]


def group_by_month_of_sent(mails):
    """How many mails each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((mail.sent.year, mail.sent.month) for mail in mails)
    return sorted(counts.items())


def group_by_kind(mails):
    """Mails for each kind, in the order of the file."""
    found = {}
    for mail in mails:
        found.setdefault(mail.kind, []).append(mail)
    return found


def count_kinds(mails):
    """How many mails there are of each kind, most first."""
    counts = Counter(mail.kind for mail in mails)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_pieces(mails):
    """The mean of pieces, rounded to a tenth; None without mails."""
    values = [mail.pieces for mail in mails]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(mails, wanted):
    """The mails whose pieces is at least what is wanted."""
    return [mail for mail in mails if mail.pieces >= wanted]


def mean_bounced(mails):
    """The mean of bounced, rounded to a tenth; None without mails."""
    values = [mail.bounced for mail in mails]
    return round(sum(values) / len(values), 1) if values else None


def at_least_bounced(mails, wanted):
    """The mails whose bounced is at least what is wanted."""
    return [mail for mail in mails if mail.bounced >= wanted]


def sum_of_cost(mails):
    """The sum of cost."""
    return sum((mail.cost for mail in mails), Decimal(0))


def cost_of_each_kind(mails):
    """The sum of cost for each kind, largest first."""
    sums = {}
    for mail in mails:
        sums[mail.kind] = sums.get(mail.kind, Decimal(0)) + mail.cost
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_cost(mails, count=5):
    """The mails with the largest cost; equal ones in the order of their code."""
    return sorted(mails, key=lambda mail: (-mail.cost, mail.code))[:count]


COLUMNS = ("code", "sent", "kind", "pieces", "bounced")


def table_of_mails(mails):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(mails, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
