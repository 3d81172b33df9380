"""Lists and sums of sacks."""

from collections import Counter


def search_label(sacks, part):
    """The sacks whose label has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [sack for sack in sacks if all(word in sack.label.lower() for word in wanted)]


def select_bought_between(sacks, first, last):
    """The sacks with bought from first to last, both included."""
    return [sack for sack in sacks if first <= sack.bought <= last]


def per_month_of_bought(sacks):
    """How many sacks each month has, by bought: (2024, 5) is May 2024."""
    counts = Counter((sack.bought.year, sack.bought.month) for sack in sacks)
    return sorted(counts.items())


def per_size(sacks):
    """Sacks for each size, in the order of the file."""
    found = {}
    for sack in sacks:
        found.setdefault(sack.size, []).append(sack)
    return found


def count_sizes(sacks):
    """How many sacks there are of each size, most first."""
    counts = Counter(sack.size for sack in sacks)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_trips(sacks):
    """The mean of trips, rounded to a tenth; None without sacks."""
    values = [sack.trips for sack in sacks]
    return round(sum(values) / len(values), 1) if values else None


def at_least_trips(sacks, wanted):
    """The sacks whose trips is at least what is wanted."""
    return [sack for sack in sacks if sack.trips >= wanted]


def select_torn(sacks):
    """The sacks that are marked as torn."""
    return [sack for sack in sacks if sack.torn]


COLUMNS = ("code", "label", "bought", "size", "trips")


def table_of_sacks(sacks):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(sacks, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
