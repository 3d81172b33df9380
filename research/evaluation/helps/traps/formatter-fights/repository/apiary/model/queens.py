"""Queens, by the year of their mark."""

from datetime import date
from typing import NamedTuple

from apiary.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from apiary.kit.store import Store

YEARS = ("white", "yellow", "red", "green", "blue")


class Queen(NamedTuple):
    """One of the queens, as a line of data/queens.csv has it."""

    code: str
    hive: str
    hatched: date
    year: str
    marked: bool
    cells: int


def parse_queen(row):
    """The queen of a row; BadField names what is wrong in it."""
    found = Queen(
        code=read_code(row, "code", "Q"),
        hive=read_code(row, "hive", ""),
        hatched=read_day(row, "hatched"),
        year=read_choice(row, "year", YEARS),
        marked=read_flag(row, "marked"),
        cells=read_count(row, "cells"),
    )
    if found.cells < 0:
        raise BadField(f"{found.code}: cells is below zero")
    return found


def format_queen(queen):
    """The row of a queen, as it is read."""
    return {
        "code": queen.code,
        "hive": queen.hive,
        "hatched": queen.hatched.isoformat(),
        "year": queen.year,
        "marked": "yes" if queen.marked else "no",
        "cells": str(queen.cells),
    }


def describe_queen(queen):
    """Lines about a queen for people; what is empty is left out."""
    yield f"code: {queen.code}"
    yield f"hive: {queen.hive}"
    yield f"hatched: {queen.hatched:%d.%m.%Y}"
    yield f"year: {queen.year}"
    if queen.marked:
        yield "marked"
    yield f"cells: {queen.cells}"


def changes_of_queen(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_queen(before), format_queen(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


QUEENS = Store("queens", parse_queen, format_queen, key="code")
