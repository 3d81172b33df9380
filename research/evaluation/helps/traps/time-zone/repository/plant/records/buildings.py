"""The buildings that we look after."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from plant.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag, read_words
from plant.kit.store import Store

KINDS = ("school", "pool", "mill", "office", "flats")


@dataclass(frozen=True)
class Building:
    """One of the buildings, as a line of data/buildings.csv has it."""

    code: str
    title: str
    since: date
    kind: str
    rooms: int
    floor_area: Decimal
    heated: bool

    @property
    def worth(self):
        """Floor area for all of rooms."""
        return self.floor_area * self.rooms

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_building(row):
    """The building of a row; BadField names what is wrong in it."""
    found = Building(
        code=read_code(row, "code", "H"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        kind=read_choice(row, "kind", KINDS),
        rooms=read_count(row, "rooms"),
        floor_area=read_amount(row, "floor_area"),
        heated=read_flag(row, "heated"),
    )
    if found.rooms < 0:
        raise BadField(f"{found.code}: rooms is below zero")
    return found


def format_building(building):
    """The row of a building, as it is read."""
    return {
        "code": building.code,
        "title": building.title,
        "since": building.since.isoformat(),
        "kind": building.kind,
        "rooms": str(building.rooms),
        "floor_area": f"{building.floor_area:.2f}",
        "heated": "yes" if building.heated else "no",
    }


def describe_building(building):
    """Lines about a building for people; what is empty is left out."""
    yield f"code: {building.code}"
    yield f"title: {building.title}"
    yield f"since: {building.since:%d.%m.%Y}"
    yield f"kind: {building.kind}"
    yield f"rooms: {building.rooms}"
    yield f"floor area: {building.floor_area:,.2f}"
    if building.heated:
        yield "heated"


def changes_of_building(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_building(before), format_building(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BUILDINGS = Store("buildings", parse_building, format_building, key="code")
