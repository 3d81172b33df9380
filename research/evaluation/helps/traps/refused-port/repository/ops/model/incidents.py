"""When something was wrong."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ops.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_note
from ops.kit.store import Store

KINDS = ("slow", "down", "wrong", "full")


class Incident(NamedTuple):
    """One of the incidents, as a line of data/incidents.csv has it."""

    code: str
    seen: date
    minutes: int
    kind: str
    cost: Decimal
    remark: str

    @property
    def worth(self):
        """Cost for all of minutes."""
        return self.cost * self.minutes


def parse_incident(row):
    """The incident of a row; BadField names what is wrong in it."""
    found = Incident(
        code=read_code(row, "code", "I"),
        seen=read_day(row, "seen"),
        minutes=read_count(row, "minutes"),
        kind=read_choice(row, "kind", KINDS),
        cost=read_amount(row, "cost"),
        remark=read_note(row, "remark"),
    )
    if found.minutes < 0:
        raise BadField(f"{found.code}: minutes is below zero")
    return found


def format_incident(incident):
    """The row of a incident, as it is read."""
    return {
        "code": incident.code,
        "seen": incident.seen.isoformat(),
        "minutes": str(incident.minutes),
        "kind": incident.kind,
        "cost": f"{incident.cost:.2f}",
        "remark": incident.remark,
    }


def describe_incident(incident):
    """Lines about a incident for people; what is empty is left out."""
    yield f"code: {incident.code}"
    yield f"seen: {incident.seen:%d.%m.%Y}"
    yield f"minutes: {incident.minutes}"
    yield f"kind: {incident.kind}"
    yield f"cost: {incident.cost:,.2f}"
    if incident.remark:
        yield f"remark: {incident.remark}"


def changes_of_incident(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_incident(before), format_incident(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


INCIDENTS = Store("incidents", parse_incident, format_incident, key="code")
