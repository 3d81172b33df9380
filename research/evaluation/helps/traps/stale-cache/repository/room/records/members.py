"""Cards that were given out; names are in the box at the desk."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag
from room.kit.store import Store

KINDS = ("year", "half", "day", "gift")


@dataclass(frozen=True)
class Member:
    """One of the members, as a line of data/members.csv has it."""

    code: str
    kind: str
    since: date
    until: date
    fee: Decimal
    visits: int
    card_lost: bool

    @property
    def length(self):
        """Days from since to until, both counted."""
        return (self.until - self.since).days + 1

    @property
    def worth(self):
        """Fee for all of visits."""
        return self.fee * self.visits


def parse_member(row):
    """The member of a row; BadField names what is wrong in it."""
    found = Member(
        code=read_code(row, "code", "M"),
        kind=read_choice(row, "kind", KINDS),
        since=read_day(row, "since"),
        until=read_day(row, "until"),
        fee=read_amount(row, "fee"),
        visits=read_count(row, "visits"),
        card_lost=read_flag(row, "card_lost"),
    )
    if found.until < found.since:
        raise BadField(f"{found.code}: until is before since")
    if found.visits < 0:
        raise BadField(f"{found.code}: visits is below zero")
    return found


def format_member(member):
    """The row of a member, as it is read."""
    return {
        "code": member.code,
        "kind": member.kind,
        "since": member.since.isoformat(),
        "until": member.until.isoformat(),
        "fee": f"{member.fee:.2f}",
        "visits": str(member.visits),
        "card_lost": "yes" if member.card_lost else "no",
    }


def describe_member(member):
    """Lines about a member for people; what is empty is left out."""
    yield f"code: {member.code}"
    yield f"kind: {member.kind}"
    yield f"since: {member.since:%d.%m.%Y}"
    yield f"until: {member.until:%d.%m.%Y}"
    yield f"fee: {member.fee:,.2f}"
    yield f"visits: {member.visits}"
    if member.card_lost:
        yield "card lost"


def changes_of_member(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_member(before), format_member(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


MEMBERS = Store("members", parse_member, format_member, key="code")
