"""Doubt: what rests on a version of something is less sure once another version of it is seen in use.

What other sessions saw is marked in their sightings; a session that sees the same learning again, under the new version,
brings a sighting without doubt, and with it the old confidence.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import replace

from mind_skills.detectors.versions import differs, named
from mind_skills.staging.form import readable, to_body
from mind_skills.staging.model import Candidate
from mind_skills.staging.similar import reunite
from mind_skills.staging.tables import candidates as table
from mind_skills.staging.tables.receipts import add_receipt

DOUBT = -0.25
"""What doubt takes from the rank, which begins as a probability: as much as a skill that says nearly all of it."""
REASON = "doubtful: a version that it rests on has changed; "
"""Names no version: its name may come from what a tool printed, which never stands in an offer."""


def doubt(
    sql: sqlite3.Connection,
    project: str,
    session: str,
    in_use: Mapping[str, str],
    at: int,
    seen_at: int | None = None,
) -> list[str]:
    """Mark the sightings of other sessions that rest on another version than one ``in_use`` (name to version).

    ``seen_at`` is until when the session ran (UTC ms), now where that is not known: it may be read long after, and what
    it saw says nothing of what came later. Returns the ids of the candidates that were marked. Repeated, it changes
    nothing.
    """
    if not in_use:
        return []
    rows = sql.execute(
        "SELECT fingerprint, session, body FROM sightings WHERE project = ? AND session <> ? AND body LIKE '%\"rests on %'",
        (project, session),
    ).fetchall()
    marked: dict[str, dict[str, str]] = {}
    for mark, other, candidate in ((mark, other, c) for mark, other, body in rows for c in readable([body])):
        if candidate.detected_at > (at if seen_at is None else seen_at):
            continue
        changed = {
            name: in_use[name] for name, was in rests_on(candidate).items() if differs(was, in_use.get(name, was))
        }
        if changed and "doubt" not in candidate.parts:
            values = (to_body(_doubted(candidate)), project, mark, other)
            sql.execute("UPDATE sightings SET body = ? WHERE project = ? AND fingerprint = ? AND session = ?", values)
            marked.setdefault(mark, {}).update(changed)
    return [id_ for mark in sorted(marked) for id_ in _noted(sql, project, session, mark, marked[mark], at)]


def still(before: Candidate, now: Candidate) -> Candidate:
    """What a session sees when it is looked at once more: as doubtful as before, unless it rests on something else now."""
    same = "doubt" in before.parts and "doubt" not in now.parts and rests_on(before) == rests_on(now)
    return _doubted(now) if same else now


def rests_on(candidate: Candidate) -> dict[str, str]:
    """The versions that a candidate's evidence names as what it rests on."""
    return {
        name: number
        for part in candidate.evidence
        if part.role == "context" and part.summary.startswith("rests on ")
        for name, number in named(part.summary.removeprefix("rests on ")).items()
    }


def _doubted(candidate: Candidate) -> Candidate:
    return replace(
        candidate,
        confidence="medium" if candidate.confidence == "high" else candidate.confidence,
        reason=REASON + candidate.reason,
        score=max(0.0, round(candidate.score + DOUBT, 4)),
        parts={**candidate.parts, "doubt": DOUBT},
    )


def _noted(
    sql: sqlite3.Connection, project: str, session: str, mark: str, changed: Mapping[str, str], at: int
) -> list[str]:
    record = table.find_by_fingerprint(sql, project, mark)
    if record is None:
        return []
    reunite(sql, record)
    add_receipt(sql, at, "doubted", record, session, {"inUse": dict(changed)})
    return [record.candidate.id]
