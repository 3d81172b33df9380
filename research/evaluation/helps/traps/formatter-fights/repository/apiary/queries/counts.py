"""Lists and sums of counts."""

from collections import Counter


def group_by_hive(counts):
    """Counts for each hive, in the order of the file."""
    found = {}
    for mite_count in counts:
        found.setdefault(mite_count.hive, []).append(mite_count)
    return found


def pick_counted_between(counts, first, last):
    """The counts with counted from first to last, both included."""
    return [mite_count for mite_count in counts if first <= mite_count.counted <= last]


def group_by_month_of_counted(counts):
    """How many counts each month has, by counted: (2024, 5) is May 2024."""
    counts = Counter((mite_count.counted.year, mite_count.counted.month) for mite_count in counts)
    return sorted(counts.items())


def mean_days(counts):
    """The mean of days, rounded to a tenth; None without counts."""
    values = [mite_count.days for mite_count in counts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_days(counts, wanted):
    """The counts whose days is at least what is wanted."""
    return [mite_count for mite_count in counts if mite_count.days >= wanted]


def mean_mites(counts):
    """The mean of mites, rounded to a tenth; None without counts."""
    values = [mite_count.mites for mite_count in counts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_mites(counts, wanted):
    """The counts whose mites is at least what is wanted."""
    return [mite_count for mite_count in counts if mite_count.mites >= wanted]


def pick_treated(counts):
    """The counts that are marked as treated."""
    return [mite_count for mite_count in counts if mite_count.treated]


COLUMNS = ("code", "hive", "counted", "days", "mites")


def table_of_counts(counts):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(counts, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
