"""Open a log of any known format: the reader is chosen by content, never by the name of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from mind_skills.errors import LogError
from mind_skills.observations.marks import Progress
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.opening import opened
from mind_skills.redaction.lazy_pattern import compile_later

FORMATS = (
    "capture",
    "opencode-db",
    "opencode-export",
    "codex-rollout",
    "gemini",
    "swe-agent-traj",
    "mini-swe-traj",
    "claude-code",
)
"""In the order in which they are tried: Claude Code's marks (``sessionId``) occur in the logs of other hosts, too."""
_MODULES = {
    "capture": "capture",
    "claude-code": "claude_code",
    "codex-rollout": "codex",
    "opencode-export": "opencode",
    "opencode-db": "opencode_db",
    "gemini": "gemini",
    "swe-agent-traj": "swe_agent",
    "mini-swe-traj": "mini_swe_agent",
}
HEAD = 64 * 1024
"""Bytes by which a format is chosen."""
_COMMENT = compile_later(rb"[ \t\r\xef\xbb\xbf]*(?://|#|--|;|\r?\n)")


class Reader(Protocol):
    """A module of ``observations.readers``."""

    FORMAT: str
    HOST: str
    sniff: Callable[[bytes], bool]
    read: Callable[[Path, Session], Iterator[Observation]]


class Log(NamedTuple):
    """An opened log: the header fills while ``observations`` is consumed."""

    session: Session
    observations: Iterator[Observation]


def reader(name: str) -> Reader:
    """The reader of a format.

    Raises:
        LogError: there is no such format.
    """
    if name not in _MODULES:
        raise LogError("unknown_format", f"there is no format {name!r}", f"one of {', '.join(FORMATS)}")
    return cast(Reader, import_module(f"mind_skills.observations.readers.{_MODULES[name]}"))


def choose(path: Path) -> str:
    """The format of a file, by its first 64 KiB.

    Raises:
        LogError: it cannot be opened, is empty, or is of no known format.
    """
    if within_a_database(path):
        return "opencode-db"
    try:
        with opened(path) as handle:
            head = handle.read(HEAD)
    except OSError as error:
        raise _unreadable(error) from error
    if not head.strip(b"\x00 \r\n\t\xef\xbb\xbf"):
        raise LogError("empty", "the file is empty", "a session that was just started has no log yet")
    for start in (head, _behind_comments(head)):
        for name in FORMATS if start else ():
            if reader(name).sniff(start):
                return name
    raise LogError(
        "unknown_format",
        "not a session log of a known host",
        "logs are known by what they begin with; one that begins otherwise can be read with --format",
    )


def _behind_comments(head: bytes) -> bytes:
    """What follows the lines of comments that a file begins with, as somebody who passed it on wrote them; empty for none.

    Such a line is a warning of a log of lines. One that is a single document cannot be read behind it.
    """
    start = 0
    while _COMMENT.match(head, start):
        start = head.find(b"\n", start) + 1
        if not start:
            return b""
    return head[start:] if start else b""


def extent(path: Path) -> tuple[int, int]:
    """How far a log has been written: its size in bytes and its mtime in ns.

    For one session of a database it is the number of its parts, and when the last of them changed, in ns.

    Raises:
        OSError: it cannot be looked at. FileNotFoundError where there is no log yet.
    """
    if within_a_database(path):
        from mind_skills.observations.readers import opencode_db

        return opencode_db.extent(path)
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def within_a_database(path: Path) -> bool:
    """Whether this names one session of a database (``opencode.db?session=ID``), which its reader finds."""
    return "?session=" in path.name and not path.exists()


def open_log(path: Path, format_name: str | None = None, progress: Progress | None = None) -> Log:
    """Open a log; nothing but its head is read until ``observations`` is consumed.

    With ``progress`` reading begins where it says, and how far it gets is told (observations/following.py).

    Raises:
        LogError: see ``choose``; and, while the observations are consumed, when the file becomes unreadable.
    """
    session = Session(path=str(path), progress=progress)
    found = reader(format_name or choose(path))
    session.format, session.host = found.FORMAT, found.HOST
    return Log(session, _guarded(found.read(path, session)))


def read_session(path: Path, format_name: str | None = None) -> Session:
    """Read a whole log into memory. For logs of any size use ``open_log``.

    Raises:
        LogError: it cannot be read.
    """
    log = open_log(path, format_name)
    log.session.observations.extend(log.observations)
    return log.session


def _guarded(observations: Iterator[Observation]) -> Iterator[Observation]:
    try:
        yield from observations
    except OSError as error:
        raise _unreadable(error) from error


def _unreadable(error: OSError) -> LogError:
    hints = {
        "IsADirectoryError": "name the files in it, or use `mind-skills replay FOLDER`",
        "FileNotFoundError": "the path does not exist, or vanished while it was read",
        "PermissionError": "the file belongs to somebody else: check its mode",
    }
    code = {"IsADirectoryError": "directory", "FileNotFoundError": "not_found", "PermissionError": "no_permission"}
    name = type(error).__name__
    return LogError(
        code.get(name, "unreadable"), error.strerror or str(error), hints.get(name, "check the file and its disk")
    )
