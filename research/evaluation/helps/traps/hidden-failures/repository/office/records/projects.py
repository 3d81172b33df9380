"""Projects that hours are booked on."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from office.kit.store import Store

KINDS = ("build", "care", "advice", "repair")


@dataclass(frozen=True)
class Project:
    """One of the projects, as a line of data/projects.csv has it."""

    code: str
    title: str
    begun: date
    ends: date
    kind: str
    budget: Decimal
    closed: bool

    @property
    def length(self):
        """Days from begun to ends, both counted."""
        return (self.ends - self.begun).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_project(row):
    """The project of a row; BadField names what is wrong in it."""
    found = Project(
        code=read_code(row, "code", "P"),
        title=read_words(row, "title"),
        begun=read_day(row, "begun"),
        ends=read_day(row, "ends"),
        kind=read_choice(row, "kind", KINDS),
        budget=read_amount(row, "budget"),
        closed=read_flag(row, "closed"),
    )
    if found.ends < found.begun:
        raise BadField(f"{found.code}: ends is before begun")
    return found


def format_project(project):
    """The row of a project, as it is read."""
    return {
        "code": project.code,
        "title": project.title,
        "begun": project.begun.isoformat(),
        "ends": project.ends.isoformat(),
        "kind": project.kind,
        "budget": f"{project.budget:.2f}",
        "closed": "yes" if project.closed else "no",
    }


def describe_project(project):
    """Lines about a project for people; what is empty is left out."""
    yield f"code: {project.code}"
    yield f"title: {project.title}"
    yield f"begun: {project.begun:%d.%m.%Y}"
    yield f"ends: {project.ends:%d.%m.%Y}"
    yield f"kind: {project.kind}"
    yield f"budget: {project.budget:,.2f}"
    if project.closed:
        yield "closed"


def changes_of_project(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_project(before), format_project(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PROJECTS = Store("projects", parse_project, format_project, key="code")
