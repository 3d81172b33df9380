"""Lots of jars that were filled."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from apiary.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from apiary.kit.store import Store

SIZES = ("small", "large", "tin")


class JarLot(NamedTuple):
    """One of the jars, as a line of data/jars.csv has it."""

    code: str
    filled: date
    best: date
    jars: int
    size: str
    price: Decimal

    @property
    def length(self):
        """Days from filled to best, both counted."""
        return (self.best - self.filled).days + 1

    @property
    def worth(self):
        """Price for all of jars."""
        return self.price * self.jars


def parse_jar_lot(row):
    """The jar lot of a row; BadField names what is wrong in it."""
    found = JarLot(
        code=read_code(row, "code", "J"),
        filled=read_day(row, "filled"),
        best=read_day(row, "best"),
        jars=read_count(row, "jars"),
        size=read_choice(row, "size", SIZES),
        price=read_amount(row, "price"),
    )
    if found.best < found.filled:
        raise BadField(f"{found.code}: best is before filled")
    if found.jars < 0:
        raise BadField(f"{found.code}: jars is below zero")
    return found


def format_jar_lot(jar_lot):
    """The row of a jar lot, as it is read."""
    return {
        "code": jar_lot.code,
        "filled": jar_lot.filled.isoformat(),
        "best": jar_lot.best.isoformat(),
        "jars": str(jar_lot.jars),
        "size": jar_lot.size,
        "price": f"{jar_lot.price:.2f}",
    }


def describe_jar_lot(jar_lot):
    """Lines about a jar lot for people; what is empty is left out."""
    yield f"code: {jar_lot.code}"
    yield f"filled: {jar_lot.filled:%d.%m.%Y}"
    yield f"best: {jar_lot.best:%d.%m.%Y}"
    yield f"jars: {jar_lot.jars}"
    yield f"size: {jar_lot.size}"
    yield f"price: {jar_lot.price:,.2f}"


def changes_of_jar_lot(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_jar_lot(before), format_jar_lot(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


JARS = Store("jars", parse_jar_lot, format_jar_lot, key="code")
