"""From the paths of a command line to the session logs that they stand for, each with its format."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors import LogError
from mind_skills.observations.logfile import MAX_WARNINGS, numbered_lines
from mind_skills.observations.model import Session
from mind_skills.observations.read import FORMATS, choose
from mind_skills.observations.readers import codex_subagents, opencode_db

OPENCODE = "opencode"
"""Two formats, told apart by the first bytes of the file: its database, and what `opencode export` prints."""
ALIASES = {
    "claude": "claude-code",
    "codex": "codex-rollout",
    "gemini-cli": "gemini",
    "mini-swe-agent": "mini-swe-traj",
    "swe-agent": "swe-agent-traj",
}
_SQLITE = b"SQLite format 3\x00"
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


def find_logs(paths: Iterable[str], format_name: str | None = None) -> Sources:
    """The logs under ``paths``: files as they are named, folders with all that is in them.

    A file that was named must be readable, and is tried whatever it is called. In a folder, files count by suffix and
    then by content, and a subagent's log counts as part of its session. With ``format_name`` the content is not looked
    at; it is one that ``resolve_format`` gives. Never raises.
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
        return format_of_file(file, format_name)
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


def resolve_format(name: str) -> str | None:
    """The format that ``name`` means, or ``OPENCODE``; None where it means none."""
    name = ALIASES.get(name, name)
    return name if name in (*FORMATS, OPENCODE) else None


def advise_format(name: str) -> str:
    """What to say to a ``name`` that means no format: the nearest that does, and all there are."""
    near = get_close_matches(name, [*FORMATS, *ALIASES, OPENCODE], n=1)
    suggestion = f"did you mean {ALIASES.get(near[0], near[0])}? " if near else ""
    return f"{name} is not a format; {suggestion}There are {', '.join(sorted(FORMATS))}, and the names of the hosts."


def format_of_file(file: Path, name: str) -> str:
    """The format that a known ``name`` means for this file. Raises OSError where that takes a look and it cannot be read."""
    if name != OPENCODE:
        return name
    with file.open("rb") as handle:
        return "opencode-db" if handle.read(len(_SQLITE)) == _SQLITE else "opencode-export"


def explain_unread(log: Log, session: Session, observations: int) -> LogError | None:
    """Why nothing was read: every line, or the document, is broken, or it is of another format than it was read as.

    None where anything was read: an observation, or a header alone, as of a session that has just begun. Raises
    LogError where the log cannot be read any more.
    """
    if observations or session.project or opencode_db.split(log.path)[1]:
        return None
    broken = _broken(log, session) if session.warnings and session.started is None else None
    return broken or _of_another_format(log)


def _broken(log: Log, session: Session) -> LogError | None:
    first = session.warnings[0]
    if first.line == 0:
        return LogError("broken", first.message, "it may be cut off: export or copy it again")
    broken = {warning.line for warning in session.warnings}
    # Warnings are listed up to a limit: a log that reaches it without one line that says anything has none.
    if len(session.warnings) <= MAX_WARNINGS and any(
        number not in broken for number, _ in numbered_lines(log.path, Session())
    ):
        return None
    return LogError("broken", "not one of its lines could be read", f"line {first.line}: {first.message}"[:200])


def _of_another_format(log: Log) -> LogError | None:
    try:
        looks = choose(log.path)
    except LogError as failure:
        if failure.code != "unknown_format":
            raise
        return LogError("wrong_format", f"nothing in it is {log.format}", "it is not a log of any known host")
    if looks == log.format:
        return None
    return LogError("wrong_format", f"nothing in it is {log.format}", f"it looks like {looks}: leave --format out")
