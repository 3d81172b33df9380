"""Weeks that were planned."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pantry.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from pantry.kit.store import Store

KINDS = ("plain", "feast", "quick")


class Menu(NamedTuple):
    """One of the menus, as a line of data/menus.csv has it."""

    code: str
    begins: date
    dishes: int
    cost: Decimal
    kind: str

    @property
    def worth(self):
        """Cost for all of dishes."""
        return self.cost * self.dishes


def parse_menu(row):
    """The menu of a row; BadField names what is wrong in it."""
    found = Menu(
        code=read_code(row, "code", "N"),
        begins=read_day(row, "begins"),
        dishes=read_count(row, "dishes"),
        cost=read_amount(row, "cost"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.dishes < 0:
        raise BadField(f"{found.code}: dishes is below zero")
    return found


def format_menu(menu):
    """The row of a menu, as it is read."""
    return {
        "code": menu.code,
        "begins": menu.begins.isoformat(),
        "dishes": str(menu.dishes),
        "cost": f"{menu.cost:.2f}",
        "kind": menu.kind,
    }


def describe_menu(menu):
    """Lines about a menu for people; what is empty is left out."""
    yield f"code: {menu.code}"
    yield f"begins: {menu.begins:%d.%m.%Y}"
    yield f"dishes: {menu.dishes}"
    yield f"cost: {menu.cost:,.2f}"
    yield f"kind: {menu.kind}"


def changes_of_menu(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_menu(before), format_menu(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


MENUS = Store("menus", parse_menu, format_menu, key="code")
