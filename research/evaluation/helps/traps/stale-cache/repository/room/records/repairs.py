"""Books that were bound or mended."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from room.kit.store import Store

WORKS = ("spine", "pages", "cover", "cleaning")


@dataclass(frozen=True)
class Repair:
    """One of the repairs, as a line of data/repairs.csv has it."""

    code: str
    book: str
    begun: date
    done: date
    work: str
    hours: int
    cost: Decimal

    @property
    def length(self):
        """Days from begun to done, both counted."""
        return (self.done - self.begun).days + 1

    @property
    def worth(self):
        """Cost for all of hours."""
        return self.cost * self.hours


def parse_repair(row):
    """The repair of a row; BadField names what is wrong in it."""
    found = Repair(
        code=read_code(row, "code", "R"),
        book=read_code(row, "book", ""),
        begun=read_day(row, "begun"),
        done=read_day(row, "done"),
        work=read_choice(row, "work", WORKS),
        hours=read_count(row, "hours"),
        cost=read_amount(row, "cost"),
    )
    if found.done < found.begun:
        raise BadField(f"{found.code}: done is before begun")
    if found.hours < 0:
        raise BadField(f"{found.code}: hours is below zero")
    return found


def format_repair(repair):
    """The row of a repair, as it is read."""
    return {
        "code": repair.code,
        "book": repair.book,
        "begun": repair.begun.isoformat(),
        "done": repair.done.isoformat(),
        "work": repair.work,
        "hours": str(repair.hours),
        "cost": f"{repair.cost:.2f}",
    }


def describe_repair(repair):
    """Lines about a repair for people; what is empty is left out."""
    yield f"code: {repair.code}"
    yield f"book: {repair.book}"
    yield f"begun: {repair.begun:%d.%m.%Y}"
    yield f"done: {repair.done:%d.%m.%Y}"
    yield f"work: {repair.work}"
    yield f"hours: {repair.hours}"
    yield f"cost: {repair.cost:,.2f}"


def changes_of_repair(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_repair(before), format_repair(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


REPAIRS = Store("repairs", parse_repair, format_repair, key="code")
