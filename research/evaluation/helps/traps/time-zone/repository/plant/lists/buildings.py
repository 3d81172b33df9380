"""Lists and sums of buildings."""

from collections import Counter
from decimal import Decimal


def search_title(buildings, part):
    """The buildings whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [building for building in buildings if all(word in building.title.lower() for word in wanted)]


def find_since_between(buildings, first, last):
    """The buildings with since from first to last, both included."""
    return [building for building in buildings if first <= building.since <= last]


def by_month_of_since(buildings):
    """How many buildings each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((building.since.year, building.since.month) for building in buildings)
    return sorted(counts.items())


def by_kind(buildings):
    """Buildings for each kind, in the order of the file."""
    found = {}
    for building in buildings:
        found.setdefault(building.kind, []).append(building)
    return found


def count_kinds(buildings):
    """How many buildings there are of each kind, most first."""
    counts = Counter(building.kind for building in buildings)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_rooms(buildings):
    """The mean of rooms, rounded to a tenth; None without buildings."""
    values = [building.rooms for building in buildings]
    return round(sum(values) / len(values), 1) if values else None


def at_least_rooms(buildings, wanted):
    """The buildings whose rooms is at least what is wanted."""
    return [building for building in buildings if building.rooms >= wanted]


def total_floor_area(buildings):
    """The sum of floor area."""
    return sum((building.floor_area for building in buildings), Decimal(0))


def floor_area_of_each_kind(buildings):
    """The sum of floor area for each kind, largest first."""
    sums = {}
    for building in buildings:
        sums[building.kind] = sums.get(building.kind, Decimal(0)) + building.floor_area
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_floor_area(buildings, count=5):
    """The buildings with the largest floor area; equal ones in the order of their code."""
    return sorted(buildings, key=lambda building: (-building.floor_area, building.code))[:count]


def find_heated(buildings):
    """The buildings that are marked as heated."""
    return [building for building in buildings if building.heated]


COLUMNS = ("code", "title", "since", "kind", "rooms")


def table_of_buildings(buildings):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(buildings, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
