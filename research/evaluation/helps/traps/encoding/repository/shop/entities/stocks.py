"""Counts of stock."""

from dataclasses import dataclass
from datetime import date

from shop.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from shop.kit.store import Store

AISLES = ("A", "B", "C", "D", "E")


@dataclass(frozen=True)
class Count:
    """One of the stocks, as a line of data/stocks.csv has it."""

    code: str
    day: date
    aisle: str
    pieces: int
    missing: int
    twice: bool


def parse_count(row):
    """The count of a row; BadField names what is wrong in it."""
    found = Count(
        code=read_code(row, "code", "C"),
        day=read_day(row, "day"),
        aisle=read_choice(row, "aisle", AISLES),
        pieces=read_count(row, "pieces"),
        missing=read_count(row, "missing"),
        twice=read_flag(row, "twice"),
    )
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_count(count):
    """The row of a count, as it is read."""
    return {
        "code": count.code,
        "day": count.day.isoformat(),
        "aisle": count.aisle,
        "pieces": str(count.pieces),
        "missing": str(count.missing),
        "twice": "yes" if count.twice else "no",
    }


def describe_count(count):
    """Lines about a count for people; what is empty is left out."""
    yield f"code: {count.code}"
    yield f"day: {count.day:%d.%m.%Y}"
    yield f"aisle: {count.aisle}"
    yield f"pieces: {count.pieces}"
    yield f"missing: {count.missing}"
    if count.twice:
        yield "twice"


def changes_of_count(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_count(before), format_count(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


STOCKS = Store("stocks", parse_count, format_count, key="code")
