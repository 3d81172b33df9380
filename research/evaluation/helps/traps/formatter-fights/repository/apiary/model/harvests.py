"""Honey that was taken."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from apiary.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from apiary.kit.store import Store

KINDS = ("spring", "lime", "forest", "heather")


class Harvest(NamedTuple):
    """One of the harvests, as a line of data/harvests.csv has it."""

    code: str
    hive: str
    taken: date
    kilos: Decimal
    kind: str
    frames: int

    @property
    def worth(self):
        """Kilos for all of frames."""
        return self.kilos * self.frames


def parse_harvest(row):
    """The harvest of a row; BadField names what is wrong in it."""
    found = Harvest(
        code=read_code(row, "code", "E"),
        hive=read_code(row, "hive", ""),
        taken=read_day(row, "taken"),
        kilos=read_amount(row, "kilos"),
        kind=read_choice(row, "kind", KINDS),
        frames=read_count(row, "frames"),
    )
    if found.frames < 0:
        raise BadField(f"{found.code}: frames is below zero")
    return found


def format_harvest(harvest):
    """The row of a harvest, as it is read."""
    return {
        "code": harvest.code,
        "hive": harvest.hive,
        "taken": harvest.taken.isoformat(),
        "kilos": f"{harvest.kilos:.2f}",
        "kind": harvest.kind,
        "frames": str(harvest.frames),
    }


def describe_harvest(harvest):
    """Lines about a harvest for people; what is empty is left out."""
    yield f"code: {harvest.code}"
    yield f"hive: {harvest.hive}"
    yield f"taken: {harvest.taken:%d.%m.%Y}"
    yield f"kilos: {harvest.kilos:,.2f}"
    yield f"kind: {harvest.kind}"
    yield f"frames: {harvest.frames}"


def changes_of_harvest(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_harvest(before), format_harvest(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


HARVESTS = Store("harvests", parse_harvest, format_harvest, key="code")
