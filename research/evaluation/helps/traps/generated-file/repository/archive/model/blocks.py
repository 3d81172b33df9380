"""Networks that may not write."""

from datetime import date
from typing import NamedTuple

from archive.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from archive.kit.store import Store

KINDS = ("spam", "abuse", "test")


class Block(NamedTuple):
    """One of the blocks, as a line of data/blocks.csv has it."""

    code: str
    net: str
    since: date
    until: date
    kind: str
    hits: int

    @property
    def length(self):
        """Days from since to until, both counted."""
        return (self.until - self.since).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.net}"


def parse_block(row):
    """The block of a row; BadField names what is wrong in it."""
    found = Block(
        code=read_code(row, "code", "B"),
        net=read_words(row, "net"),
        since=read_day(row, "since"),
        until=read_day(row, "until"),
        kind=read_choice(row, "kind", KINDS),
        hits=read_count(row, "hits"),
    )
    if found.until < found.since:
        raise BadField(f"{found.code}: until is before since")
    if found.hits < 0:
        raise BadField(f"{found.code}: hits is below zero")
    return found


def format_block(block):
    """The row of a block, as it is read."""
    return {
        "code": block.code,
        "net": block.net,
        "since": block.since.isoformat(),
        "until": block.until.isoformat(),
        "kind": block.kind,
        "hits": str(block.hits),
    }


def describe_block(block):
    """Lines about a block for people; what is empty is left out."""
    yield f"code: {block.code}"
    yield f"net: {block.net}"
    yield f"since: {block.since:%d.%m.%Y}"
    yield f"until: {block.until:%d.%m.%Y}"
    yield f"kind: {block.kind}"
    yield f"hits: {block.hits}"


def changes_of_block(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_block(before), format_block(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BLOCKS = Store("blocks", parse_block, format_block, key="code")
