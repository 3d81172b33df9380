"""Where installed skills stand: how often they were loaded, what came of those sessions, and which of them are failing.

Every session that loaded a skill has one vote on it, from its outcome. Nothing is kept for this but what was observed, so
that a session that is judged anew changes its vote by itself.

By the documents more than 30 % harmful of three votes deprecate, which one session of three does: in a simulated year
that condemned three of five skills that did no harm (docs/learning.md). So a skill is failing, and proposed for the
archive, only where the lower end of the 95 % interval of its harmful share, as it has faded, lies above those 30 % and
above the share of the other sessions of its project that came out harmful: a skill is not to blame for hard work. The
interval is Wilson's, over the effective number of votes (learning/statistics.py); over the sum of what is left, as for
detectors, half as many are found in that year.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mind_skills.learning import maturity
from mind_skills.learning.maturity import MaturityConfig, MaturityFeedback, PatternMaturity, multiplier
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.statistics import believable, decay, effective, wilson

LEFT = 1.0
"""At least so much is left of its votes: what failed long ago and was not loaded since may be tried again."""
UNSURE = 0.5
"""What a skill is worth that the documents call deprecated for too few votes to be sure: that of a candidate."""


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
    ``evidence`` how many votes that have not faded would be as sure (learning/statistics.py).
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


def compute_standing(
    key: str,
    loads: Sequence[Load],
    held: PatternMaturity | None = None,
    config: MaturityConfig = maturity.DEFAULTS,
    *,
    now: int,
) -> SkillStanding:
    """Where one skill stands after these sessions, one a session; those of a day ahead and more have no vote (D7)."""
    votes = collect_votes(key, (load for load in loads if believable(load.at, now)))
    stands = maturity.update(held or PatternMaturity(key), votes, config, now=now)
    helpful, harmful = maturity.decayed_counts(votes, config, now=now)
    total = helpful + harmful
    share = helpful / total if total > 0 else None
    last = max((load.at for load in loads if believable(load.at, now)), default=None)
    sure = effective(decay(vote.at, now, config.half_life_days) for vote in votes)
    bounds = wilson(helpful, total)
    return SkillStanding(key, stands, tuple(loads), share, bounds, votes, helpful, harmful, sure, last)


def collect_votes(key: str, loads: Iterable[Load]) -> tuple[MaturityFeedback, ...]:
    """The votes that these sessions have: those that came out helpful or harmful."""
    return tuple(
        MaturityFeedback(key, "helpful" if load.outcome == "helpful" else "harmful", load.at, 1.0, load.session)
        for load in loads
        if load.outcome in ("helpful", "harmful")
    )


@dataclass(frozen=True, slots=True)
class Sessions:
    """What is left of the clear outcomes of some sessions, as votes fade."""

    helpful: float = 0.0
    harmful: float = 0.0

    @property
    def share(self) -> float:
        """Of them that were harmful; 0.0 where there are none."""
        total = self.helpful + self.harmful
        return self.harmful / total if total > 0 else 0.0

    def without(self, standing: SkillStanding) -> Sessions:
        """The same without those that loaded one skill."""
        return Sessions(max(0.0, self.helpful - standing.helpful_left), max(0.0, self.harmful - standing.harmful_left))


def count_sessions(ended: Iterable[Load], config: MaturityConfig = maturity.DEFAULTS, *, now: int) -> Sessions:
    """What is left at ``now`` (UTC ms) of these outcomes; each session is to be given once."""
    return Sessions(*maturity.decayed_counts(collect_votes("", ended), config, now=now))


def explain_failing(standing: SkillStanding, others: Sessions, config: MaturityConfig = maturity.DEFAULTS) -> str:
    """Why a skill is proposed for the archive, in a sentence; empty where it is not. ``others`` did not load it.

    A skill that is pinned in its state is never proposed.
    """
    known, votes = standing.maturity, standing.maturity.helpful_count + standing.maturity.harmful_count
    left = standing.helpful_left + standing.harmful_left
    if known.pinned or votes < config.min_feedback or left < LEFT:
        return ""
    share = standing.harmful_left / left
    low, high = wilson(share * standing.evidence, standing.evidence)
    if low <= max(config.deprecation_threshold, others.share):
        return ""
    compared = f"; of the sessions without it {others.share:.0%}" if others.helpful + others.harmful > 0 else ""
    return (
        f"{known.harmful_count} of {votes} sessions that loaded it came out harmful"
        f" ({share:.0%} as votes fade, {low:.0%} to {high:.0%}{compared})"
    )


def rank_multiplier(standing: SkillStanding, others: Sessions, config: MaturityConfig = maturity.DEFAULTS) -> float:
    """What the skill makes of a rank: the multiplier of its state, 0 only where it is failing for sure."""
    if standing.maturity.state != "deprecated" or standing.maturity.pinned:
        return multiplier(standing.maturity.state)
    return 0.0 if explain_failing(standing, others, config) else UNSURE
