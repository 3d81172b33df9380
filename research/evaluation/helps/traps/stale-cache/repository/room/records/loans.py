"""Books that may leave the room for a while."""

from dataclasses import dataclass
from datetime import date

from room.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_note
from room.kit.store import Store

STATES = ("out", "back", "late", "lost")


@dataclass(frozen=True)
class Loan:
    """One of the loans, as a line of data/loans.csv has it."""

    code: str
    book: str
    lent: date
    due: date
    state: str
    renewals: int
    remark: str

    @property
    def length(self):
        """Days from lent to due, both counted."""
        return (self.due - self.lent).days + 1


def parse_loan(row):
    """The loan of a row; BadField names what is wrong in it."""
    found = Loan(
        code=read_code(row, "code", "L"),
        book=read_code(row, "book", ""),
        lent=read_day(row, "lent"),
        due=read_day(row, "due"),
        state=read_choice(row, "state", STATES),
        renewals=read_count(row, "renewals"),
        remark=read_note(row, "remark"),
    )
    if found.due < found.lent:
        raise BadField(f"{found.code}: due is before lent")
    if found.renewals < 0:
        raise BadField(f"{found.code}: renewals is below zero")
    return found


def format_loan(loan):
    """The row of a loan, as it is read."""
    return {
        "code": loan.code,
        "book": loan.book,
        "lent": loan.lent.isoformat(),
        "due": loan.due.isoformat(),
        "state": loan.state,
        "renewals": str(loan.renewals),
        "remark": loan.remark,
    }


def describe_loan(loan):
    """Lines about a loan for people; what is empty is left out."""
    yield f"code: {loan.code}"
    yield f"book: {loan.book}"
    yield f"lent: {loan.lent:%d.%m.%Y}"
    yield f"due: {loan.due:%d.%m.%Y}"
    yield f"state: {loan.state}"
    yield f"renewals: {loan.renewals}"
    if loan.remark:
        yield f"remark: {loan.remark}"


def changes_of_loan(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_loan(before), format_loan(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


LOANS = Store("loans", parse_loan, format_loan, key="code")
