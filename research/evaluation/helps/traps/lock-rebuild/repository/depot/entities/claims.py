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


CLAIMS = Store("claims", parse_claim, format_claim, key="code")
