"""Which errors each session met, and whether it got past them: what tells whether a skill helps when its error comes back.

Put down with each look at the whole of a log, in place of what the look before had put down.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mind_skills.detectors.model import Evidence
    from mind_skills.staging.error_meter import Met
    from mind_skills.staging.model import Candidate


class ErrorMet(NamedTuple):
    """A row of ``errors_met``. Lines are those of the session's log, ``at`` is when it came up first (UTC ms).

    ``solved_line`` is 0 where the session did not get past it; ``steps`` and ``duration_ms`` say how long it took.
    """

    session: str
    project: str
    signature: str
    times: int
    line: int
    solved_line: int
    steps: int
    duration_ms: int | None
    at: int

    @property
    def solved(self) -> bool:
        """Whether the session got past it."""
        return self.solved_line > 0


def put(sql: sqlite3.Connection, session: str, project: str, met: Iterable[Met], at: int) -> None:
    """Put down what a session met, in place of what was put down before; ``at`` (UTC ms) is the time of the look."""
    sql.execute("DELETE FROM errors_met WHERE session = ?", (session,))
    sql.executemany(
        "INSERT INTO errors_met (session, signature, project, times, line, solved_line, steps, duration_ms, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [_row(session, project, one, at) for one in met],
    )


def _row(session: str, project: str, one: Met, at: int) -> tuple[object, ...]:
    when = at if one.at is None else min(one.at, at)
    how = (one.times, one.line, one.solved_line, one.steps, one.duration_ms)
    return (session, one.signature, project, *how, when)


def met(sql: sqlite3.Connection, project: str) -> list[ErrorMet]:
    """What the finished sessions of a project met, the oldest first."""
    rows = sql.execute(
        "SELECT session, errors_met.project, signature, times, line, solved_line, steps, duration_ms, at FROM errors_met"
        " JOIN sessions USING (session) WHERE errors_met.project = ? AND finished_at IS NOT NULL"
        " ORDER BY at, session, line, signature",
        (project,),
    )
    return [ErrorMet(*row) for row in rows]


def signatures(candidate: Candidate) -> tuple[str, ...]:
    """The errors that a candidate's evidence is about, by their signatures; each once, none where it names no error."""
    names = (_name(each) for each in candidate.evidence if each.role == "symptom")
    return tuple(dict.fromkeys(filter(None, names)))


def _name(evidence: Evidence) -> str:
    """The error of a failed command, as detectors/composing/evidence.py puts it down: behind the command's line."""
    lines = evidence.content.split("\n")
    if not lines[0].startswith("$ ") or len(lines) == 1:
        return ""
    from mind_skills.observations.commands import normalise
    from mind_skills.staging.error_names import name_of

    command = normalise(lines[0][2:])
    return name_of(lines[1].strip(), command.signature, command.target)
