"""Lists and sums of keys."""

from collections import Counter


def pick_given_between(keys, first, last):
    """The keys with given from first to last, both included."""
    return [key for key in keys if first <= key.given <= last]


def group_by_month_of_given(keys):
    """How many keys each month has, by given: (2024, 5) is May 2024."""
    counts = Counter((key.given.year, key.given.month) for key in keys)
    return sorted(counts.items())


def pick_ends_between(keys, first, last):
    """The keys with ends from first to last, both included."""
    return [key for key in keys if first <= key.ends <= last]


def group_by_month_of_ends(keys):
    """How many keys each month has, by ends: (2024, 5) is May 2024."""
    counts = Counter((key.ends.year, key.ends.month) for key in keys)
    return sorted(counts.items())


def mean_uses(keys):
    """The mean of uses, rounded to a tenth; None without keys."""
    values = [key.uses for key in keys]
    return round(sum(values) / len(values), 1) if values else None


def at_least_uses(keys, wanted):
    """The keys whose uses is at least what is wanted."""
    return [key for key in keys if key.uses >= wanted]


def group_by_kind(keys):
    """Keys for each kind, in the order of the file."""
    found = {}
    for key in keys:
        found.setdefault(key.kind, []).append(key)
    return found


def count_kinds(keys):
    """How many keys there are of each kind, most first."""
    counts = Counter(key.kind for key in keys)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_blocked(keys):
    """The keys that are marked as blocked."""
    return [key for key in keys if key.blocked]


COLUMNS = ("code", "given", "ends", "uses", "kind")


def table_of_keys(keys):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(keys, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
