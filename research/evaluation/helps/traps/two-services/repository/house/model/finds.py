"""What was found in the house."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from house.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from house.kit.store import Store

WHERES = ("hall", "cafe", "yard", "lift", "stairs")


class Find(NamedTuple):
    """One of the finds, as a line of data/finds.csv has it."""

    code: str
    thing: str
    found: date
    where: str
    fetched: bool
    worth: Decimal

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.thing}"


def parse_find(row):
    """The find of a row; BadField names what is wrong in it."""
    found = Find(
        code=read_code(row, "code", "F"),
        thing=read_words(row, "thing"),
        found=read_day(row, "found"),
        where=read_choice(row, "where", WHERES),
        fetched=read_flag(row, "fetched"),
        worth=read_amount(row, "worth"),
    )
    return found


def format_find(find):
    """The row of a find, as it is read."""
    return {
        "code": find.code,
        "thing": find.thing,
        "found": find.found.isoformat(),
        "where": find.where,
        "fetched": "yes" if find.fetched else "no",
        "worth": f"{find.worth:.2f}",
    }


def describe_find(find):
    """Lines about a find for people; what is empty is left out."""
    yield f"code: {find.code}"
    yield f"thing: {find.thing}"
    yield f"found: {find.found:%d.%m.%Y}"
    yield f"where: {find.where}"
    if find.fetched:
        yield "fetched"
    yield f"worth: {find.worth:,.2f}"


def changes_of_find(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_find(before), format_find(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


FINDS = Store("finds", parse_find, format_find, key="code")
