"""Opens logs. Their format is detected from their content, or from ``?session=`` in the path of a session in a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from mind_skills.errors import LogError
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.open_file import open_log_file
from mind_skills.observations.positions import Progress
from mind_skills.redaction.lazy_pattern import compile_lazily

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
"""Formats in the order in which they are tried. Claude Code's is the last, because its keys, such as ``sessionId``, also occur in
the logs of other hosts."""
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
HEAD_BYTES = 64 * 1024
"""Number of bytes at the beginning of a file from which its format is detected."""
_COMMENT = compile_lazily(rb"[ \t\r\xef\xbb\xbf]*(?://|#|--|;|\r?\n)")


class Reader(Protocol):
    """The interface of the reader modules in ``observations.readers``."""

    FORMAT: str
    HOST: str
    sniff: Callable[[bytes], bool]
    read: Callable[[Path, Session], Iterator[Observation]]


class OpenLog(NamedTuple):
    """An open log. The session's header is filled while ``observations`` is consumed."""

    session: Session
    observations: Iterator[Observation]


def load_reader(name: str) -> Reader:
    """Import and return the reader of a format.

    Raises:
        LogError: the format is unknown.
    """
    if name not in _MODULES:
        raise LogError("unknown_format", f"there is no format {name!r}", f"use one of {', '.join(FORMATS)}")
    return cast(Reader, import_module(f"mind_skills.observations.readers.{_MODULES[name]}"))


def detect_format(path: Path) -> str:
    """Detect the format of a file from its first 64 KiB. A path that names a session in a database is not opened.

    Raises:
        LogError: the file cannot be opened, is empty, or has an unknown format.
    """
    if is_database_session(path):
        return "opencode-db"
    try:
        with open_log_file(path) as handle:
            head = handle.read(HEAD_BYTES)
    except OSError as error:
        raise _build_error(error) from error
    if not head.strip(b"\x00 \r\n\t\xef\xbb\xbf"):
        raise LogError("empty", "the file is empty", "if the session has just started, try again later")
    for start in (head, _skip_comments(head)):
        for name in FORMATS if start else ():
            if load_reader(name).sniff(start):
                return name
    raise LogError(
        "unknown_format",
        "not a session log of a known host",
        "if it is one, name its format with --format: it could not be detected from the beginning of the file",
    )


def _skip_comments(head: bytes) -> bytes:
    """Return the head without leading comments and blank lines, which people add to logs; empty if the log begins with neither.

    In a JSONL log, each comment line then adds a warning. A single document that begins with a comment cannot be read.
    """
    start = 0
    while _COMMENT.match(head, start):
        start = head.find(b"\n", start) + 1
        if not start:
            return b""
    return head[start:] if start else b""


def stat_log(path: Path) -> tuple[int, int]:
    """Return a log's size in bytes and its mtime in ns.

    For a session in a database, return the number of its parts and the time of the last change in ns.

    Raises:
        OSError: the file cannot be accessed. FileNotFoundError if there is no log yet.
    """
    if is_database_session(path):
        from mind_skills.observations.readers import opencode_db

        return opencode_db.get_extent(path)
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def is_database_session(path: Path) -> bool:
    """Return whether the path names a session in a database, as in ``opencode.db?session=ID``."""
    return "?session=" in path.name and not path.exists()


def open_log(path: Path, format_name: str | None = None, progress: Progress | None = None) -> OpenLog:
    """Open a log. Until ``observations`` is consumed, only the head of the log is read, if at all.

    With ``progress``, reading starts at its mark, and ``progress`` is updated (observations/incremental.py).

    Raises:
        LogError: see ``detect_format`` and ``load_reader``. While ``observations`` is consumed: the log cannot be read.
        RewrittenError: while ``observations`` is consumed: the log is not the one that ``progress`` belongs to.
    """
    session = Session(path=str(path), progress=progress)
    format_reader = load_reader(format_name or detect_format(path))
    session.format, session.host = format_reader.FORMAT, format_reader.HOST
    return OpenLog(session, _convert_errors(format_reader.read(path, session)))


def read_session(path: Path, format_name: str | None = None) -> Session:
    """Read an entire log into memory. For a log that may be too large for that, use ``open_log``.

    Raises:
        LogError: the log cannot be read, or its format is unknown.
    """
    log = open_log(path, format_name)
    log.session.observations.extend(log.observations)
    return log.session


def _convert_errors(observations: Iterator[Observation]) -> Iterator[Observation]:
    try:
        yield from observations
    except OSError as error:
        raise _build_error(error) from error


def _build_error(error: OSError) -> LogError:
    hints = {
        "IsADirectoryError": "name the files in the folder, or use `mind-skills replay FOLDER`",
        "FileNotFoundError": "check the path; the file may have been removed while it was being read",
        "PermissionError": "check the owner and permissions of the file",
    }
    code = {"IsADirectoryError": "directory", "FileNotFoundError": "not_found", "PermissionError": "no_permission"}
    name = type(error).__name__
    return LogError(
        code.get(name, "unreadable"), error.strerror or str(error), hints.get(name, "check the file and its disk")
    )
