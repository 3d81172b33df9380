"""Lists and sums of herbs."""

from collections import Counter


def search_what(herbs, part):
    """The herbs whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [herb for herb in herbs if all(word in herb.what.lower() for word in wanted)]


def pick_sown_between(herbs, first, last):
    """The herbs with sown from first to last, both included."""
    return [herb for herb in herbs if first <= herb.sown <= last]


def group_by_month_of_sown(herbs):
    """How many herbs each month has, by sown: (2024, 5) is May 2024."""
    counts = Counter((herb.sown.year, herb.sown.month) for herb in herbs)
    return sorted(counts.items())


def mean_pots(herbs):
    """The mean of pots, rounded to a tenth; None without herbs."""
    values = [herb.pots for herb in herbs]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pots(herbs, wanted):
    """The herbs whose pots is at least what is wanted."""
    return [herb for herb in herbs if herb.pots >= wanted]


def group_by_state(herbs):
    """Herbs for each state, in the order of the file."""
    found = {}
    for herb in herbs:
        found.setdefault(herb.state, []).append(herb)
    return found


def count_states(herbs):
    """How many herbs there are of each state, most first."""
    counts = Counter(herb.state for herb in herbs)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def group_by_place(herbs):
    """Herbs for each place, in the order of the file."""
    found = {}
    for herb in herbs:
        found.setdefault(herb.place, []).append(herb)
    return found


COLUMNS = ("code", "what", "sown", "pots", "state")


def table_of_herbs(herbs):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(herbs, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
