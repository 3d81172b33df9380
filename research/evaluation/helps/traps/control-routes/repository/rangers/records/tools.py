"""Tools of the shed."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_words
from rangers.kit.store import Store

STATES = ("here", "lent", "broken")


@dataclass(frozen=True)
class Tool:
    """One of the tools, as a line of data/tools.csv has it."""

    code: str
    what: str
    bought: date
    price: Decimal
    state: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_tool(row):
    """The tool of a row; BadField names what is wrong in it."""
    found = Tool(
        code=read_code(row, "code", "K"),
        what=read_words(row, "what"),
        bought=read_day(row, "bought"),
        price=read_amount(row, "price"),
        state=read_choice(row, "state", STATES),
    )
    return found


def format_tool(tool):
    """The row of a tool, as it is read."""
    return {
        "code": tool.code,
        "what": tool.what,
        "bought": tool.bought.isoformat(),
        "price": f"{tool.price:.2f}",
        "state": tool.state,
    }


def describe_tool(tool):
    """Lines about a tool for people; what is empty is left out."""
    yield f"code: {tool.code}"
    yield f"what: {tool.what}"
    yield f"bought: {tool.bought:%d.%m.%Y}"
    yield f"price: {tool.price:,.2f}"
    yield f"state: {tool.state}"


def changes_of_tool(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_tool(before), format_tool(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TOOLS = Store("tools", parse_tool, format_tool, key="code")
