"""Invoices, one for a project and month."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_day
from office.kit.store import Store

STATES = ("draft", "sent", "paid", "late")


@dataclass(frozen=True)
class Invoice:
    """One of the invoices, as a line of data/invoices.csv has it."""

    code: str
    project: str
    sent: date
    due: date
    net: Decimal
    state: str

    @property
    def length(self):
        """Days from sent to due, both counted."""
        return (self.due - self.sent).days + 1


def parse_invoice(row):
    """The invoice of a row; BadField names what is wrong in it."""
    found = Invoice(
        code=read_code(row, "code", "I"),
        project=read_code(row, "project", ""),
        sent=read_day(row, "sent"),
        due=read_day(row, "due"),
        net=read_amount(row, "net"),
        state=read_choice(row, "state", STATES),
    )
    if found.due < found.sent:
        raise BadField(f"{found.code}: due is before sent")
    return found


def format_invoice(invoice):
    """The row of a invoice, as it is read."""
    return {
        "code": invoice.code,
        "project": invoice.project,
        "sent": invoice.sent.isoformat(),
        "due": invoice.due.isoformat(),
        "net": f"{invoice.net:.2f}",
        "state": invoice.state,
    }


def describe_invoice(invoice):
    """Lines about a invoice for people; what is empty is left out."""
    yield f"code: {invoice.code}"
    yield f"project: {invoice.project}"
    yield f"sent: {invoice.sent:%d.%m.%Y}"
    yield f"due: {invoice.due:%d.%m.%Y}"
    yield f"net: {invoice.net:,.2f}"
    yield f"state: {invoice.state}"


def changes_of_invoice(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_invoice(before), format_invoice(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


INVOICES = Store("invoices", parse_invoice, format_invoice, key="code")
