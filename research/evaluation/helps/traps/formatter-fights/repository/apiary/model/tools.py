"""Tools of the association, and who has them by number of card."""

from datetime import date
from typing import NamedTuple

from apiary.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from apiary.kit.store import Store

STATES = ("here", "lent", "broken")


class Tool(NamedTuple):
    """One of the tools, as a line of data/tools.csv has it."""

    code: str
    what: str
    lent: date
    card: int
    state: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_tool(row):
    """The tool of a row; BadField names what is wrong in it."""
    found = Tool(
        code=read_code(row, "code", "T"),
        what=read_words(row, "what"),
        lent=read_day(row, "lent"),
        card=read_count(row, "card"),
        state=read_choice(row, "state", STATES),
    )
    if found.card < 0:
        raise BadField(f"{found.code}: card is below zero")
    return found


def format_tool(tool):
    """The row of a tool, as it is read."""
    return {
        "code": tool.code,
        "what": tool.what,
        "lent": tool.lent.isoformat(),
        "card": str(tool.card),
        "state": tool.state,
    }


def describe_tool(tool):
    """Lines about a tool for people; what is empty is left out."""
    yield f"code: {tool.code}"
    yield f"what: {tool.what}"
    yield f"lent: {tool.lent:%d.%m.%Y}"
    yield f"card: {tool.card}"
    yield f"state: {tool.state}"


def changes_of_tool(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_tool(before), format_tool(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TOOLS = Store("tools", parse_tool, format_tool, key="code")
