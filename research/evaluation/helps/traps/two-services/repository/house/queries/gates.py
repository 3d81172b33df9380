"""Lists and sums of gates."""

from collections import Counter


def search_place(gates, part):
    """The gates whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [gate for gate in gates if all(word in gate.place.lower() for word in wanted)]


def pick_checked_between(gates, first, last):
    """The gates with checked from first to last, both included."""
    return [gate for gate in gates if first <= gate.checked <= last]


def group_by_month_of_checked(gates):
    """How many gates each month has, by checked: (2024, 5) is May 2024."""
    counts = Counter((gate.checked.year, gate.checked.month) for gate in gates)
    return sorted(counts.items())


def mean_passes(gates):
    """The mean of passes, rounded to a tenth; None without gates."""
    values = [gate.passes for gate in gates]
    return round(sum(values) / len(values), 1) if values else None


def at_least_passes(gates, wanted):
    """The gates whose passes is at least what is wanted."""
    return [gate for gate in gates if gate.passes >= wanted]


def mean_jams(gates):
    """The mean of jams, rounded to a tenth; None without gates."""
    values = [gate.jams for gate in gates]
    return round(sum(values) / len(values), 1) if values else None


def at_least_jams(gates, wanted):
    """The gates whose jams is at least what is wanted."""
    return [gate for gate in gates if gate.jams >= wanted]


def group_by_kind(gates):
    """Gates for each kind, in the order of the file."""
    found = {}
    for gate in gates:
        found.setdefault(gate.kind, []).append(gate)
    return found


def count_kinds(gates):
    """How many gates there are of each kind, most first."""
    counts = Counter(gate.kind for gate in gates)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "place", "checked", "passes", "jams")


def table_of_gates(gates):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(gates, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
