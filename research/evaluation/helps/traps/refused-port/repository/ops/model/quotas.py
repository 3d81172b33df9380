"""What callers may use."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ops.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day
from ops.kit.store import Store

KINDS = ("hour", "day", "month")


class Quota(NamedTuple):
    """One of the quotas, as a line of data/quotas.csv has it."""

    code: str
    key: str
    since: date
    calls: int
    price: Decimal
    kind: str

    @property
    def worth(self):
        """Price for all of calls."""
        return self.price * self.calls


def parse_quota(row):
    """The quota of a row; BadField names what is wrong in it."""
    found = Quota(
        code=read_code(row, "code", "Q"),
        key=read_code(row, "key", ""),
        since=read_day(row, "since"),
        calls=read_count(row, "calls"),
        price=read_amount(row, "price"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.calls < 0:
        raise BadField(f"{found.code}: calls is below zero")
    return found


def format_quota(quota):
    """The row of a quota, as it is read."""
    return {
        "code": quota.code,
        "key": quota.key,
        "since": quota.since.isoformat(),
        "calls": str(quota.calls),
        "price": f"{quota.price:.2f}",
        "kind": quota.kind,
    }


def describe_quota(quota):
    """Lines about a quota for people; what is empty is left out."""
    yield f"code: {quota.code}"
    yield f"key: {quota.key}"
    yield f"since: {quota.since:%d.%m.%Y}"
    yield f"calls: {quota.calls}"
    yield f"price: {quota.price:,.2f}"
    yield f"kind: {quota.kind}"


def changes_of_quota(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_quota(before), format_quota(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


QUOTAS = Store("quotas", parse_quota, format_quota, key="code")
