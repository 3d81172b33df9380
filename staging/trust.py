"""What a learning is worth when it is recalled: by where the skill stands that its candidate became, and by how old that is.

worth = what the skill's state makes of a rank (0.5 candidate, 1.0 established, 1.5 proven, 0.0 failing for sure:
learning/skills/standing.py) times what is left, with a half-life of 90 days, of the day on which it was confirmed last: when
it was accepted, or when a session that had loaded it came out helpful; age alone leaves no less than a tenth. All files
that a candidate became count as one skill, and sessions of all projects. What was put into the archive is worth nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import cast

from mind_skills.learning import maturity
from mind_skills.learning.criteria import FLOOR
from mind_skills.learning.decay import believable, decay
from mind_skills.learning.maturity import MaturityConfig
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.skills.standing import (
    Load,
    Sessions,
    SkillStanding,
    compute_standing,
    count_sessions,
    rank_multiplier,
)
from mind_skills.staging import archive

Trust = Callable[[str, str], float]
"""(project id, candidate id) to what its learning is worth, 0.0 to 1.5; 1.0 for what no candidate is known of."""
UNKNOWN = 1.0


def trust(sql: sqlite3.Connection, now: int, config: MaturityConfig = maturity.DEFAULTS) -> Trust:
    """The worth of every accepted learning at ``now`` (UTC milliseconds), read once."""
    loads, aside = _loads(sql), {(each.project, each.candidate) for each in archive.rows(sql) if each.stands}
    others: dict[str, Sessions] = {}
    known: dict[tuple[str, str], float] = {}
    rows = sql.execute("SELECT project, id, fingerprint, settled_at FROM candidates WHERE state = 'accepted'")
    for project, id_, fingerprint, accepted in rows.fetchall():
        stands = compute_standing(fingerprint, loads.get((project, fingerprint), []), config=config, now=now)
        if project not in others:
            others[project] = count_sessions(_ended(sql, project), config, now=now)
        value = rank_multiplier(stands, others[project].without(stands), config)
        left = decay(_confirmed(stands, accepted, now), now, config.half_life_days)
        known[project, id_] = 0.0 if (project, id_) in aside else value * max(FLOOR, left)
    return lambda project, id_: known.get((project, id_), UNKNOWN)


def _confirmed(stands: SkillStanding, accepted: int | None, now: int) -> int:
    times = [accepted or 0, *(vote.at for vote in stands.votes if vote.type == "helpful" and vote.at is not None)]
    return max((at for at in times if believable(at, now)), default=0)


def _loads(sql: sqlite3.Connection) -> dict[tuple[str, str], list[Load]]:
    """The sessions that loaded what each candidate (project, fingerprint) became, each session once."""
    rows = sql.execute(
        "SELECT of_project, of, skills_used.session, max(skills_used.at), coalesce(outcomes.type, 'unknown')"
        " FROM skills_used JOIN sessions USING (session) LEFT JOIN outcomes USING (session)"
        " WHERE of != '' AND finished_at IS NOT NULL GROUP BY of_project, of, skills_used.session"
    )
    found: dict[tuple[str, str], list[Load]] = {}
    for project, fingerprint, session, at, kind in rows:
        found.setdefault((project, fingerprint), []).append(Load(fingerprint, session, at, cast("OutcomeType", kind)))
    return found


def _ended(sql: sqlite3.Connection, project: str) -> list[Load]:
    rows = sql.execute(
        "SELECT session, at, type FROM outcomes JOIN sessions USING (session)"
        " WHERE outcomes.project = ? AND finished_at IS NOT NULL",
        (project,),
    )
    return [Load("", session, at, cast("OutcomeType", kind)) for session, at, kind in rows]
