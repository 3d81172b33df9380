"""Lists and sums of menus."""

from collections import Counter
from decimal import Decimal


def pick_begins_between(menus, first, last):
    """The menus with begins from first to last, both included."""
    return [menu for menu in menus if first <= menu.begins <= last]


def group_by_month_of_begins(menus):
    """How many menus each month has, by begins: (2024, 5) is May 2024."""
    counts = Counter((menu.begins.year, menu.begins.month) for menu in menus)
    return sorted(counts.items())


def mean_dishes(menus):
    """The mean of dishes, rounded to a tenth; None without menus."""
    values = [menu.dishes for menu in menus]
    return round(sum(values) / len(values), 1) if values else None


def at_least_dishes(menus, wanted):
    """The menus whose dishes is at least what is wanted."""
    return [menu for menu in menus if menu.dishes >= wanted]


def sum_of_cost(menus):
    """The sum of cost."""
    return sum((menu.cost for menu in menus), Decimal(0))


def cost_of_each_kind(menus):
    """The sum of cost for each kind, largest first."""
    sums = {}
    for menu in menus:
        sums[menu.kind] = sums.get(menu.kind, Decimal(0)) + menu.cost
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_cost(menus, count=5):
    """The menus with the largest cost; equal ones in the order of their code."""
    return sorted(menus, key=lambda menu: (-menu.cost, menu.code))[:count]


def group_by_kind(menus):
    """Menus for each kind, in the order of the file."""
    found = {}
    for menu in menus:
        found.setdefault(menu.kind, []).append(menu)
    return found


def count_kinds(menus):
    """How many menus there are of each kind, most first."""
    counts = Counter(menu.kind for menu in menus)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "begins", "dishes", "cost", "kind")


def table_of_menus(menus):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(menus, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
