"""Finds the session logs at the given paths, resolves the names of formats, and explains why nothing was read from a log."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors import LogError
from mind_skills.observations.logfile import MAX_WARNINGS, read_numbered_lines
from mind_skills.observations.model import Session
from mind_skills.observations.open_file import COMPRESSED_SUFFIX, SQLITE_MAGIC, can_decompress
from mind_skills.observations.read import FORMATS, LOCKED_HINT, detect_format
from mind_skills.observations.readers import antigravity, claude_files, codex_files, gemini, opencode_db
from mind_skills.observations.session_origin import find_own_start
from mind_skills.store.light_dataclasses import dataclass, field

OPENCODE = "opencode"
"""The name of two formats, which the first bytes of a file distinguish: the database, and the output of `opencode export`."""
ALIASES = {
    "agy": "antigravity",
    "claude": "claude-code",
    "codex": "codex-rollout",
    "gemini-cli": "gemini",
    "mini-swe-agent": "mini-swe-traj",
    "swe-agent": "swe-agent-traj",
}

SUFFIXES = (".jsonl", ".json", ".traj", ".db")
_COMPRESSED_SUFFIX = f".jsonl{COMPRESSED_SUFFIX}"
_FOREIGN_CODES = ("unknown_format", "not_opencode")
_SHARED_SUFFIXES = (".json", ".db")
"""Suffixes that many other programs use as well. In folders, the files of other programs are skipped without an error."""


class Log(NamedTuple):
    """The log of one session. ``path`` may name a session in a database; see ``opencode_db``."""

    path: Path
    format: str


@dataclass(slots=True)
class FoundLogs:
    """The logs found, in order and without duplicates, and the paths that failed, each with its error.

    ``skipped_files`` is the number of files in folders that have the suffix of a log but were skipped because of their content.
    ``other_files`` is the number of files in folders with another suffix. ``compressed`` are logs in folders that cannot be read.
    """

    logs: list[Log] = field(default_factory=list[Log])
    errors: list[tuple[Path, LogError]] = field(default_factory=list[tuple[Path, LogError]])
    skipped_files: int = 0
    other_files: int = 0
    compressed: list[str] = field(default_factory=list[str])


def find_logs(paths: Iterable[str], format_name: str | None = None) -> FoundLogs:
    """Find the logs at ``paths``, searching folders recursively.

    A file in ``paths`` may have any suffix; if it is not a log, that is an error. In folders, files are selected by suffix and
    then by content. The logs of subagents are skipped because they are read together with their parent's log, and a chat of Gemini CLI
    if a newer version copied it.
    ``format_name`` (from ``resolve_format``) disables detection by content, except for ``OPENCODE``. Never raises.
    """
    found = FoundLogs()
    seen_paths: set[str] = set()
    for name in paths:
        path = Path(name)
        if os.path.isdir(path):  # Path.is_dir raises for a name that is too long
            for log in _list_folder_logs(path, found):
                if _add_if_new(log, seen_paths):
                    _add_file(log, found, seen_paths, format_name, is_from_folder=True)
        elif _add_if_new(path, seen_paths):
            _add_file(path, found, seen_paths, format_name, is_from_folder=False)
    return found


def _add_if_new(path: Path, seen_paths: set[str]) -> bool:
    """Add the real path to ``seen_paths``, and return whether it was missing."""
    real_path = os.path.realpath(path)
    is_new = real_path not in seen_paths
    seen_paths.add(real_path)
    return is_new


def _list_folder_logs(folder: Path, found: FoundLogs) -> list[Path]:
    """Return the files in a folder that have the suffix of a log, except logs of subagents and chats that were copied.

    Add the errors and the number of other files to ``found``.
    """

    def record_failure(failure: OSError) -> None:
        reason = failure.strerror or str(failure)
        found.errors.append(
            (Path(str(failure.filename)), LogError("unreadable", reason, "check the folder's permissions"))
        )

    paths: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=record_failure):
        folders.sort()
        suffixes = (*SUFFIXES, _COMPRESSED_SUFFIX) if can_decompress() else SUFFIXES
        logs = [Path(parent, name) for name in sorted(files) if name.endswith(suffixes)]
        compressed = [] if can_decompress() else [name for name in sorted(files) if name.endswith(_COMPRESSED_SUFFIX)]
        found.compressed += [os.path.join(parent, name) for name in compressed]
        found.other_files += len(files) - len(logs) - len(compressed)
        paths += logs
    return [path for path in paths if not is_subagent_log(path) and not _is_copied_chat(path)]


def _is_copied_chat(path: Path) -> bool:
    """Return whether this is a chat of Gemini CLI that a newer version copied to a JSONL file beside it, and continues there."""
    copy = path.with_suffix(".jsonl")
    return path.match("session-*.json") and copy.exists() and find_own_start(path, "gemini", copy) is None


def is_subagent_log(path: Path) -> bool:
    """Return whether this is the log of a subagent that is read together with its parent's log, because that log exists.

    The cut copies and parts of a transcript of Antigravity count as such logs, too.
    """
    return (
        codex_files.is_subagent_log(path)
        or claude_files.is_subagent_log(path)
        or gemini.is_subagent_log(path)
        or antigravity.is_secondary_log(path)
    )


def _add_file(
    path: Path, found: FoundLogs, seen_paths: set[str], format_name: str | None, *, is_from_folder: bool
) -> None:
    file, _ = opencode_db.split_path(path)
    if os.path.exists(file) and not os.path.isfile(file):
        # A log is read more than once, which is impossible with a pipe.
        found.errors.append((path, LogError("not_a_file", "not a regular file", "save its content to a file first")))
        return
    try:
        resolved_format = _resolve_file_format(file, format_name) if format_name else detect_format(file)
        sessions = _list_sessions(path, resolved_format)
        found.logs += [Log(log, resolved_format) for log in sessions if log == path or _add_if_new(log, seen_paths)]
    except LogError as failure:
        is_foreign = failure.code in _FOREIGN_CODES and path.suffix in _SHARED_SUFFIXES
        if is_from_folder and is_foreign and _fits_suffix(path):
            found.skipped_files += 1
        else:
            found.errors.append((path, failure))


def _resolve_file_format(file: Path, name: str) -> str:
    """Resolve ``OPENCODE`` by the content of the file; return other names unchanged. Raises LogError."""
    if name != OPENCODE:
        return name
    try:
        with file.open("rb") as handle:
            return "opencode-db" if handle.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC else "opencode-export"
    except OSError:
        return detect_format(file)  # raises a LogError with the reason and a hint


def _list_sessions(path: Path, format_name: str) -> list[Path]:
    """Return one path per session: ``path`` itself, or one for each root session of a database. Raises LogError."""
    file, session_id = opencode_db.split_path(path)
    if format_name != "opencode-db" or session_id:
        return [path]
    try:
        return [file.with_name(f"{file.name}?session={name}") for name in opencode_db.list_sessions(file)]
    except OSError as failure:
        reason = failure.strerror or str(failure)
        if failure.errno == errno.ENOTSUP:
            raise LogError("newer_opencode", reason, "only sessions of OpenCode 1.x can be read") from failure
        if failure.errno == errno.EBUSY:
            raise LogError("locked", reason, LOCKED_HINT) from failure
        raise LogError("not_opencode", reason, "the database may be damaged, or belong to another program") from failure


def _fits_suffix(path: Path) -> bool:
    """Return whether the content of a file of unknown format fits its suffix, so that the file belongs to another program."""
    with path.open("rb") as file:
        head = file.read(64).lstrip(b"\xef\xbb\xbf \r\n\t")
    return head.startswith(b"SQLite format 3") if path.suffix == ".db" else head[:1] in (b"{", b"[")


def resolve_format(name: str) -> str | None:
    """Resolve the name or alias of a format; the result may be ``OPENCODE``, and is None if the name is unknown."""
    name = ALIASES.get(name, name)
    return name if name in (*FORMATS, OPENCODE) else None


def build_format_message(name: str) -> str:
    """Return the error message for an unknown format: it suggests the closest match, if there is one, and lists all formats."""
    matches = get_close_matches(name, [*FORMATS, *ALIASES, OPENCODE], n=1)
    suggestion = f"Did you mean {ALIASES.get(matches[0], matches[0])}? " if matches else ""
    return f"{name} is not a format. {suggestion}Use the name of a host, or one of {', '.join(sorted(FORMATS))}."


def explain_empty_log(log: Log, session: Session, observation_count: int) -> LogError | None:
    """Return why nothing was read from a log: its lines or its document are broken, or it has another format.

    The result is None if any observation was read, if the header names a project, if the log is a session in a database, or if the
    file is intact and has the log's format. Raises LogError or OSError if the log can no longer be read, and LogError if it is empty.
    """
    if observation_count or session.project or opencode_db.split_path(log.path)[1]:
        return None
    broken = _explain_broken(log, session) if session.warnings and session.started is None else None
    return broken or _explain_wrong_format(log)


def _explain_broken(log: Log, session: Session) -> LogError | None:
    first_warning = session.warnings[0]
    if first_warning.line == 0:
        return LogError("broken", first_warning.message, "the file may be truncated: export or copy it again")
    broken_lines = {warning.line for warning in session.warnings}
    # The number of warnings is limited. If a log exceeds the limit and has no observation, all of its lines count as broken.
    if len(session.warnings) <= MAX_WARNINGS and any(
        line_number not in broken_lines for line_number, _ in read_numbered_lines(log.path, Session())
    ):
        return None
    hint = f"line {first_warning.line}: {first_warning.message}"[:200]
    return LogError("broken", "none of its lines could be read", hint)


def _explain_wrong_format(log: Log) -> LogError | None:
    try:
        detected = detect_format(log.path)
    except LogError as failure:
        if failure.code != "unknown_format":
            raise
        return LogError("wrong_format", f"the file has no {log.format} entries", "choose a file that is a session log")
    if detected == log.format:
        return None
    hint = f"the file seems to have the format {detected}: omit --format"
    return LogError("wrong_format", f"the file has no {log.format} entries", hint)
