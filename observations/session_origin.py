"""Detects sessions that begin as a copy of another or continue another: forks, and resumed sessions for which the client writes a new log.

The copied part was already processed with the original session. Copies were observed with Claude Code 2.1.329, Codex 0.169 and
OpenCode 1.18.33; Gemini CLI 0.61 never copies a session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mind_skills.observations.codec import JsonObject, as_object, as_string, get_first_string, parse_time
from mind_skills.observations.logfile import read_objects
from mind_skills.observations.model import Session
from mind_skills.observations.readers import claude_files, codex, codex_files, gemini, opencode_db
from mind_skills.observations.readers.claude_code import SYNTHETIC
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_HEADER_LINES = 500
"""Maximum number of messages that are searched for the id of the original session, and of lines that are searched for the first
message. The model's first answer is among the first twenty."""
MAX_HASHED_LINES = 1_000_000
"""Maximum number of messages of the original log whose ids are held in memory, as 8-byte hashes in a set."""
_ID = compile_lazily(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Origin(NamedTuple):
    """The original of a copied session: its id (``session_id``, empty if unknown) and its ``log`` (None if unknown).

    The copy's own content starts at ``at`` (UTC milliseconds).
    """

    session_id: str
    log: Path | None
    at: int


def find_origin(path: Path, format_name: str, candidate_logs: Iterable[Path] = ()) -> Origin | None:
    """Find the original of a copied session; None if the session is not a copy.

    Older versions of Claude Code do not name the original; then it is the first of the ``candidate_logs`` that begins with the same
    message. Raises OSError.
    """
    if format_name == "claude-code":
        return _find_claude_origin(path, candidate_logs)
    if format_name == "codex-rollout":
        return _find_codex_origin(path)
    if format_name == "opencode-db":
        at = opencode_db.get_fork_time(path)
        return Origin("", None, at) if at else None
    return None


def find_own_start(path: Path, format_name: str, other: Path) -> int | None:
    """Return the time (UTC ms) of the first record of a log that another log of the same session does not contain.

    If the other log contains all of them, return None. Records without an id do not count. Raises OSError.
    """
    known = {hash(key) for key, _ in islice(_list_keys(other, format_name), MAX_HASHED_LINES)}
    own = (at for key, at in _list_keys(path, format_name) if hash(key) not in known)
    start = next(own, None)
    return None if start is None else max(1, start)


def _list_keys(path: Path, format_name: str) -> Iterator[tuple[str, int]]:
    """Yield what identifies each record of a log, and its time in UTC milliseconds, or 0."""
    for entry in gemini.list_messages(path) if format_name == "gemini" else _read_entries(path):
        if format_name == "codex-rollout":
            key = codex.get_record_key(as_object(entry.get("payload")) or entry)
        else:
            key = get_first_string(entry, "uuid", "id") if entry.get("type") in ("user", "assistant", "gemini") else ""
        if key:
            yield key, parse_time(entry.get("timestamp")) or 0


def _read_entries(path: Path) -> Iterator[JsonObject]:
    return (entry for _, entry in read_objects(path, Session()))


def _find_codex_origin(path: Path) -> Origin | None:
    header = codex_files.read_header(path)
    origin_id = header.forked_from if _ID.fullmatch(header.forked_from) else ""
    log_id = header.base_id if _ID.fullmatch(header.base_id) else origin_id
    if log_id and header.at is not None:
        return Origin(origin_id or header.thread_id, codex_files.find_log(path, log_id, later=False), header.at)
    return None


def _find_claude_origin(path: Path, candidate_logs: Iterable[Path]) -> Origin | None:
    origin_id, last_time = _find_origin_id(path)
    log = path.with_name(f"{origin_id}.jsonl") if origin_id else _find_log_with_same_start(path, candidate_logs)
    log = log or claude_files.find_predecessor(path)
    if log is None:
        return None
    try:
        original_hashes = {
            hash(as_string(entry.get("uuid"))) for entry in islice(_read_messages(log), MAX_HASHED_LINES)
        }
    except OSError:
        return Origin(origin_id, None, last_time + 1)
    for entry in _read_messages(path):
        at = parse_time(entry.get("timestamp"))
        if at is not None and hash(as_string(entry.get("uuid"))) not in original_hashes:
            return Origin(log.stem, log, at)
        last_time = max(last_time, at or 0)
    return Origin(log.stem, log, last_time + 1)


def _find_origin_id(path: Path) -> tuple[str, int]:
    """Return the id of the session from which messages were copied, or "", and the time of the last copied message (UTC ms).

    A copied message names the original session in ``requestSessionId``, ``forkedFrom`` or ``sessionId``.
    """
    own_id = path.stem if _ID.fullmatch(path.stem) else ""
    origin_id, last_time = "", 0
    for index, entry in enumerate(_read_messages(path)):
        session_id = (
            as_string(entry.get("requestSessionId"))
            or as_string(as_object(entry.get("forkedFrom")).get("sessionId"))
            or as_string(entry.get("sessionId"))
        )
        if _ID.fullmatch(session_id) and session_id != (own_id or as_string(entry.get("sessionId"))):
            origin_id = origin_id or session_id
            last_time = max(last_time, parse_time(entry.get("timestamp")) or 0)
        elif entry.get("type") == "assistant" and as_object(entry.get("message")).get("model") != SYNTHETIC:
            break  # the first answer that was not copied
        elif not origin_id and index >= MAX_HEADER_LINES:
            break
    return origin_id, last_time


def _find_log_with_same_start(path: Path, candidate_logs: Iterable[Path]) -> Path | None:
    first_id = _read_first_id(path)
    if not _ID.fullmatch(first_id):
        return None
    return next((log for log in candidate_logs if log != path and _read_first_id(log) == first_id), None)


def _read_first_id(path: Path) -> str:
    """Return the id of the first message of a Claude Code log; an empty string if there is none, or if the log cannot be read."""
    try:
        return next((as_string(entry.get("uuid")) for entry in _read_messages(path, MAX_HEADER_LINES)), "")
    except OSError:
        return ""


def _read_messages(path: Path, limit: int | None = None) -> Iterator[JsonObject]:
    """Yield the user and assistant entries among the first ``limit`` entries of a Claude Code log (None: all)."""
    for entry in islice(_read_entries(path), limit):
        if entry.get("type") in ("user", "assistant"):
            yield entry
