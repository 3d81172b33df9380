"""Finds the session logs at given paths, and resolves the names of formats."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors import LogError
from mind_skills.observations.logfile import MAX_WARNINGS, read_numbered_lines
from mind_skills.observations.model import Session
from mind_skills.observations.read import FORMATS, detect_format
from mind_skills.observations.readers import codex_subagents, opencode_db

OPENCODE = "opencode"
"""A name for two formats, which the first bytes of a file distinguish: the database, and the output of `opencode export`."""
ALIASES = {
    "claude": "claude-code",
    "codex": "codex-rollout",
    "gemini-cli": "gemini",
    "mini-swe-agent": "mini-swe-traj",
    "swe-agent": "swe-agent-traj",
}
_SQLITE = b"SQLite format 3\x00"
SUFFIXES = (".jsonl", ".json", ".traj", ".db")
_FOREIGN_CODES = ("unknown_format", "not_opencode")
_SHARED_SUFFIXES = (".json", ".db")
"""Suffixes that other programs use as well. In folders, such files of other programs are skipped without an error."""


class Log(NamedTuple):
    """The log of one session. ``path`` may name a session in a database; see ``opencode_db``."""

    path: Path
    format: str


@dataclass(slots=True)
class FoundLogs:
    """The logs found, in order and without duplicates, and the paths that failed.

    Of the files in folders, ``skipped_files`` counts those with the suffix of a log that were skipped because of their
    content, and ``other_files`` counts those with another suffix.
    """

    logs: list[Log] = field(default_factory=list[Log])
    errors: list[tuple[Path, LogError]] = field(default_factory=list[tuple[Path, LogError]])
    skipped_files: int = 0
    other_files: int = 0


def find_logs(paths: Iterable[str], format_name: str | None = None) -> FoundLogs:
    """Find the logs at ``paths``, searching folders recursively.

    A file in ``paths`` may have any suffix; if it is not a log, that is an error. In folders, files are selected by
    suffix and then by content, and the logs of subagents are skipped because they are read with their session.
    ``format_name`` (from ``resolve_format``) disables detection by content, except for ``OPENCODE``. Never raises.
    """
    found = FoundLogs()
    seen: set[str] = set()
    for name in paths:
        path = Path(name)
        if os.path.isdir(path):  # Path.is_dir raises for a name that is too long
            for log in _list_folder_logs(path, found):
                if _add_if_new(log, seen):
                    _add_file(log, found, seen, format_name, is_from_folder=True)
        elif _add_if_new(path, seen):
            _add_file(path, found, seen, format_name, is_from_folder=False)
    return found


def _add_if_new(path: Path, seen: set[str]) -> bool:
    real = os.path.realpath(path)
    is_known = real in seen
    seen.add(real)
    return not is_known


def _list_folder_logs(folder: Path, found: FoundLogs) -> list[Path]:
    def record_failure(failure: OSError) -> None:
        reason = failure.strerror or str(failure)
        found.errors.append(
            (Path(str(failure.filename)), LogError("unreadable", reason, "check the folder's permissions"))
        )

    paths: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=record_failure):
        folders.sort()
        logs = [Path(parent, name) for name in sorted(files) if name.endswith(SUFFIXES)]
        found.other_files += len(files) - len(logs)
        paths += logs
    return [path for path in paths if not _is_subagent_log(path)]


def _is_subagent_log(path: Path) -> bool:
    """Return whether this is the log of a subagent whose parent's log exists. Such a log is read together with the parent's."""
    if codex_subagents.is_subagent_log(path):
        return True
    return path.parent.name == "subagents" and path.parent.parent.with_suffix(".jsonl").exists()


def _add_file(path: Path, found: FoundLogs, seen: set[str], format_name: str | None, *, is_from_folder: bool) -> None:
    file, _ = opencode_db.split_path(path)
    if os.path.exists(file) and not os.path.isfile(file):
        # A pipe can be read only once, whereas a log is read more than once.
        found.errors.append((path, LogError("not_a_file", "not a regular file", "save its content to a file first")))
        return
    try:
        resolved_format = _resolve_named_format(file, format_name) if format_name else detect_format(file)
        sessions = _list_sessions(path, resolved_format)
        found.logs += [Log(log, resolved_format) for log in sessions if log == path or _add_if_new(log, seen)]
    except LogError as failure:
        is_foreign = failure.code in _FOREIGN_CODES and path.suffix in _SHARED_SUFFIXES
        if is_from_folder and is_foreign and _fits_suffix(path):
            found.skipped_files += 1
        else:
            found.errors.append((path, failure))


def _resolve_named_format(file: Path, format_name: str) -> str:
    try:
        return resolve_file_format(file, format_name)
    except OSError:
        return detect_format(file)  # fails as well, but with the reason and a hint


def _list_sessions(path: Path, format_name: str) -> list[Path]:
    """Return one path per session: ``path`` itself, or one for each root session of a database. Raises LogError."""
    if format_name != opencode_db.FORMAT or opencode_db.split_path(path)[1]:
        return [path]
    try:
        return [path.with_name(f"{path.name}?session={name}") for name in opencode_db.list_sessions(path)]
    except OSError as failure:
        reason = failure.strerror or str(failure)
        raise LogError("not_opencode", reason, "the database may be damaged, or belong to another program") from failure


def _fits_suffix(path: Path) -> bool:
    """Return whether a file of unknown format has content that fits its suffix, and so belongs to another program."""
    with path.open("rb") as file:
        head = file.read(64).lstrip(b"\xef\xbb\xbf \r\n\t")
    return head.startswith(b"SQLite format 3") if path.suffix == ".db" else head[:1] in (b"{", b"[")


def resolve_format(name: str) -> str | None:
    """Resolve the name or alias of a format; the result may be ``OPENCODE``, and is None if the name is unknown."""
    name = ALIASES.get(name, name)
    return name if name in (*FORMATS, OPENCODE) else None


def build_format_error(name: str) -> str:
    """Return the error message for an unknown format ``name``, with the closest match, if any, and all formats."""
    near = get_close_matches(name, [*FORMATS, *ALIASES, OPENCODE], n=1)
    suggestion = f"Did you mean {ALIASES.get(near[0], near[0])}? " if near else ""
    return f"{name} is not a format. {suggestion}Use the name of a host, or one of {', '.join(sorted(FORMATS))}."


def resolve_file_format(file: Path, name: str) -> str:
    """Resolve ``OPENCODE`` by the content of the file; return other names unchanged. Raises OSError."""
    if name != OPENCODE:
        return name
    with file.open("rb") as handle:
        return "opencode-db" if handle.read(len(_SQLITE)) == _SQLITE else "opencode-export"


def explain_empty_log(log: Log, session: Session, observations: int) -> LogError | None:
    """Return why nothing was read from a log: its lines or its document are broken, or it has another format.

    ``observations`` is the number of observations read. The result is None if there are any, if the header names a
    project, if the log is a session in a database, or if the file is intact and its format is that of the log. Raises
    LogError or OSError if the log can no longer be read, and LogError if it is empty.
    """
    if observations or session.project or opencode_db.split_path(log.path)[1]:
        return None
    broken = _explain_broken(log, session) if session.warnings and session.started is None else None
    return broken or _explain_wrong_format(log)


def _explain_broken(log: Log, session: Session) -> LogError | None:
    first = session.warnings[0]
    if first.line == 0:
        return LogError("broken", first.message, "the file may be cut off: export or copy it again")
    broken = {warning.line for warning in session.warnings}
    # The number of warnings is limited: a log that exceeds the limit without any observation counts as having no valid line.
    if len(session.warnings) <= MAX_WARNINGS and any(
        number not in broken for number, _ in read_numbered_lines(log.path, Session())
    ):
        return None
    return LogError("broken", "none of its lines could be read", f"line {first.line}: {first.message}"[:200])


def _explain_wrong_format(log: Log) -> LogError | None:
    try:
        detected = detect_format(log.path)
    except LogError as failure:
        if failure.code != "unknown_format":
            raise
        return LogError("wrong_format", f"nothing in the file is {log.format}", "choose a file that is a session log")
    if detected == log.format:
        return None
    hint = f"the file seems to be {detected}: leave out --format"
    return LogError("wrong_format", f"nothing in the file is {log.format}", hint)
