"""Lists and sums of bins."""

from collections import Counter


def search_place(bins, part):
    """The bins whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [bin_place for bin_place in bins if all(word in bin_place.place.lower() for word in wanted)]


def find_emptied_between(bins, first, last):
    """The bins with emptied from first to last, both included."""
    return [bin_place for bin_place in bins if first <= bin_place.emptied <= last]


def by_month_of_emptied(bins):
    """How many bins each month has, by emptied: (2024, 5) is May 2024."""
    counts = Counter((bin_place.emptied.year, bin_place.emptied.month) for bin_place in bins)
    return sorted(counts.items())


def mean_litres(bins):
    """The mean of litres, rounded to a tenth; None without bins."""
    values = [bin_place.litres for bin_place in bins]
    return round(sum(values) / len(values), 1) if values else None


def at_least_litres(bins, wanted):
    """The bins whose litres is at least what is wanted."""
    return [bin_place for bin_place in bins if bin_place.litres >= wanted]


def by_kind(bins):
    """Bins for each kind, in the order of the file."""
    found = {}
    for bin_place in bins:
        found.setdefault(bin_place.kind, []).append(bin_place)
    return found


def count_kinds(bins):
    """How many bins there are of each kind, most first."""
    counts = Counter(bin_place.kind for bin_place in bins)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "place", "emptied", "litres", "kind")


def table_of_bins(bins):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(bins, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
