"""Days on which somebody was away."""

from dataclasses import dataclass
from datetime import date

from office.kit.fields import BadField, read_choice, read_code, read_day, read_flag
from office.kit.store import Store

WHYS = ("holiday", "ill", "course", "other")


@dataclass(frozen=True)
class Absence:
    """One of the absences, as a line of data/absences.csv has it."""

    code: str
    first: date
    last: date
    why: str
    half: bool

    @property
    def length(self):
        """Days from first to last, both counted."""
        return (self.last - self.first).days + 1


def parse_absence(row):
    """The absence of a row; BadField names what is wrong in it."""
    found = Absence(
        code=read_code(row, "code", "A"),
        first=read_day(row, "first"),
        last=read_day(row, "last"),
        why=read_choice(row, "why", WHYS),
        half=read_flag(row, "half"),
    )
    if found.last < found.first:
        raise BadField(f"{found.code}: last is before first")
    return found


def format_absence(absence):
    """The row of a absence, as it is read."""
    return {
        "code": absence.code,
        "first": absence.first.isoformat(),
        "last": absence.last.isoformat(),
        "why": absence.why,
        "half": "yes" if absence.half else "no",
    }


def describe_absence(absence):
    """Lines about a absence for people; what is empty is left out."""
    yield f"code: {absence.code}"
    yield f"first: {absence.first:%d.%m.%Y}"
    yield f"last: {absence.last:%d.%m.%Y}"
    yield f"why: {absence.why}"
    if absence.half:
        yield "half"


def changes_of_absence(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_absence(before), format_absence(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


ABSENCES = Store("absences", parse_absence, format_absence, key="code")
