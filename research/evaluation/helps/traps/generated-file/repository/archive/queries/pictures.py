"""Lists and sums of pictures."""

from collections import Counter


def pick_added_between(pictures, first, last):
    """The pictures with added from first to last, both included."""
    return [picture for picture in pictures if first <= picture.added <= last]


def group_by_month_of_added(pictures):
    """How many pictures each month has, by added: (2024, 5) is May 2024."""
    counts = Counter((picture.added.year, picture.added.month) for picture in pictures)
    return sorted(counts.items())


def mean_width(pictures):
    """The mean of width, rounded to a tenth; None without pictures."""
    values = [picture.width for picture in pictures]
    return round(sum(values) / len(values), 1) if values else None


def at_least_width(pictures, wanted):
    """The pictures whose width is at least what is wanted."""
    return [picture for picture in pictures if picture.width >= wanted]


def mean_height(pictures):
    """The mean of height, rounded to a tenth; None without pictures."""
    values = [picture.height for picture in pictures]
    return round(sum(values) / len(values), 1) if values else None


def at_least_height(pictures, wanted):
    """The pictures whose height is at least what is wanted."""
    return [picture for picture in pictures if picture.height >= wanted]


def group_by_kind(pictures):
    """Pictures for each kind, in the order of the file."""
    found = {}
    for picture in pictures:
        found.setdefault(picture.kind, []).append(picture)
    return found


def count_kinds(pictures):
    """How many pictures there are of each kind, most first."""
    counts = Counter(picture.kind for picture in pictures)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_shown(pictures):
    """The pictures that are marked as shown."""
    return [picture for picture in pictures if picture.shown]


COLUMNS = ("code", "added", "width", "height", "kind")


def table_of_pictures(pictures):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(pictures, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
