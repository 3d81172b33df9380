"""Hives that are looked after."""

from datetime import date
from typing import NamedTuple

from apiary.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_note, read_words
from apiary.kit.store import Store

KINDS = ("wood", "foam", "log")


class Hive(NamedTuple):
    """One of the hives, as a line of data/hives.csv has it."""

    code: str
    place: str
    since: date
    boxes: int
    kind: str
    sold: bool
    remark: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_hive(row):
    """The hive of a row; BadField names what is wrong in it."""
    found = Hive(
        code=read_code(row, "code", "H"),
        place=read_words(row, "place"),
        since=read_day(row, "since"),
        boxes=read_count(row, "boxes"),
        kind=read_choice(row, "kind", KINDS),
        sold=read_flag(row, "sold"),
        remark=read_note(row, "remark"),
    )
    if found.boxes < 0:
        raise BadField(f"{found.code}: boxes is below zero")
    return found


def format_hive(hive):
    """The row of a hive, as it is read."""
    return {
        "code": hive.code,
        "place": hive.place,
        "since": hive.since.isoformat(),
        "boxes": str(hive.boxes),
        "kind": hive.kind,
        "sold": "yes" if hive.sold else "no",
        "remark": hive.remark,
    }


def describe_hive(hive):
    """Lines about a hive for people; what is empty is left out."""
    yield f"code: {hive.code}"
    yield f"place: {hive.place}"
    yield f"since: {hive.since:%d.%m.%Y}"
    yield f"boxes: {hive.boxes}"
    yield f"kind: {hive.kind}"
    if hive.sold:
        yield "sold"
    if hive.remark:
        yield f"remark: {hive.remark}"


def changes_of_hive(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_hive(before), format_hive(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


HIVES = Store("hives", parse_hive, format_hive, key="code")
