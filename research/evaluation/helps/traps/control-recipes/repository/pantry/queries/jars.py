"""Lists and sums of jars."""

from collections import Counter


def search_what(jars, part):
    """The jars whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [jar for jar in jars if all(word in jar.what.lower() for word in wanted)]


def pick_filled_between(jars, first, last):
    """The jars with filled from first to last, both included."""
    return [jar for jar in jars if first <= jar.filled <= last]


def group_by_month_of_filled(jars):
    """How many jars each month has, by filled: (2024, 5) is May 2024."""
    counts = Counter((jar.filled.year, jar.filled.month) for jar in jars)
    return sorted(counts.items())


def pick_best_until_between(jars, first, last):
    """The jars with best until from first to last, both included."""
    return [jar for jar in jars if first <= jar.best_until <= last]


def group_by_month_of_best_until(jars):
    """How many jars each month has, by best until: (2024, 5) is May 2024."""
    counts = Counter((jar.best_until.year, jar.best_until.month) for jar in jars)
    return sorted(counts.items())


def mean_grams(jars):
    """The mean of grams, rounded to a tenth; None without jars."""
    values = [jar.grams for jar in jars]
    return round(sum(values) / len(values), 1) if values else None


def at_least_grams(jars, wanted):
    """The jars whose grams is at least what is wanted."""
    return [jar for jar in jars if jar.grams >= wanted]


def group_by_kind(jars):
    """Jars for each kind, in the order of the file."""
    found = {}
    for jar in jars:
        found.setdefault(jar.kind, []).append(jar)
    return found


def count_kinds(jars):
    """How many jars there are of each kind, most first."""
    counts = Counter(jar.kind for jar in jars)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_opened(jars):
    """The jars that are marked as opened."""
    return [jar for jar in jars if jar.opened]


COLUMNS = ("code", "what", "filled", "best_until", "grams")


def table_of_jars(jars):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(jars, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
