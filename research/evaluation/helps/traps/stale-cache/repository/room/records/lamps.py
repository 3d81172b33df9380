"""The lamps, and when they were looked after."""

from dataclasses import dataclass
from datetime import date

from room.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from room.kit.store import Store

SOCKETS = ("E14", "E27", "G9")


@dataclass(frozen=True)
class Lamp:
    """One of the lamps, as a line of data/lamps.csv has it."""

    code: str
    place: str
    fitted: date
    watts: int
    socket: str
    broken: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_lamp(row):
    """The lamp of a row; BadField names what is wrong in it."""
    found = Lamp(
        code=read_code(row, "code", "P"),
        place=read_words(row, "place"),
        fitted=read_day(row, "fitted"),
        watts=read_count(row, "watts"),
        socket=read_choice(row, "socket", SOCKETS),
        broken=read_flag(row, "broken"),
    )
    if found.watts < 0:
        raise BadField(f"{found.code}: watts is below zero")
    return found


def format_lamp(lamp):
    """The row of a lamp, as it is read."""
    return {
        "code": lamp.code,
        "place": lamp.place,
        "fitted": lamp.fitted.isoformat(),
        "watts": str(lamp.watts),
        "socket": lamp.socket,
        "broken": "yes" if lamp.broken else "no",
    }


def describe_lamp(lamp):
    """Lines about a lamp for people; what is empty is left out."""
    yield f"code: {lamp.code}"
    yield f"place: {lamp.place}"
    yield f"fitted: {lamp.fitted:%d.%m.%Y}"
    yield f"watts: {lamp.watts}"
    yield f"socket: {lamp.socket}"
    if lamp.broken:
        yield "broken"


def changes_of_lamp(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_lamp(before), format_lamp(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


LAMPS = Store("lamps", parse_lamp, format_lamp, key="code")
