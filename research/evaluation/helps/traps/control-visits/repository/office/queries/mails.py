"""Lists and sums of mails."""

from collections import Counter


def pick_sent_between(mails, first, last):
    """The mails with sent from first to last, both included."""
    return [mail for mail in mails if first <= mail.sent <= last]


def group_by_month_of_sent(mails):
    """How many mails each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((mail.sent.year, mail.sent.month) for mail in mails)
    return sorted(counts.items())


def pick_answered_between(mails, first, last):
    """The mails with answered from first to last, both included."""
    return [mail for mail in mails if first <= mail.answered <= last]


def group_by_month_of_answered(mails):
    """How many mails each month has, by answered: (2024, 5) is May 2024."""
    counts = Counter((mail.answered.year, mail.answered.month) for mail in mails)
    return sorted(counts.items())


def mean_lines(mails):
    """The mean of lines, rounded to a tenth; None without mails."""
    values = [mail.lines for mail in mails]
    return round(sum(values) / len(values), 1) if values else None


def at_least_lines(mails, wanted):
    """The mails whose lines is at least what is wanted."""
    return [mail for mail in mails if mail.lines >= wanted]


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


def with_remark(mails):
    """The mails that have a remark."""
    return [mail for mail in mails if mail.remark]


COLUMNS = ("code", "sent", "answered", "lines", "kind")


def table_of_mails(mails):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(mails, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
