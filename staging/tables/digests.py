"""The table ``digests``: what is shown of each session that has staged candidates."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from mind_skills.digest.model import EpisodeDigest, Facts, Header, Row, SessionDigest, SolvedError


def put_digest(sql: sqlite3.Connection, session_id: str, project_id: str, digest: SessionDigest, at: int) -> None:
    """Store the digest of a session, even if it has no episode: it shows that the session was read. ``at`` is UTC milliseconds."""
    values = session_id, project_id, serialise_digest(digest), at
    sql.execute("INSERT OR REPLACE INTO digests VALUES (?, ?, ?, ?)", values)


def find_digest(sql: sqlite3.Connection, session_id: str) -> SessionDigest | None:
    """Return the digest of a session; None if there is none, or if it is unreadable."""
    row = sql.execute("SELECT body FROM digests WHERE session = ?", (session_id,)).fetchone()
    try:
        return None if row is None else parse_digest(json.loads(row[0]))
    except (ValueError, LookupError, TypeError):
        return None


def find_solving_digests(sql: sqlite3.Connection, project_id: str) -> dict[str, SessionDigest]:
    """Return the readable digests of a project with solved errors, by session. Most have none, and are not parsed."""
    query = """SELECT session FROM digests WHERE project = ? AND instr(body, '"solved": [[')"""
    sessions = [row[0] for row in sql.execute(query, (project_id,)).fetchall()]
    return {session: digest for session in sessions if (digest := find_digest(sql, session)) is not None}


def find_digest_time(sql: sqlite3.Connection, session_id: str) -> int:
    """Return when a session was last condensed (UTC ms); 0 if it never was."""
    row = sql.execute("SELECT at FROM digests WHERE session = ?", (session_id,)).fetchone()
    return 0 if row is None else int(row[0])


def serialise_digest(digest: SessionDigest) -> str:
    """Return the JSON of a digest; equal digests give equal text."""
    episodes = [_list_fields(episode) for episode in digest.episodes]
    return json.dumps({"header": digest.header._asdict(), "episodes": episodes})


def _list_fields(episode: EpisodeDigest) -> dict[str, object]:
    fields: dict[str, object] = {name: getattr(episode, name) for name in EpisodeDigest.__slots__}
    return fields | {"facts": episode.facts._asdict()}


def parse_digest(document: dict[str, Any]) -> SessionDigest:
    """Parse the document of ``serialise_digest``. Raises ValueError, LookupError or TypeError if it is none."""
    return SessionDigest(
        Header(**_freeze(document["header"])), [_parse_episode(fields) for fields in document["episodes"]]
    )


def _parse_episode(fields: dict[str, Any]) -> EpisodeDigest:
    rows = tuple(Row(*row) for row in fields["rows"])
    facts = Facts(**_freeze(fields["facts"]))
    deciding = tuple((str(name), float(value)) for name, value in fields["deciding"])
    solved = tuple(SolvedError(*each) for each in fields.get("solved", ()))
    values: dict[str, Any] = {**_freeze(fields), "rows": rows, "facts": facts, "deciding": deciding, "solved": solved}
    return EpisodeDigest(**values)


def _freeze(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}  # pyright: ignore[reportUnknownArgumentType]
