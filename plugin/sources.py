"""From the paths of a command line to the logs that they stand for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors import LogError
from mind_skills.observations.read import choose
from mind_skills.observations.readers import codex_subagents, opencode_db
from mind_skills.plugin import formats

SUFFIXES = (".jsonl", ".json", ".traj", ".db")
_NOT_OURS = ("unknown_format", "not_opencode")
_SHARED = (".json", ".db")
"""Suffixes that every other program uses as well: in a folder, such a file of another kind is passed over without a word of error."""


class Log(NamedTuple):
    """One log of one session. ``path`` may name a session inside a database; see the reader of opencode.db."""

    path: Path
    format: str


@dataclass(slots=True)
class Sources:
    """The logs to read, in order and each once; what could not be, with the reason; and how many files of other kinds were met.

    ``passed_over`` counts those that are called like a log and hold something else, ``unlike`` those that are not
    even called like one.
    """

    logs: list[Log] = field(default_factory=list[Log])
    errors: list[tuple[Path, LogError]] = field(default_factory=list[tuple[Path, LogError]])
    passed_over: int = 0
    unlike: int = 0


def find(paths: Iterable[str], format_name: str | None = None) -> Sources:
    """The logs under ``paths``: files as they are named, folders with all that is in them.

    A file that was named must be readable, and is tried whatever it is called. In a folder, files count by suffix and
    then by content, and a subagent's log counts as part of its session. With ``format_name`` the content is not looked
    at; it is one that plugin/formats.py knows. Never raises.
    """
    found = Sources()
    seen: set[str] = set()
    for name in paths:
        path = Path(name)
        if path.is_dir():
            for member in _members(path, found):
                if _new(member, seen):
                    _take(member, found, format_name, walked=True)
        elif _new(path, seen):
            _take(path, found, format_name, walked=False)
    return found


def _new(path: Path, seen: set[str]) -> bool:
    real = os.path.realpath(path)
    known = real in seen
    seen.add(real)
    return not known


def _members(folder: Path, found: Sources) -> list[Path]:
    def failed(failure: OSError) -> None:
        reason = failure.strerror or str(failure)
        found.errors.append((Path(str(failure.filename)), LogError("unreadable", reason, "check the folder's mode")))

    members: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=failed):
        folders.sort()
        logs = [Path(parent, name) for name in sorted(files) if name.endswith(SUFFIXES)]
        found.unlike += len(files) - len(logs)
        members += logs
    return [member for member in members if not _of_a_session(member)]


def _of_a_session(path: Path) -> bool:
    """Whether this is a subagent's log beside the transcript that it belongs to, whose reader takes it along."""
    if codex_subagents.belongs(path):
        return True
    return path.parent.name == "subagents" and path.parent.parent.with_suffix(".jsonl").exists()


def _take(path: Path, found: Sources, format_name: str | None, *, walked: bool) -> None:
    file, _ = opencode_db.split(path)
    if file.exists() and not file.is_file():
        # Opening a pipe waits for its writer, and a log is read more than once.
        found.errors.append((path, LogError("not_a_file", "not a regular file", "save it to a file first")))
        return
    try:
        chosen = _named(file, format_name) if format_name else choose(file)
        found.logs += [Log(log, chosen) for log in _sessions(path, chosen)]
    except LogError as failure:
        others = walked and failure.code in _NOT_OURS and path.suffix in _SHARED and _of_another_program(path)
        if others:
            found.passed_over += 1
        else:
            found.errors.append((path, failure))


def _named(file: Path, format_name: str) -> str:
    try:
        return formats.of(file, format_name)
    except OSError:
        return choose(file)  # fails as well, with the reason and a hint


def _sessions(path: Path, format_name: str) -> list[Path]:
    """The sessions in a file: itself, or those of a database, each by its own name."""
    if format_name != opencode_db.FORMAT or opencode_db.split(path)[1]:
        return [path]
    try:
        return [path.with_name(f"{path.name}?session={name}") for name in opencode_db.sessions(path)]
    except OSError as failure:
        reason = failure.strerror or str(failure)
        raise LogError("not_opencode", reason, "it may be another program's, or damaged") from failure


def _of_another_program(path: Path) -> bool:
    """Whether a file of no known format is at least what its suffix says, and so presumably somebody else's."""
    with path.open("rb") as file:
        head = file.read(64).lstrip(b"\xef\xbb\xbf \r\n\t")
    return head.startswith(b"SQLite format 3") if path.suffix == ".db" else head[:1] in (b"{", b"[")
