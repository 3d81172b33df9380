"""Lists and sums of visits."""

from collections import Counter


def group_by_hive(visits):
    """Visits for each hive, in the order of the file."""
    found = {}
    for visit in visits:
        found.setdefault(visit.hive, []).append(visit)
    return found


def pick_day_between(visits, first, last):
    """The visits with day from first to last, both included."""
    return [visit for visit in visits if first <= visit.day <= last]


def group_by_month_of_day(visits):
    """How many visits each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((visit.day.year, visit.day.month) for visit in visits)
    return sorted(counts.items())


def mean_minutes(visits):
    """The mean of minutes, rounded to a tenth; None without visits."""
    values = [visit.minutes for visit in visits]
    return round(sum(values) / len(values), 1) if values else None


def at_least_minutes(visits, wanted):
    """The visits whose minutes is at least what is wanted."""
    return [visit for visit in visits if visit.minutes >= wanted]


def group_by_state(visits):
    """Visits for each state, in the order of the file."""
    found = {}
    for visit in visits:
        found.setdefault(visit.state, []).append(visit)
    return found


def count_states(visits):
    """How many visits there are of each state, most first."""
    counts = Counter(visit.state for visit in visits)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def with_remark(visits):
    """The visits that have a remark."""
    return [visit for visit in visits if visit.remark]


COLUMNS = ("code", "hive", "day", "minutes", "state")


def table_of_visits(visits):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(visits, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
