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


VISITS = Store("visits", parse_visit, format_visit, key="code")
