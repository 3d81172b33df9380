"""Lists and sums of reports."""

from collections import Counter


def pick_sent_between(reports, first, last):
    """The reports with sent from first to last, both included."""
    return [report for report in reports if first <= report.sent <= last]


def group_by_month_of_sent(reports):
    """How many reports each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((report.sent.year, report.sent.month) for report in reports)
    return sorted(counts.items())


def group_by_kind(reports):
    """Reports for each kind, in the order of the file."""
    found = {}
    for report in reports:
        found.setdefault(report.kind, []).append(report)
    return found


def count_kinds(reports):
    """How many reports there are of each kind, most first."""
    counts = Counter(report.kind for report in reports)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_entries(reports):
    """The mean of entries, rounded to a tenth; None without reports."""
    values = [report.entries for report in reports]
    return round(sum(values) / len(values), 1) if values else None


def at_least_entries(reports, wanted):
    """The reports whose entries is at least what is wanted."""
    return [report for report in reports if report.entries >= wanted]


def pick_done(reports):
    """The reports that are marked as done."""
    return [report for report in reports if report.done]


def with_remark(reports):
    """The reports that have a remark."""
    return [report for report in reports if report.remark]


COLUMNS = ("code", "sent", "kind", "entries", "done")


def table_of_reports(reports):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(reports, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
