"""Copies that were made."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from archive.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag
from archive.kit.store import Store

WHERES = ("near", "far", "tape")


class Backup(NamedTuple):
    """One of the backups, as a line of data/backups.csv has it."""

    code: str
    made: date
    files: int
    size: Decimal
    where: str
    tested: bool

    @property
    def worth(self):
        """Size for all of files."""
        return self.size * self.files


def parse_backup(row):
    """The backup of a row; BadField names what is wrong in it."""
    found = Backup(
        code=read_code(row, "code", "K"),
        made=read_day(row, "made"),
        files=read_count(row, "files"),
        size=read_amount(row, "size"),
        where=read_choice(row, "where", WHERES),
        tested=read_flag(row, "tested"),
    )
    if found.files < 0:
        raise BadField(f"{found.code}: files is below zero")
    return found


def format_backup(backup):
    """The row of a backup, as it is read."""
    return {
        "code": backup.code,
        "made": backup.made.isoformat(),
        "files": str(backup.files),
        "size": f"{backup.size:.2f}",
        "where": backup.where,
        "tested": "yes" if backup.tested else "no",
    }


def describe_backup(backup):
    """Lines about a backup for people; what is empty is left out."""
    yield f"code: {backup.code}"
    yield f"made: {backup.made:%d.%m.%Y}"
    yield f"files: {backup.files}"
    yield f"size: {backup.size:,.2f}"
    yield f"where: {backup.where}"
    if backup.tested:
        yield "tested"


def changes_of_backup(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_backup(before), format_backup(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BACKUPS = Store("backups", parse_backup, format_backup, key="code")
