"""What was brought out."""

from datetime import date
from typing import NamedTuple

from ops.kit.fields import BadField, read_choice, read_code, read_count, read_day
from ops.kit.store import Store

ENDS = ("good", "back", "half")


class Deploy(NamedTuple):
    """One of the deploys, as a line of data/deploys.csv has it."""

    code: str
    day: date
    parts: int
    minutes: int
    end: str


def parse_deploy(row):
    """The deploy of a row; BadField names what is wrong in it."""
    found = Deploy(
        code=read_code(row, "code", "D"),
        day=read_day(row, "day"),
        parts=read_count(row, "parts"),
        minutes=read_count(row, "minutes"),
        end=read_choice(row, "end", ENDS),
    )
    if found.parts < 0:
        raise BadField(f"{found.code}: parts is below zero")
    return found


def format_deploy(deploy):
    """The row of a deploy, as it is read."""
    return {
        "code": deploy.code,
        "day": deploy.day.isoformat(),
        "parts": str(deploy.parts),
        "minutes": str(deploy.minutes),
        "end": deploy.end,
    }


def describe_deploy(deploy):
    """Lines about a deploy for people; what is empty is left out."""
    yield f"code: {deploy.code}"
    yield f"day: {deploy.day:%d.%m.%Y}"
    yield f"parts: {deploy.parts}"
    yield f"minutes: {deploy.minutes}"
    yield f"end: {deploy.end}"


def changes_of_deploy(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_deploy(before), format_deploy(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


DEPLOYS = Store("deploys", parse_deploy, format_deploy, key="code")
