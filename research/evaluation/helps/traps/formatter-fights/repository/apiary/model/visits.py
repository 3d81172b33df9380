"""When hives were opened."""

from datetime import date
from typing import NamedTuple

from apiary.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_note
from apiary.kit.store import Store

STATES = ("calm", "busy", "angry", "empty")


class Visit(NamedTuple):
    """One of the visits, as a line of data/visits.csv has it."""

    code: str
    hive: str
    day: date
    minutes: int
    state: str
    remark: str


def parse_visit(row):
    """The visit of a row; BadField names what is wrong in it."""
    found = Visit(
        code=read_code(row, "code", "V"),
        hive=read_code(row, "hive", ""),
        day=read_day(row, "day"),
        minutes=read_count(row, "minutes"),
        state=read_choice(row, "state", STATES),
        remark=read_note(row, "remark"),
    )
    if found.minutes < 0:
        raise BadField(f"{found.code}: minutes is below zero")
    return found


def format_visit(visit):
    """The row of a visit, as it is read."""
    return {
        "code": visit.code,
        "hive": visit.hive,
        "day": visit.day.isoformat(),
        "minutes": str(visit.minutes),
        "state": visit.state,
        "remark": visit.remark,
    }


def describe_visit(visit):
    """Lines about a visit for people; what is empty is left out."""
    yield f"code: {visit.code}"
    yield f"hive: {visit.hive}"
    yield f"day: {visit.day:%d.%m.%Y}"
    yield f"minutes: {visit.minutes}"
    yield f"state: {visit.state}"
    if visit.remark:
        yield f"remark: {visit.remark}"


def changes_of_visit(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_visit(before), format_visit(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


VISITS = Store("visits", parse_visit, format_visit, key="code")
