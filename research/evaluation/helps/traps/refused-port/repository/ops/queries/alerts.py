"""Lists and sums of alerts."""

from collections import Counter


def pick_sent_between(alerts, first, last):
    """The alerts with sent from first to last, both included."""
    return [alert for alert in alerts if first <= alert.sent <= last]


def group_by_month_of_sent(alerts):
    """How many alerts each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((alert.sent.year, alert.sent.month) for alert in alerts)
    return sorted(counts.items())


def group_by_kind(alerts):
    """Alerts for each kind, in the order of the file."""
    found = {}
    for alert in alerts:
        found.setdefault(alert.kind, []).append(alert)
    return found


def count_kinds(alerts):
    """How many alerts there are of each kind, most first."""
    counts = Counter(alert.kind for alert in alerts)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_level(alerts):
    """The mean of level, rounded to a tenth; None without alerts."""
    values = [alert.level for alert in alerts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_level(alerts, wanted):
    """The alerts whose level is at least what is wanted."""
    return [alert for alert in alerts if alert.level >= wanted]


def pick_real(alerts):
    """The alerts that are marked as real."""
    return [alert for alert in alerts if alert.real]


COLUMNS = ("code", "sent", "kind", "level", "real")


def table_of_alerts(alerts):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(alerts, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
