"""Lists and sums of lamps."""

from collections import Counter


def search_place(lamps, part):
    """The lamps whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [lamp for lamp in lamps if all(word in lamp.place.lower() for word in wanted)]


def find_fitted_between(lamps, first, last):
    """The lamps with fitted from first to last, both included."""
    return [lamp for lamp in lamps if first <= lamp.fitted <= last]


def by_month_of_fitted(lamps):
    """How many lamps each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((lamp.fitted.year, lamp.fitted.month) for lamp in lamps)
    return sorted(counts.items())


def mean_watts(lamps):
    """The mean of watts, rounded to a tenth; None without lamps."""
    values = [lamp.watts for lamp in lamps]
    return round(sum(values) / len(values), 1) if values else None


def at_least_watts(lamps, wanted):
    """The lamps whose watts is at least what is wanted."""
    return [lamp for lamp in lamps if lamp.watts >= wanted]


def by_socket(lamps):
    """Lamps for each socket, in the order of the file."""
    found = {}
    for lamp in lamps:
        found.setdefault(lamp.socket, []).append(lamp)
    return found


def count_sockets(lamps):
    """How many lamps there are of each socket, most first."""
    counts = Counter(lamp.socket for lamp in lamps)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_broken(lamps):
    """The lamps that are marked as broken."""
    return [lamp for lamp in lamps if lamp.broken]


COLUMNS = ("code", "place", "fitted", "watts", "socket")


def table_of_lamps(lamps):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(lamps, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
