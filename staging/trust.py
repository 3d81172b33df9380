"""What a learning is worth when it is recalled: by where the skill stands that its candidate became, and by how old that is.

worth = what the skill's state makes of a rank (0.5 candidate, 1.0 established, 1.5 proven, 0.0 failing for sure:
learning/skills/standing.py) times what is left, with a half-life of 90 days, of the day on which it was confirmed last: when
it was accepted, or when a session that had loaded it came out helpful; age alone leaves no less than a tenth. All files
that a candidate became count as one skill, and sessions of all projects. What was put into the archive is worth nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from mind_skills.learning import maturity
from mind_skills.learning.criteria import FLOOR
from mind_skills.learning.decay import believable, decay
from mind_skills.learning.maturity import MaturityConfig
from mind_skills.learning.skills.standing import Load, SkillStanding, compute_standing, count_sessions, rank_multiplier
from mind_skills.staging.tables.archived import list_archive_rows
from mind_skills.staging.tables.candidates import list_acceptances
from mind_skills.staging.tables.uses import list_loads, list_outcomes

Trust = Callable[[str, str], float]
"""(project id, candidate id) to what its learning is worth, 0.0 to 1.5; 1.0 for what no candidate is known of."""
UNKNOWN = 1.0


def read_trust(sql: sqlite3.Connection, now: int, config: MaturityConfig = maturity.DEFAULTS) -> Trust:
    """The worth of every accepted learning at ``now`` (UTC milliseconds), read once."""
    aside = {(each.project, each.candidate) for each in list_archive_rows(sql) if each.stands}
    loads: dict[tuple[str, str], list[Load]] = {}
    for project, fingerprint, session, at, outcome in list_loads(sql):
        loads.setdefault((project, fingerprint), []).append(Load(fingerprint, session, at, outcome))
    ended: dict[str, list[Load]] = {}
    for each in list_outcomes(sql):
        ended.setdefault(each.project, []).append(Load("", each.session, each.at, each.type))
    others = {project: count_sessions(found, config, now=now) for project, found in ended.items()}
    known: dict[tuple[str, str], float] = {}
    for project, id_, fingerprint, accepted in list_acceptances(sql):
        stands = compute_standing(fingerprint, loads.get((project, fingerprint), []), config=config, now=now)
        others.setdefault(project, count_sessions((), config, now=now))
        value = rank_multiplier(stands, others[project].without(stands), config)
        left = decay(_confirmed(stands, accepted, now), now, config.half_life_days)
        known[project, id_] = 0.0 if (project, id_) in aside else value * max(FLOOR, left)
    return lambda project, id_: known.get((project, id_), UNKNOWN)


def _confirmed(stands: SkillStanding, accepted: int | None, now: int) -> int:
    times = [accepted or 0, *(vote.at for vote in stands.votes if vote.type == "helpful" and vote.at is not None)]
    return max((at for at in times if believable(at, now)), default=0)
