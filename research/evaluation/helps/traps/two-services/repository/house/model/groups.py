"""Groups that have announced themselves."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from house.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_note, read_words
from house.kit.store import Store

KINDS = ("school", "club", "family", "firm", "seniors")


class Group(NamedTuple):
    """One of the groups, as a line of data/groups.csv has it."""

    code: str
    town: str
    comes: date
    people: int
    kind: str
    deposit: Decimal
    remark: str

    @property
    def worth(self):
        """Deposit for all of people."""
        return self.deposit * self.people

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.town}"


def parse_group(row):
    """The group of a row; BadField names what is wrong in it."""
    found = Group(
        code=read_code(row, "code", "A"),
        town=read_words(row, "town"),
        comes=read_day(row, "comes"),
        people=read_count(row, "people"),
        kind=read_choice(row, "kind", KINDS),
        deposit=read_amount(row, "deposit"),
        remark=read_note(row, "remark"),
    )
    if found.people < 0:
        raise BadField(f"{found.code}: people is below zero")
    return found


def format_group(group):
    """The row of a group, as it is read."""
    return {
        "code": group.code,
        "town": group.town,
        "comes": group.comes.isoformat(),
        "people": str(group.people),
        "kind": group.kind,
        "deposit": f"{group.deposit:.2f}",
        "remark": group.remark,
    }


def describe_group(group):
    """Lines about a group for people; what is empty is left out."""
    yield f"code: {group.code}"
    yield f"town: {group.town}"
    yield f"comes: {group.comes:%d.%m.%Y}"
    yield f"people: {group.people}"
    yield f"kind: {group.kind}"
    yield f"deposit: {group.deposit:,.2f}"
    if group.remark:
        yield f"remark: {group.remark}"


def changes_of_group(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_group(before), format_group(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


GROUPS = Store("groups", parse_group, format_group, key="code")
