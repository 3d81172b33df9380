"""What customers claim for."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField, read_amount, read_choice, read_code, read_day
from depot.kit.store import Store

WHYS = ("lost", "late", "wet", "broken")
STATES = ("new", "paid", "refused")


@dataclass(frozen=True)
class Claim:
    """One of the claims, as a line of data/claims.csv has it."""

    code: str
    branch: str
    sent: date
    amount: Decimal
    why: str
    state: str


def parse_claim(row):
    """The claim of a row; BadField names what is wrong in it."""
    found = Claim(
        code=read_code(row, "code", "C"),
        branch=read_code(row, "branch", ""),
        sent=read_day(row, "sent"),
        amount=read_amount(row, "amount"),
        why=read_choice(row, "why", WHYS),
        state=read_choice(row, "state", STATES),
    )
    return found


def format_claim(claim):
    """The row of a claim, as it is read."""
    return {
        "code": claim.code,
        "branch": claim.branch,
        "sent": claim.sent.isoformat(),
        "amount": f"{claim.amount:.2f}",
        "why": claim.why,
        "state": claim.state,
    }


def describe_claim(claim):
    """Lines about a claim for people; what is empty is left out."""
    yield f"code: {claim.code}"
    yield f"branch: {claim.branch}"
    yield f"sent: {claim.sent:%d.%m.%Y}"
    yield f"amount: {claim.amount:,.2f}"
    yield f"why: {claim.why}"
    yield f"state: {claim.state}"


def changes_of_claim(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_claim(before), format_claim(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


CLAIMS = Store("claims", parse_claim, format_claim, key="code")
