"""Tools that are lent to projects."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from office.kit.store import Store

PLACES = ("shed", "van", "cellar", "lent")


@dataclass(frozen=True)
class Tool:
    """One of the tools, as a line of data/tools.csv has it."""

    code: str
    what: str
    bought: date
    price: Decimal
    place: str
    broken: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_tool(row):
    """The tool of a row; BadField names what is wrong in it."""
    found = Tool(
        code=read_code(row, "code", "W"),
        what=read_words(row, "what"),
        bought=read_day(row, "bought"),
        price=read_amount(row, "price"),
        place=read_choice(row, "place", PLACES),
        broken=read_flag(row, "broken"),
    )
    return found


def format_tool(tool):
    """The row of a tool, as it is read."""
    return {
        "code": tool.code,
        "what": tool.what,
        "bought": tool.bought.isoformat(),
        "price": f"{tool.price:.2f}",
        "place": tool.place,
        "broken": "yes" if tool.broken else "no",
    }


def describe_tool(tool):
    """Lines about a tool for people; what is empty is left out."""
    yield f"code: {tool.code}"
    yield f"what: {tool.what}"
    yield f"bought: {tool.bought:%d.%m.%Y}"
    yield f"price: {tool.price:,.2f}"
    yield f"place: {tool.place}"
    if tool.broken:
        yield "broken"


def changes_of_tool(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_tool(before), format_tool(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TOOLS = Store("tools", parse_tool, format_tool, key="code")
