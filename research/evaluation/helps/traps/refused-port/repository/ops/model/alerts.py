"""Alerts."""

from datetime import date
from typing import NamedTuple

from ops.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from ops.kit.store import Store

KINDS = ("load", "disk", "latency", "errors")


class Alert(NamedTuple):
    """One of the alerts, as a line of data/alerts.csv has it."""

    code: str
    sent: date
    kind: str
    level: int
    real: bool


def parse_alert(row):
    """The alert of a row; BadField names what is wrong in it."""
    found = Alert(
        code=read_code(row, "code", "A"),
        sent=read_day(row, "sent"),
        kind=read_choice(row, "kind", KINDS),
        level=read_count(row, "level"),
        real=read_flag(row, "real"),
    )
    if found.level < 0:
        raise BadField(f"{found.code}: level is below zero")
    return found


def format_alert(alert):
    """The row of a alert, as it is read."""
    return {
        "code": alert.code,
        "sent": alert.sent.isoformat(),
        "kind": alert.kind,
        "level": str(alert.level),
        "real": "yes" if alert.real else "no",
    }


def describe_alert(alert):
    """Lines about a alert for people; what is empty is left out."""
    yield f"code: {alert.code}"
    yield f"sent: {alert.sent:%d.%m.%Y}"
    yield f"kind: {alert.kind}"
    yield f"level: {alert.level}"
    if alert.real:
        yield "real"


def changes_of_alert(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_alert(before), format_alert(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ALERTS = Store("alerts", parse_alert, format_alert, key="code")
