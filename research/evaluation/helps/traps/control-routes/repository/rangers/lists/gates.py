"""Lists and sums of gates."""

from collections import Counter
from decimal import Decimal


def search_place(gates, part):
    """The gates whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [gate for gate in gates if all(word in gate.place.lower() for word in wanted)]


def find_opened_between(gates, first, last):
    """The gates with opened from first to last, both included."""
    return [gate for gate in gates if first <= gate.opened <= last]


def by_month_of_opened(gates):
    """How many gates each month has, by opened: (2024, 5) is May 2024."""
    counts = Counter((gate.opened.year, gate.opened.month) for gate in gates)
    return sorted(counts.items())


def total_hours(gates):
    """The sum of hours."""
    return sum((gate.hours for gate in gates), Decimal(0))


def hours_of_each_kind(gates):
    """The sum of hours for each kind, largest first."""
    sums = {}
    for gate in gates:
        sums[gate.kind] = sums.get(gate.kind, Decimal(0)) + gate.hours
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_hours(gates, count=5):
    """The gates with the largest hours; equal ones in the order of their code."""
    return sorted(gates, key=lambda gate: (-gate.hours, gate.code))[:count]


def by_kind(gates):
    """Gates for each kind, in the order of the file."""
    found = {}
    for gate in gates:
        found.setdefault(gate.kind, []).append(gate)
    return found


def count_kinds(gates):
    """How many gates there are of each kind, most first."""
    counts = Counter(gate.kind for gate in gates)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_locked(gates):
    """The gates that are marked as locked."""
    return [gate for gate in gates if gate.locked]


COLUMNS = ("code", "place", "opened", "hours", "kind")


def table_of_gates(gates):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(gates, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
