"""Lists and sums of tills."""

from collections import Counter


def search_place(tills, part):
    """The tills whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [till for till in tills if all(word in till.place.lower() for word in wanted)]


def select_fitted_between(tills, first, last):
    """The tills with fitted from first to last, both included."""
    return [till for till in tills if first <= till.fitted <= last]


def per_month_of_fitted(tills):
    """How many tills each month has, by fitted: (2024, 5) is May 2024."""
    counts = Counter((till.fitted.year, till.fitted.month) for till in tills)
    return sorted(counts.items())


def mean_drawers(tills):
    """The mean of drawers, rounded to a tenth; None without tills."""
    values = [till.drawers for till in tills]
    return round(sum(values) / len(values), 1) if values else None


def at_least_drawers(tills, wanted):
    """The tills whose drawers is at least what is wanted."""
    return [till for till in tills if till.drawers >= wanted]


def per_kind(tills):
    """Tills for each kind, in the order of the file."""
    found = {}
    for till in tills:
        found.setdefault(till.kind, []).append(till)
    return found


def count_kinds(tills):
    """How many tills there are of each kind, most first."""
    counts = Counter(till.kind for till in tills)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_errors(tills):
    """The mean of errors, rounded to a tenth; None without tills."""
    values = [till.errors for till in tills]
    return round(sum(values) / len(values), 1) if values else None


def at_least_errors(tills, wanted):
    """The tills whose errors is at least what is wanted."""
    return [till for till in tills if till.errors >= wanted]


COLUMNS = ("code", "place", "fitted", "drawers", "kind")


def table_of_tills(tills):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(tills, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
