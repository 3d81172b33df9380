"""Branches with a counter."""

from dataclasses import dataclass
from datetime import date

from depot.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from depot.kit.store import Store

KINDS = ("shop", "kiosk", "yard")


@dataclass(frozen=True)
class Branch:
    """One of the branches, as a line of data/branches.csv has it."""

    code: str
    town: str
    since: date
    scales: int
    kind: str
    parcels: int
    closed: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.town}"


def parse_branch(row):
    """The branch of a row; BadField names what is wrong in it."""
    found = Branch(
        code=read_code(row, "code", "B"),
        town=read_words(row, "town"),
        since=read_day(row, "since"),
        scales=read_count(row, "scales"),
        kind=read_choice(row, "kind", KINDS),
        parcels=read_count(row, "parcels"),
        closed=read_flag(row, "closed"),
    )
    if found.scales < 0:
        raise BadField(f"{found.code}: scales is below zero")
    return found


def format_branch(branch):
    """The row of a branch, as it is read."""
    return {
        "code": branch.code,
        "town": branch.town,
        "since": branch.since.isoformat(),
        "scales": str(branch.scales),
        "kind": branch.kind,
        "parcels": str(branch.parcels),
        "closed": "yes" if branch.closed else "no",
    }


def describe_branch(branch):
    """Lines about a branch for people; what is empty is left out."""
    yield f"code: {branch.code}"
    yield f"town: {branch.town}"
    yield f"since: {branch.since:%d.%m.%Y}"
    yield f"scales: {branch.scales}"
    yield f"kind: {branch.kind}"
    yield f"parcels: {branch.parcels}"
    if branch.closed:
        yield "closed"


def changes_of_branch(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_branch(before), format_branch(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BRANCHES = Store("branches", parse_branch, format_branch, key="code")
