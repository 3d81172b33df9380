"""Mites that were counted on boards."""

from datetime import date
from typing import NamedTuple

from apiary.kit.fields import BadField, read_code, read_count, read_day, read_flag
from apiary.kit.store import Store


class MiteCount(NamedTuple):
    """One of the counts, as a line of data/counts.csv has it."""

    code: str
    hive: str
    counted: date
    days: int
    mites: int
    treated: bool


def parse_mite_count(row):
    """The mite count of a row; BadField names what is wrong in it."""
    found = MiteCount(
        code=read_code(row, "code", "M"),
        hive=read_code(row, "hive", ""),
        counted=read_day(row, "counted"),
        days=read_count(row, "days"),
        mites=read_count(row, "mites"),
        treated=read_flag(row, "treated"),
    )
    if found.days < 0:
        raise BadField(f"{found.code}: days is below zero")
    return found


def format_mite_count(mite_count):
    """The row of a mite count, as it is read."""
    return {
        "code": mite_count.code,
        "hive": mite_count.hive,
        "counted": mite_count.counted.isoformat(),
        "days": str(mite_count.days),
        "mites": str(mite_count.mites),
        "treated": "yes" if mite_count.treated else "no",
    }


def describe_mite_count(mite_count):
    """Lines about a mite count for people; what is empty is left out."""
    yield f"code: {mite_count.code}"
    yield f"hive: {mite_count.hive}"
    yield f"counted: {mite_count.counted:%d.%m.%Y}"
    yield f"days: {mite_count.days}"
    yield f"mites: {mite_count.mites}"
    if mite_count.treated:
        yield "treated"


def changes_of_mite_count(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_mite_count(before), format_mite_count(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


COUNTS = Store("counts", parse_mite_count, format_mite_count, key="code")
