"""Lists and sums of outages."""

from collections import Counter


def pick_seen_between(outages, first, last):
    """The outages with seen from first to last, both included."""
    return [outage for outage in outages if first <= outage.seen <= last]


def group_by_month_of_seen(outages):
    """How many outages each month has, by seen: (2024, 5) is May 2024."""
    counts = Counter((outage.seen.year, outage.seen.month) for outage in outages)
    return sorted(counts.items())


def mean_minutes(outages):
    """The mean of minutes, rounded to a tenth; None without outages."""
    values = [outage.minutes for outage in outages]
    return round(sum(values) / len(values), 1) if values else None


def at_least_minutes(outages, wanted):
    """The outages whose minutes is at least what is wanted."""
    return [outage for outage in outages if outage.minutes >= wanted]


def group_by_why(outages):
    """Outages for each why, in the order of the file."""
    found = {}
    for outage in outages:
        found.setdefault(outage.why, []).append(outage)
    return found


def count_whys(outages):
    """How many outages there are of each why, most first."""
    counts = Counter(outage.why for outage in outages)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def with_remark(outages):
    """The outages that have a remark."""
    return [outage for outage in outages if outage.remark]


COLUMNS = ("code", "seen", "minutes", "why")


def table_of_outages(outages):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(outages, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
