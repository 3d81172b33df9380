"""Whether a session began as a copy of another: a fork, or a resumption by a client that writes a new log for it.

What the copy holds was seen already when the other was read. Seen with Claude Code 2.1.329, Codex 0.169 and OpenCode
1.18.33; Gemini CLI 0.61 copies no session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mind_skills.observations.codec import Json, mapping, milliseconds, string
from mind_skills.observations.logfile import objects
from mind_skills.observations.model import Session
from mind_skills.observations.readers import codex_subagents, opencode_db
from mind_skills.observations.readers.claude_code import SYNTHETIC
from mind_skills.redaction.lazy_pattern import compile_later

BEGINNING = 500
"""Lines in which a log says what it is a copy of: the first answer of the model stands within twenty."""
LINES = 1_000_000
"""Lines of the other log that are remembered, 8 bytes each and what a set takes."""
_ID = compile_later(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Origin(NamedTuple):
    """What a session began as a copy of: the ``session``, empty where nothing names it, and its ``log`` where that is
    there. From ``at`` on (UTC milliseconds) it is its own.
    """

    session: str
    log: Path | None
    at: int


def origin(path: Path, format_name: str, known: Iterable[Path] = ()) -> Origin | None:
    """What this log began as a copy of; None where it did not.

    ``known`` are logs that were read before: of Claude Code's older versions, which do not name the other, one of these
    is it where both begin with the same line. Raises OSError.
    """
    if format_name == "claude-code":
        return _of_claude(path, known)
    if format_name == "codex-rollout":
        return _of_codex(path)
    if format_name == "opencode-db":
        at = opencode_db.copied_at(path)
        return Origin("", None, at) if at else None
    return None


def _of_codex(path: Path) -> Origin | None:
    for _, entry in islice(objects(path, Session()), 1):
        meta = mapping(entry.get("payload"))
        name = string(meta.get("forked_from_id"))
        at = milliseconds(meta.get("timestamp")) or milliseconds(entry.get("timestamp"))
        if _ID.fullmatch(name) and at is not None:
            return Origin(name, codex_subagents.before(path, name), at)
    return None


def _of_claude(path: Path, known: Iterable[Path]) -> Origin | None:
    name, last = _named(path)
    log = path.with_name(f"{name}.jsonl") if name else _same_beginning(path, known)
    if log is None:
        return None
    try:
        theirs = {hash(string(entry.get("uuid"))) for entry in islice(_said(log), LINES)}
    except OSError:
        return Origin(name, None, last + 1)
    for entry in _said(path):
        at = milliseconds(entry.get("timestamp"))
        if at is not None and hash(string(entry.get("uuid"))) not in theirs:
            return Origin(log.stem, log, at)
        last = max(last, at or 0)
    return Origin(log.stem, log, last + 1)


def _named(path: Path) -> tuple[str, int]:
    """The session that the lines of a copy are from, and the time of the last that says so; empty where none does.

    A copied answer names the session that asked for it, or keeps that session's id.
    """
    own = path.stem if _ID.fullmatch(path.stem) else ""
    name, last = "", 0
    for number, entry in enumerate(_said(path)):
        asked = string(entry.get("requestSessionId")) or string(mapping(entry.get("forkedFrom")).get("sessionId"))
        found = asked or string(entry.get("sessionId"))
        if _ID.fullmatch(found) and found != (own or string(entry.get("sessionId"))):
            name, last = name or found, max(last, milliseconds(entry.get("timestamp")) or 0)
        elif entry.get("type") == "assistant" and mapping(entry.get("message")).get("model") != SYNTHETIC:
            break  # its own first answer
        elif not name and number >= BEGINNING:
            break
    return name, last


def _same_beginning(path: Path, known: Iterable[Path]) -> Path | None:
    first = _first(path)
    return next((log for log in known if log != path and _ID.fullmatch(first) and _first(log) == first), None)


def _first(path: Path) -> str:
    try:
        return next((string(entry.get("uuid")) for entry in _said(path, BEGINNING)), "")
    except OSError:
        return ""  # one of the others is gone


def _said(path: Path, most: int | None = None) -> Iterator[Json]:
    """The lines of a log of Claude Code that somebody said, of its first ``most`` lines."""
    for _, entry in islice(objects(path, Session()), most):
        if entry.get("type") in ("user", "assistant"):
            yield entry
