"""Times at which nothing was there."""

from datetime import date
from typing import NamedTuple

from office.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_note
from office.kit.store import Store

WHYS = ("power", "net", "disk", "change")


class Outage(NamedTuple):
    """One of the outages, as a line of data/outages.csv has it."""

    code: str
    seen: date
    minutes: int
    why: str
    remark: str


def parse_outage(row):
    """The outage of a row; BadField names what is wrong in it."""
    found = Outage(
        code=read_code(row, "code", "O"),
        seen=read_day(row, "seen"),
        minutes=read_count(row, "minutes"),
        why=read_choice(row, "why", WHYS),
        remark=read_note(row, "remark"),
    )
    if found.minutes < 0:
        raise BadField(f"{found.code}: minutes is below zero")
    return found


def format_outage(outage):
    """The row of a outage, as it is read."""
    return {
        "code": outage.code,
        "seen": outage.seen.isoformat(),
        "minutes": str(outage.minutes),
        "why": outage.why,
        "remark": outage.remark,
    }


def describe_outage(outage):
    """Lines about a outage for people; what is empty is left out."""
    yield f"code: {outage.code}"
    yield f"seen: {outage.seen:%d.%m.%Y}"
    yield f"minutes: {outage.minutes}"
    yield f"why: {outage.why}"
    if outage.remark:
        yield f"remark: {outage.remark}"


def changes_of_outage(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_outage(before), format_outage(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


OUTAGES = Store("outages", parse_outage, format_outage, key="code")
