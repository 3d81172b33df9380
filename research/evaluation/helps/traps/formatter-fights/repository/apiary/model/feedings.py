"""Sugar that was given."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from apiary.kit.fields import BadField, read_amount, read_choice, read_code, read_day
from apiary.kit.store import Store

KINDS = ("syrup", "candy", "honey")


class Feeding(NamedTuple):
    """One of the feedings, as a line of data/feedings.csv has it."""

    code: str
    hive: str
    given: date
    litres: Decimal
    kind: str


def parse_feeding(row):
    """The feeding of a row; BadField names what is wrong in it."""
    found = Feeding(
        code=read_code(row, "code", "F"),
        hive=read_code(row, "hive", ""),
        given=read_day(row, "given"),
        litres=read_amount(row, "litres"),
        kind=read_choice(row, "kind", KINDS),
    )
    return found


def format_feeding(feeding):
    """The row of a feeding, as it is read."""
    return {
        "code": feeding.code,
        "hive": feeding.hive,
        "given": feeding.given.isoformat(),
        "litres": f"{feeding.litres:.2f}",
        "kind": feeding.kind,
    }


def describe_feeding(feeding):
    """Lines about a feeding for people; what is empty is left out."""
    yield f"code: {feeding.code}"
    yield f"hive: {feeding.hive}"
    yield f"given: {feeding.given:%d.%m.%Y}"
    yield f"litres: {feeding.litres:,.2f}"
    yield f"kind: {feeding.kind}"


def changes_of_feeding(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_feeding(before), format_feeding(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


FEEDINGS = Store("feedings", parse_feeding, format_feeding, key="code")
