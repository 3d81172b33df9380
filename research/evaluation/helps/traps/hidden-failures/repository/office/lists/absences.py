"""Lists and sums of absences."""

from collections import Counter


def find_first_between(absences, first, last):
    """The absences with first from first to last, both included."""
    return [absence for absence in absences if first <= absence.first <= last]


def by_month_of_first(absences):
    """How many absences each month has, by first: (2024, 5) is May 2024."""
    counts = Counter((absence.first.year, absence.first.month) for absence in absences)
    return sorted(counts.items())


def find_last_between(absences, first, last):
    """The absences with last from first to last, both included."""
    return [absence for absence in absences if first <= absence.last <= last]


def by_month_of_last(absences):
    """How many absences each month has, by last: (2024, 5) is May 2024."""
    counts = Counter((absence.last.year, absence.last.month) for absence in absences)
    return sorted(counts.items())


def by_why(absences):
    """Absences for each why, in the order of the file."""
    found = {}
    for absence in absences:
        found.setdefault(absence.why, []).append(absence)
    return found


def count_whys(absences):
    """How many absences there are of each why, most first."""
    counts = Counter(absence.why for absence in absences)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_half(absences):
    """The absences that are marked as half."""
    return [absence for absence in absences if absence.half]


COLUMNS = ("code", "first", "last", "why", "half")


def table_of_absences(absences):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(absences, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
