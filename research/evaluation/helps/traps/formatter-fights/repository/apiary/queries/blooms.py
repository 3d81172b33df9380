"""Lists and sums of blooms."""

from collections import Counter


def search_plant(blooms, part):
    """The blooms whose plant has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [bloom for bloom in blooms if all(word in bloom.plant.lower() for word in wanted)]


def pick_from_day_between(blooms, first, last):
    """The blooms with from day from first to last, both included."""
    return [bloom for bloom in blooms if first <= bloom.from_day <= last]


def group_by_month_of_from_day(blooms):
    """How many blooms each month has, by from day: (2024, 5) is May 2024."""
    counts = Counter((bloom.from_day.year, bloom.from_day.month) for bloom in blooms)
    return sorted(counts.items())


def pick_until_day_between(blooms, first, last):
    """The blooms with until day from first to last, both included."""
    return [bloom for bloom in blooms if first <= bloom.until_day <= last]


def group_by_month_of_until_day(blooms):
    """How many blooms each month has, by until day: (2024, 5) is May 2024."""
    counts = Counter((bloom.until_day.year, bloom.until_day.month) for bloom in blooms)
    return sorted(counts.items())


def group_by_kind(blooms):
    """Blooms for each kind, in the order of the file."""
    found = {}
    for bloom in blooms:
        found.setdefault(bloom.kind, []).append(bloom)
    return found


def count_kinds(blooms):
    """How many blooms there are of each kind, most first."""
    counts = Counter(bloom.kind for bloom in blooms)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_nectar(blooms):
    """The mean of nectar, rounded to a tenth; None without blooms."""
    values = [bloom.nectar for bloom in blooms]
    return round(sum(values) / len(values), 1) if values else None


def at_least_nectar(blooms, wanted):
    """The blooms whose nectar is at least what is wanted."""
    return [bloom for bloom in blooms if bloom.nectar >= wanted]


def mean_pollen(blooms):
    """The mean of pollen, rounded to a tenth; None without blooms."""
    values = [bloom.pollen for bloom in blooms]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pollen(blooms, wanted):
    """The blooms whose pollen is at least what is wanted."""
    return [bloom for bloom in blooms if bloom.pollen >= wanted]


COLUMNS = ("code", "plant", "from_day", "until_day", "kind")


def table_of_blooms(blooms):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(blooms, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
