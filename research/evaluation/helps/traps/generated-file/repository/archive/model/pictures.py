"""Pictures in entries."""

from datetime import date
from typing import NamedTuple

from archive.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from archive.kit.store import Store

KINDS = ("png", "jpeg", "webp")


class Picture(NamedTuple):
    """One of the pictures, as a line of data/pictures.csv has it."""

    code: str
    added: date
    width: int
    height: int
    kind: str
    shown: bool


def parse_picture(row):
    """The picture of a row; BadField names what is wrong in it."""
    found = Picture(
        code=read_code(row, "code", "P"),
        added=read_day(row, "added"),
        width=read_count(row, "width"),
        height=read_count(row, "height"),
        kind=read_choice(row, "kind", KINDS),
        shown=read_flag(row, "shown"),
    )
    if found.width < 0:
        raise BadField(f"{found.code}: width is below zero")
    return found


def format_picture(picture):
    """The row of a picture, as it is read."""
    return {
        "code": picture.code,
        "added": picture.added.isoformat(),
        "width": str(picture.width),
        "height": str(picture.height),
        "kind": picture.kind,
        "shown": "yes" if picture.shown else "no",
    }


def describe_picture(picture):
    """Lines about a picture for people; what is empty is left out."""
    yield f"code: {picture.code}"
    yield f"added: {picture.added:%d.%m.%Y}"
    yield f"width: {picture.width}"
    yield f"height: {picture.height}"
    yield f"kind: {picture.kind}"
    if picture.shown:
        yield "shown"


def changes_of_picture(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_picture(before), format_picture(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PICTURES = Store("pictures", parse_picture, format_picture, key="code")
