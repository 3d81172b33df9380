"""Lists and sums of deploys."""

from collections import Counter


def pick_day_between(deploys, first, last):
    """The deploys with day from first to last, both included."""
    return [deploy for deploy in deploys if first <= deploy.day <= last]


def group_by_month_of_day(deploys):
    """How many deploys each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((deploy.day.year, deploy.day.month) for deploy in deploys)
    return sorted(counts.items())


def mean_parts(deploys):
    """The mean of parts, rounded to a tenth; None without deploys."""
    values = [deploy.parts for deploy in deploys]
    return round(sum(values) / len(values), 1) if values else None


def at_least_parts(deploys, wanted):
    """The deploys whose parts is at least what is wanted."""
    return [deploy for deploy in deploys if deploy.parts >= wanted]


def mean_minutes(deploys):
    """The mean of minutes, rounded to a tenth; None without deploys."""
    values = [deploy.minutes for deploy in deploys]
    return round(sum(values) / len(values), 1) if values else None


def at_least_minutes(deploys, wanted):
    """The deploys whose minutes is at least what is wanted."""
    return [deploy for deploy in deploys if deploy.minutes >= wanted]


def group_by_end(deploys):
    """Deploys for each end, in the order of the file."""
    found = {}
    for deploy in deploys:
        found.setdefault(deploy.end, []).append(deploy)
    return found


def count_ends(deploys):
    """How many deploys there are of each end, most first."""
    counts = Counter(deploy.end for deploy in deploys)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "day", "parts", "minutes", "end")


def table_of_deploys(deploys):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(deploys, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
