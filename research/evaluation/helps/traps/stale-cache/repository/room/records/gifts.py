"""Boxes of books that people bring."""

from dataclasses import dataclass
from datetime import date

from room.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_note
from room.kit.store import Store

WAYS = ("desk", "fetched", "post")


@dataclass(frozen=True)
class Gift:
    """One of the gifts, as a line of data/gifts.csv has it."""

    code: str
    received: date
    boxes: int
    taken: int
    refused: int
    way: str
    remark: str


def parse_gift(row):
    """The gift of a row; BadField names what is wrong in it."""
    found = Gift(
        code=read_code(row, "code", "G"),
        received=read_day(row, "received"),
        boxes=read_count(row, "boxes"),
        taken=read_count(row, "taken"),
        refused=read_count(row, "refused"),
        way=read_choice(row, "way", WAYS),
        remark=read_note(row, "remark"),
    )
    if found.boxes < 0:
        raise BadField(f"{found.code}: boxes is below zero")
    return found


def format_gift(gift):
    """The row of a gift, as it is read."""
    return {
        "code": gift.code,
        "received": gift.received.isoformat(),
        "boxes": str(gift.boxes),
        "taken": str(gift.taken),
        "refused": str(gift.refused),
        "way": gift.way,
        "remark": gift.remark,
    }


def describe_gift(gift):
    """Lines about a gift for people; what is empty is left out."""
    yield f"code: {gift.code}"
    yield f"received: {gift.received:%d.%m.%Y}"
    yield f"boxes: {gift.boxes}"
    yield f"taken: {gift.taken}"
    yield f"refused: {gift.refused}"
    yield f"way: {gift.way}"
    if gift.remark:
        yield f"remark: {gift.remark}"


def changes_of_gift(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_gift(before), format_gift(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


GIFTS = Store("gifts", parse_gift, format_gift, key="code")
