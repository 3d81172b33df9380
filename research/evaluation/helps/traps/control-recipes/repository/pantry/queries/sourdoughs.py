"""Lists and sums of sourdoughs."""

from collections import Counter


def search_label(sourdoughs, part):
    """The sourdoughs whose label has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [sourdough for sourdough in sourdoughs if all(word in sourdough.label.lower() for word in wanted)]


def pick_begun_between(sourdoughs, first, last):
    """The sourdoughs with begun from first to last, both included."""
    return [sourdough for sourdough in sourdoughs if first <= sourdough.begun <= last]


def group_by_month_of_begun(sourdoughs):
    """How many sourdoughs each month has, by begun: (2024, 5) is May 2024."""
    counts = Counter((sourdough.begun.year, sourdough.begun.month) for sourdough in sourdoughs)
    return sorted(counts.items())


def pick_fed_between(sourdoughs, first, last):
    """The sourdoughs with fed from first to last, both included."""
    return [sourdough for sourdough in sourdoughs if first <= sourdough.fed <= last]


def group_by_month_of_fed(sourdoughs):
    """How many sourdoughs each month has, by fed: (2024, 5) is May 2024."""
    counts = Counter((sourdough.fed.year, sourdough.fed.month) for sourdough in sourdoughs)
    return sorted(counts.items())


def group_by_flour(sourdoughs):
    """Sourdoughs for each flour, in the order of the file."""
    found = {}
    for sourdough in sourdoughs:
        found.setdefault(sourdough.flour, []).append(sourdough)
    return found


def count_flours(sourdoughs):
    """How many sourdoughs there are of each flour, most first."""
    counts = Counter(sourdough.flour for sourdough in sourdoughs)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_grams(sourdoughs):
    """The mean of grams, rounded to a tenth; None without sourdoughs."""
    values = [sourdough.grams for sourdough in sourdoughs]
    return round(sum(values) / len(values), 1) if values else None


def at_least_grams(sourdoughs, wanted):
    """The sourdoughs whose grams is at least what is wanted."""
    return [sourdough for sourdough in sourdoughs if sourdough.grams >= wanted]


COLUMNS = ("code", "label", "begun", "fed", "flour")


def table_of_sourdoughs(sourdoughs):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(sourdoughs, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
