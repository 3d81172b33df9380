"""Lists and sums of evenings."""

from collections import Counter
from decimal import Decimal


def search_title(evenings, part):
    """The evenings whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [evening for evening in evenings if all(word in evening.title.lower() for word in wanted)]


def find_held_between(evenings, first, last):
    """The evenings with held from first to last, both included."""
    return [evening for evening in evenings if first <= evening.held <= last]


def by_month_of_held(evenings):
    """How many evenings each month has, by held: (2024, 5) is May 2024."""
    counts = Counter((evening.held.year, evening.held.month) for evening in evenings)
    return sorted(counts.items())


def mean_seats(evenings):
    """The mean of seats, rounded to a tenth; None without evenings."""
    values = [evening.seats for evening in evenings]
    return round(sum(values) / len(values), 1) if values else None


def at_least_seats(evenings, wanted):
    """The evenings whose seats is at least what is wanted."""
    return [evening for evening in evenings if evening.seats >= wanted]


def mean_guests(evenings):
    """The mean of guests, rounded to a tenth; None without evenings."""
    values = [evening.guests for evening in evenings]
    return round(sum(values) / len(values), 1) if values else None


def at_least_guests(evenings, wanted):
    """The evenings whose guests is at least what is wanted."""
    return [evening for evening in evenings if evening.guests >= wanted]


def total_entry(evenings):
    """The sum of entry."""
    return sum((evening.entry for evening in evenings), Decimal(0))


def entry_of_each_kind(evenings):
    """The sum of entry for each kind, largest first."""
    sums = {}
    for evening in evenings:
        sums[evening.kind] = sums.get(evening.kind, Decimal(0)) + evening.entry
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_entry(evenings, count=5):
    """The evenings with the largest entry; equal ones in the order of their code."""
    return sorted(evenings, key=lambda evening: (-evening.entry, evening.code))[:count]


def by_kind(evenings):
    """Evenings for each kind, in the order of the file."""
    found = {}
    for evening in evenings:
        found.setdefault(evening.kind, []).append(evening)
    return found


def count_kinds(evenings):
    """How many evenings there are of each kind, most first."""
    counts = Counter(evening.kind for evening in evenings)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_full(evenings):
    """The evenings that are marked as full."""
    return [evening for evening in evenings if evening.full]


COLUMNS = ("code", "title", "held", "seats", "guests")


def table_of_evenings(evenings):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(evenings, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
