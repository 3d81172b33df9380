"""Where installed skills stand: how often they were loaded, what came of those sessions, and how far they are trusted.

Every session that loaded a skill has one vote on it, from its outcome. Nothing is kept for this but what was observed, so
that a session that is judged anew changes its vote by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mind_skills.learning import maturity
from mind_skills.learning.decay import believable, decay
from mind_skills.learning.interval import effective, wilson
from mind_skills.learning.maturity import MaturityConfig, MaturityFeedback, PatternMaturity
from mind_skills.learning.scoring import OutcomeType


@dataclass(frozen=True, slots=True)
class Load:
    """One session that loaded a skill: ``key`` says which, ``at`` when (UTC ms), ``outcome`` how the session came out."""

    key: str
    session: str
    at: int
    outcome: OutcomeType


@dataclass(frozen=True, slots=True)
class SkillStanding:
    """What is known of one skill. ``confidence`` is the share of helpful votes as they have faded, None without votes;
    ``bounds`` its 95 % interval, ``helpful_left`` and ``harmful_left`` what is left of the votes of each kind, and
    ``evidence`` how many votes that have not faded would be as sure (learning/interval.py).
    """

    key: str
    maturity: PatternMaturity
    loads: tuple[Load, ...] = ()
    confidence: float | None = None
    bounds: tuple[float, float] = (0.0, 1.0)
    votes: tuple[MaturityFeedback, ...] = field(default=())
    helpful_left: float = 0.0
    harmful_left: float = 0.0
    evidence: float = 0.0
    last_used: int | None = None
    """When it was loaded last (UTC ms), by a time that can be believed."""


def standings(
    loads: Iterable[Load],
    held: Mapping[str, PatternMaturity] | None = None,
    config: MaturityConfig = maturity.DEFAULTS,
    *,
    now: int,
) -> list[SkillStanding]:
    """One standing for each skill that was loaded, by key. ``held`` are states that were set by hand."""
    by_key: dict[str, dict[str, Load]] = {}
    for load in loads:
        by_key.setdefault(load.key, {})[load.session] = load
    return [
        standing(key, list(found.values()), (held or {}).get(key), config, now=now)
        for key, found in sorted(by_key.items())
    ]


def standing(
    key: str,
    loads: Sequence[Load],
    held: PatternMaturity | None = None,
    config: MaturityConfig = maturity.DEFAULTS,
    *,
    now: int,
) -> SkillStanding:
    """Where one skill stands after these sessions, one a session; those of a day ahead and more have no vote (D7)."""
    votes = votes_of(key, (load for load in loads if believable(load.at, now)))
    stands = maturity.update(held or PatternMaturity(key), votes, config, now=now)
    helpful, harmful = maturity.decayed_counts(votes, config, now=now)
    total = helpful + harmful
    share = helpful / total if total > 0 else None
    last = max((load.at for load in loads if believable(load.at, now)), default=None)
    sure = effective(decay(vote.at, now, config.half_life_days) for vote in votes)
    bounds = wilson(helpful, total)
    return SkillStanding(key, stands, tuple(loads), share, bounds, votes, helpful, harmful, sure, last)


def votes_of(key: str, loads: Iterable[Load]) -> tuple[MaturityFeedback, ...]:
    """The votes that these sessions have: those that came out helpful or harmful."""
    return tuple(
        MaturityFeedback(key, "helpful" if load.outcome == "helpful" else "harmful", load.at, 1.0, load.session)
        for load in loads
        if load.outcome in ("helpful", "harmful")
    )
