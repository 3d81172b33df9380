"""Lists and sums of printers."""

from collections import Counter


def search_place(printers, part):
    """The printers whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [printer for printer in printers if all(word in printer.place.lower() for word in wanted)]


def select_fitted_between(printers, first, last):
    """The printers with fitted from first to last, both included."""
    return [printer for printer in printers if first <= printer.fitted <= last]


def per_month_of_fitted(printers):
    """How many printers each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((printer.fitted.year, printer.fitted.month) for printer in printers)
    return sorted(counts.items())


def per_kind(printers):
    """Printers for each kind, in the order of the file."""
    found = {}
    for printer in printers:
        found.setdefault(printer.kind, []).append(printer)
    return found


def count_kinds(printers):
    """How many printers there are of each kind, most first."""
    counts = Counter(printer.kind for printer in printers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_jams(printers):
    """The mean of jams, rounded to a tenth; None without printers."""
    values = [printer.jams for printer in printers]
    return round(sum(values) / len(values), 1) if values else None


def at_least_jams(printers, wanted):
    """The printers whose jams is at least what is wanted."""
    return [printer for printer in printers if printer.jams >= wanted]


def select_lent(printers):
    """The printers that are marked as lent."""
    return [printer for printer in printers if printer.lent]


COLUMNS = ("code", "place", "fitted", "kind", "jams")


def table_of_printers(printers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(printers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
