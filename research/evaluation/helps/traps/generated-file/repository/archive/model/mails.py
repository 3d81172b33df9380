"""Mails that went out."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from archive.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from archive.kit.store import Store

KINDS = ("welcome", "notice", "digest", "warning")


class Mail(NamedTuple):
    """One of the mails, as a line of data/mails.csv has it."""

    code: str
    sent: date
    kind: str
    pieces: int
    bounced: int
    cost: Decimal

    @property
    def worth(self):
        """Cost for all of pieces."""
        return self.cost * self.pieces


def parse_mail(row):
    """The mail of a row; BadField names what is wrong in it."""
    found = Mail(
        code=read_code(row, "code", "M"),
        sent=read_day(row, "sent"),
        kind=read_choice(row, "kind", KINDS),
        pieces=read_count(row, "pieces"),
        bounced=read_count(row, "bounced"),
        cost=read_amount(row, "cost"),
    )
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_mail(mail):
    """The row of a mail, as it is read."""
    return {
        "code": mail.code,
        "sent": mail.sent.isoformat(),
        "kind": mail.kind,
        "pieces": str(mail.pieces),
        "bounced": str(mail.bounced),
        "cost": f"{mail.cost:.2f}",
    }


def describe_mail(mail):
    """Lines about a mail for people; what is empty is left out."""
    yield f"code: {mail.code}"
    yield f"sent: {mail.sent:%d.%m.%Y}"
    yield f"kind: {mail.kind}"
    yield f"pieces: {mail.pieces}"
    yield f"bounced: {mail.bounced}"
    yield f"cost: {mail.cost:,.2f}"


def changes_of_mail(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_mail(before), format_mail(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


MAILS = Store("mails", parse_mail, format_mail, key="code")
