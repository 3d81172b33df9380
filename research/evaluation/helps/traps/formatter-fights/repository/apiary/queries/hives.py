"""Lists and sums of hives."""

from collections import Counter


def search_place(hives, part):
    """The hives whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [hive for hive in hives if all(word in hive.place.lower() for word in wanted)]


def pick_since_between(hives, first, last):
    """The hives with since from first to last, both included."""
    return [hive for hive in hives if first <= hive.since <= last]


def group_by_month_of_since(hives):
    """How many hives each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((hive.since.year, hive.since.month) for hive in hives)
    return sorted(counts.items())


def mean_boxes(hives):
    """The mean of boxes, rounded to a tenth; None without hives."""
    values = [hive.boxes for hive in hives]
    return round(sum(values) / len(values), 1) if values else None


def at_least_boxes(hives, wanted):
    """The hives whose boxes is at least what is wanted."""
    return [hive for hive in hives if hive.boxes >= wanted]


def group_by_kind(hives):
    """Hives for each kind, in the order of the file."""
    found = {}
    for hive in hives:
        found.setdefault(hive.kind, []).append(hive)
    return found


def count_kinds(hives):
    """How many hives there are of each kind, most first."""
    counts = Counter(hive.kind for hive in hives)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_sold(hives):
    """The hives that are marked as sold."""
    return [hive for hive in hives if hive.sold]


def with_remark(hives):
    """The hives that have a remark."""
    return [hive for hive in hives if hive.remark]


COLUMNS = ("code", "place", "since", "boxes", "kind")


def table_of_hives(hives):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(hives, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
