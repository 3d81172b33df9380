"""Lists and sums of shelves."""

from collections import Counter
from decimal import Decimal


def search_label(shelves, part):
    """The shelves whose label has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [shelf for shelf in shelves if all(word in shelf.label.lower() for word in wanted)]


def by_wall(shelves):
    """Shelves for each wall, in the order of the file."""
    found = {}
    for shelf in shelves:
        found.setdefault(shelf.wall, []).append(shelf)
    return found


def count_walls(shelves):
    """How many shelves there are of each wall, most first."""
    counts = Counter(shelf.wall for shelf in shelves)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def total_metres(shelves):
    """The sum of metres."""
    return sum((shelf.metres for shelf in shelves), Decimal(0))


def metres_of_each_wall(shelves):
    """The sum of metres for each wall, largest first."""
    sums = {}
    for shelf in shelves:
        sums[shelf.wall] = sums.get(shelf.wall, Decimal(0)) + shelf.metres
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_metres(shelves, count=5):
    """The shelves with the largest metres; equal ones in the order of their code."""
    return sorted(shelves, key=lambda shelf: (-shelf.metres, shelf.code))[:count]


def mean_boards(shelves):
    """The mean of boards, rounded to a tenth; None without shelves."""
    values = [shelf.boards for shelf in shelves]
    return round(sum(values) / len(values), 1) if values else None


def at_least_boards(shelves, wanted):
    """The shelves whose boards is at least what is wanted."""
    return [shelf for shelf in shelves if shelf.boards >= wanted]


def find_dusted_between(shelves, first, last):
    """The shelves with dusted from first to last, both included."""
    return [shelf for shelf in shelves if first <= shelf.dusted <= last]


def by_month_of_dusted(shelves):
    """How many shelves each month has, by dusted: (2024, 5) is May 2024."""
    counts = Counter((shelf.dusted.year, shelf.dusted.month) for shelf in shelves)
    return sorted(counts.items())


COLUMNS = ("code", "label", "wall", "metres", "boards")


def table_of_shelves(shelves):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(shelves, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
