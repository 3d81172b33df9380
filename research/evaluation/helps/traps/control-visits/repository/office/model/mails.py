"""Mails about pages."""

from datetime import date
from typing import NamedTuple

from office.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_note
from office.kit.store import Store

KINDS = ("praise", "error", "question", "spam")


class Mail(NamedTuple):
    """One of the mails, as a line of data/mails.csv has it."""

    code: str
    sent: date
    answered: date
    lines: int
    kind: str
    remark: str

    @property
    def length(self):
        """Days from sent to answered, both counted."""
        return (self.answered - self.sent).days + 1


def parse_mail(row):
    """The mail of a row; BadField names what is wrong in it."""
    found = Mail(
        code=read_code(row, "code", "M"),
        sent=read_day(row, "sent"),
        answered=read_day(row, "answered"),
        lines=read_count(row, "lines"),
        kind=read_choice(row, "kind", KINDS),
        remark=read_note(row, "remark"),
    )
    if found.answered < found.sent:
        raise BadField(f"{found.code}: answered is before sent")
    if found.lines < 0:
        raise BadField(f"{found.code}: lines is below zero")
    return found


def format_mail(mail):
    """The row of a mail, as it is read."""
    return {
        "code": mail.code,
        "sent": mail.sent.isoformat(),
        "answered": mail.answered.isoformat(),
        "lines": str(mail.lines),
        "kind": mail.kind,
        "remark": mail.remark,
    }


def describe_mail(mail):
    """Lines about a mail for people; what is empty is left out."""
    yield f"code: {mail.code}"
    yield f"sent: {mail.sent:%d.%m.%Y}"
    yield f"answered: {mail.answered:%d.%m.%Y}"
    yield f"lines: {mail.lines}"
    yield f"kind: {mail.kind}"
    if mail.remark:
        yield f"remark: {mail.remark}"


def changes_of_mail(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_mail(before), format_mail(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


MAILS = Store("mails", parse_mail, format_mail, key="code")
