"""Detects sessions that begin as a copy of another: forks, and resumed sessions for which the client writes a new log.

The copied part has already been processed with the original session. Copies were observed with Claude Code 2.1.329, Codex 0.169 and
OpenCode 1.18.33; Gemini CLI 0.61 never copies a session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mind_skills.observations.codec import JsonObject, as_object, as_string, parse_time
from mind_skills.observations.logfile import read_objects
from mind_skills.observations.model import Session
from mind_skills.observations.readers import codex_subagents, opencode_db
from mind_skills.observations.readers.claude_code import SYNTHETIC
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_HEADER_LINES = 500
"""Maximum number of messages searched for the id of the original session, and of lines searched for the first message;
the model's first answer is among the first twenty."""
MAX_HASHED_LINES = 1_000_000
"""Maximum number of messages of the original log whose ids are held in memory, as a set of 8-byte hashes."""
_ID = compile_lazily(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Origin(NamedTuple):
    """The original of a copied session: its ``session`` id (empty if unknown), and its ``log`` (None if not found).

    The copy's own content starts at ``at`` (UTC milliseconds).
    """

    session: str
    log: Path | None
    at: int


def find_origin(path: Path, format_name: str, known_logs: Iterable[Path] = ()) -> Origin | None:
    """Find the original of a copied session; None if the session is not a copy.

    ``known_logs`` are the logs that may be the original. Older versions of Claude Code do not name it; then it is the
    first of the ``known_logs`` that begins with the same message. Raises OSError.
    """
    if format_name == "claude-code":
        return _find_claude_origin(path, known_logs)
    if format_name == "codex-rollout":
        return _find_codex_origin(path)
    if format_name == "opencode-db":
        at = opencode_db.get_fork_time(path)
        return Origin("", None, at) if at else None
    return None


def _find_codex_origin(path: Path) -> Origin | None:
    for _, entry in islice(read_objects(path, Session()), 1):
        meta = as_object(entry.get("payload"))
        name = as_string(meta.get("forked_from_id"))
        at = parse_time(meta.get("timestamp")) or parse_time(entry.get("timestamp"))
        if _ID.fullmatch(name) and at is not None:
            return Origin(name, codex_subagents.find_earlier_log(path, name), at)
    return None


def _find_claude_origin(path: Path, known_logs: Iterable[Path]) -> Origin | None:
    name, last = _find_origin_id(path)
    log = path.with_name(f"{name}.jsonl") if name else _find_log_with_same_start(path, known_logs)
    if log is None:
        return None
    try:
        original_hashes = {
            hash(as_string(entry.get("uuid"))) for entry in islice(_read_messages(log), MAX_HASHED_LINES)
        }
    except OSError:
        return Origin(name, None, last + 1)
    for entry in _read_messages(path):
        at = parse_time(entry.get("timestamp"))
        if at is not None and hash(as_string(entry.get("uuid"))) not in original_hashes:
            return Origin(log.stem, log, at)
        last = max(last, at or 0)
    return Origin(log.stem, log, last + 1)


def _find_origin_id(path: Path) -> tuple[str, int]:
    """Return the id of the session from which messages were copied, or "", and the time of the last of these (UTC ms).

    A copied message has the id of the original session as ``requestSessionId``, ``forkedFrom`` or ``sessionId``.
    """
    own = path.stem if _ID.fullmatch(path.stem) else ""
    name, last = "", 0
    for number, entry in enumerate(_read_messages(path)):
        origin_id = as_string(entry.get("requestSessionId")) or as_string(
            as_object(entry.get("forkedFrom")).get("sessionId")
        )
        session_id = origin_id or as_string(entry.get("sessionId"))
        if _ID.fullmatch(session_id) and session_id != (own or as_string(entry.get("sessionId"))):
            name, last = name or session_id, max(last, parse_time(entry.get("timestamp")) or 0)
        elif entry.get("type") == "assistant" and as_object(entry.get("message")).get("model") != SYNTHETIC:
            break  # the first answer that was not copied
        elif not name and number >= MAX_HEADER_LINES:
            break
    return name, last


def _find_log_with_same_start(path: Path, known_logs: Iterable[Path]) -> Path | None:
    first = _read_first_id(path)
    return next(
        (log for log in known_logs if log != path and _ID.fullmatch(first) and _read_first_id(log) == first), None
    )


def _read_first_id(path: Path) -> str:
    try:
        return next((as_string(entry.get("uuid")) for entry in _read_messages(path, MAX_HEADER_LINES)), "")
    except OSError:
        return ""  # the log was deleted


def _read_messages(path: Path, limit: int | None = None) -> Iterator[JsonObject]:
    """Yield the user and assistant entries among the first ``limit`` entries of a Claude Code log (None: all)."""
    for _, entry in islice(read_objects(path, Session()), limit):
        if entry.get("type") in ("user", "assistant"):
            yield entry
