"""Lists and sums of materials."""

from collections import Counter
from decimal import Decimal


def search_what(materials, part):
    """The materials whose what has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [material for material in materials if all(word in material.what.lower() for word in wanted)]


def by_project(materials):
    """Materials for each project, in the order of the file."""
    found = {}
    for material in materials:
        found.setdefault(material.project, []).append(material)
    return found


def find_used_between(materials, first, last):
    """The materials with used from first to last, both included."""
    return [material for material in materials if first <= material.used <= last]


def by_month_of_used(materials):
    """How many materials each month has, by used: (2024, 5) is May 2024."""
    counts = Counter((material.used.year, material.used.month) for material in materials)
    return sorted(counts.items())


def mean_pieces(materials):
    """The mean of pieces, rounded to a tenth; None without materials."""
    values = [material.pieces for material in materials]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pieces(materials, wanted):
    """The materials whose pieces is at least what is wanted."""
    return [material for material in materials if material.pieces >= wanted]


def total_price(materials):
    """The sum of price."""
    return sum((material.price for material in materials), Decimal(0))


def dearest_price(materials, count=5):
    """The materials with the largest price; equal ones in the order of their code."""
    return sorted(materials, key=lambda material: (-material.price, material.code))[:count]


COLUMNS = ("code", "what", "project", "used", "pieces")


def table_of_materials(materials):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(materials, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
