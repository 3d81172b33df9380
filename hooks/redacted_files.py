"""Files of ours outside the database as the rules of redaction in force would have written them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from mind_skills.errors import RefusedPathError
from mind_skills.hooks import reading, spool, traces
from mind_skills.hooks.redacted_rows import document, secrets, told
from mind_skills.staging import start_files
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pending_file import FOLDER as PROJECT_FOLDER
from mind_skills.staging.pending_file import NAME as PENDING
from mind_skills.staging.pending_file import is_ours
from mind_skills.store.atomic import Folder
from mind_skills.store.database import Database

LARGEST = 8 << 20
"""Bytes of a file that is rewritten as a whole; a larger one of ours does not exist, but for a spool."""
QUIET = 24 * 60 * 60
"""Seconds after which nobody appends to a spool any more."""


def redact_files(home: str, database: Database, at: int) -> None:
    """What was kept of logs goes; the hooks' log, what waits to be told, spools that nobody appends to, and the projects' pending files.

    ``at`` is UTC milliseconds.
    """
    reading.forget(home)
    for folder, change in _folders(home):
        for path in _listed(folder):
            _rewrite_file(path, change, at)
    with Ledger.open(home) as ledger:
        ledger.rewrite_pending_files()
    with database.reading() as sql:
        roots = [os.fsdecode(row[0]) for row in sql.execute("SELECT DISTINCT root FROM places")]
    for root in roots:
        redact_project(root, at)


def redact_project(root: str, at: int) -> None:
    """What of the project whose folder is ``root`` was set aside, since it could not be read. Links are not followed."""
    place = os.path.join(root, PROJECT_FOLDER)
    if os.path.isdir(place) and not os.path.islink(place):
        for name in sorted(os.listdir(place)):
            if is_ours(name) and name != PENDING:
                _rewrite_file(os.path.join(place, name), told, at)


def _folders(home: str) -> Iterator[tuple[str, Callable[[str], str]]]:
    for name in ("log", start_files.ADVICE, start_files.REMINDERS, traces.HELD, traces.RECEIPTS):
        yield os.path.join(home, name), _lines
    yield os.path.join(home, spool.FOLDER.partition("/")[0]), _spooled


def _lines(text: str) -> str:
    return "\n".join(map(told, text.split("\n")))


def _spooled(text: str) -> str:
    """A spool is read by its fields, so its lines stay JSON and its paths stay."""
    return "\n".join(document(line, secrets) for line in text.split("\n"))


def _listed(folder: str) -> Iterator[str]:
    for top, _, names in os.walk(folder):
        for name in sorted(names):
            yield os.path.join(top, name)


def _rewrite_file(path: str, change: Callable[[str], str], at: int) -> None:
    """Put a file with the same name in its place where ``change`` changes it. What is no text of ours is left alone."""
    folder, name = os.path.split(path)
    quiet = change is not _spooled or at // 1000 - os.path.getmtime(path) > QUIET
    try:
        with Folder(folder) as opened:
            data = opened.read(name, LARGEST)
            if data is None or len(data) > LARGEST or not quiet:
                return
            text = data.decode("utf-8", "surrogateescape")
            if (done := change(text)) != text:
                opened.write(name, done.encode("utf-8", "surrogateescape"))
    except RefusedPathError:
        return  # a link, or something else that nobody of us put there
