"""Lists and sums of calls."""

from collections import Counter
from decimal import Decimal


def pick_day_between(calls, first, last):
    """The calls with day from first to last, both included."""
    return [call_sum for call_sum in calls if first <= call_sum.day <= last]


def group_by_month_of_day(calls):
    """How many calls each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((call_sum.day.year, call_sum.day.month) for call_sum in calls)
    return sorted(counts.items())


def mean_calls(calls):
    """The mean of calls, rounded to a tenth; None without calls."""
    values = [call_sum.calls for call_sum in calls]
    return round(sum(values) / len(values), 1) if values else None


def at_least_calls(calls, wanted):
    """The calls whose calls is at least what is wanted."""
    return [call_sum for call_sum in calls if call_sum.calls >= wanted]


def mean_errors(calls):
    """The mean of errors, rounded to a tenth; None without calls."""
    values = [call_sum.errors for call_sum in calls]
    return round(sum(values) / len(values), 1) if values else None


def at_least_errors(calls, wanted):
    """The calls whose errors is at least what is wanted."""
    return [call_sum for call_sum in calls if call_sum.errors >= wanted]


def sum_of_seconds(calls):
    """The sum of seconds."""
    return sum((call_sum.seconds for call_sum in calls), Decimal(0))


def seconds_of_each_size(calls):
    """The sum of seconds for each size, largest first."""
    sums = {}
    for call_sum in calls:
        sums[call_sum.size] = sums.get(call_sum.size, Decimal(0)) + call_sum.seconds
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_seconds(calls, count=5):
    """The calls with the largest seconds; equal ones in the order of their code."""
    return sorted(calls, key=lambda call_sum: (-call_sum.seconds, call_sum.code))[:count]


def group_by_size(calls):
    """Calls for each size, in the order of the file."""
    found = {}
    for call_sum in calls:
        found.setdefault(call_sum.size, []).append(call_sum)
    return found


def count_sizes(calls):
    """How many calls there are of each size, most first."""
    counts = Counter(call_sum.size for call_sum in calls)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "day", "calls", "errors", "seconds")


def table_of_calls(calls):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(calls, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
