"""Trees that are watched."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField, read_amount, read_choice, read_code, read_day, read_flag, read_words
from rangers.kit.store import Store

KINDS = ("oak", "beech", "lime", "birch", "fir")


@dataclass(frozen=True)
class Tree:
    """One of the trees, as a line of data/trees.csv has it."""

    code: str
    place: str
    seen: date
    height: Decimal
    kind: str
    marked: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_tree(row):
    """The tree of a row; BadField names what is wrong in it."""
    found = Tree(
        code=read_code(row, "code", "T"),
        place=read_words(row, "place"),
        seen=read_day(row, "seen"),
        height=read_amount(row, "height"),
        kind=read_choice(row, "kind", KINDS),
        marked=read_flag(row, "marked"),
    )
    return found


def format_tree(tree):
    """The row of a tree, as it is read."""
    return {
        "code": tree.code,
        "place": tree.place,
        "seen": tree.seen.isoformat(),
        "height": f"{tree.height:.2f}",
        "kind": tree.kind,
        "marked": "yes" if tree.marked else "no",
    }


def describe_tree(tree):
    """Lines about a tree for people; what is empty is left out."""
    yield f"code: {tree.code}"
    yield f"place: {tree.place}"
    yield f"seen: {tree.seen:%d.%m.%Y}"
    yield f"height: {tree.height:,.2f}"
    yield f"kind: {tree.kind}"
    if tree.marked:
        yield "marked"


def changes_of_tree(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_tree(before), format_tree(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TREES = Store("trees", parse_tree, format_tree, key="code")
