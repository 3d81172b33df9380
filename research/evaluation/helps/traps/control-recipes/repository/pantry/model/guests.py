"""Meals with guests."""

from datetime import date
from typing import NamedTuple

from pantry.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_note, read_words
from pantry.kit.store import Store

KINDS = ("lunch", "dinner", "tea", "picnic")


class Meal(NamedTuple):
    """One of the guests, as a line of data/guests.csv has it."""

    code: str
    day: date
    guests: int
    dish: str
    kind: str
    remark: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.dish}"


def parse_meal(row):
    """The meal of a row; BadField names what is wrong in it."""
    found = Meal(
        code=read_code(row, "code", "G"),
        day=read_day(row, "day"),
        guests=read_count(row, "guests"),
        dish=read_words(row, "dish"),
        kind=read_choice(row, "kind", KINDS),
        remark=read_note(row, "remark"),
    )
    if found.guests < 0:
        raise BadField(f"{found.code}: guests is below zero")
    return found


def format_meal(meal):
    """The row of a meal, as it is read."""
    return {
        "code": meal.code,
        "day": meal.day.isoformat(),
        "guests": str(meal.guests),
        "dish": meal.dish,
        "kind": meal.kind,
        "remark": meal.remark,
    }


def describe_meal(meal):
    """Lines about a meal for people; what is empty is left out."""
    yield f"code: {meal.code}"
    yield f"day: {meal.day:%d.%m.%Y}"
    yield f"guests: {meal.guests}"
    yield f"dish: {meal.dish}"
    yield f"kind: {meal.kind}"
    if meal.remark:
        yield f"remark: {meal.remark}"


def changes_of_meal(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_meal(before), format_meal(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


GUESTS = Store("guests", parse_meal, format_meal, key="code")
