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


FINDS = Store("finds", parse_find, format_find, key="code")
