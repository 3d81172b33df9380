"""The standing of skills: loads, and how those sessions ended, one vote each, counted from the recorded loads. A skill
fails only if the lower bound of its harmful share (Wilson, effective votes) exceeds 30 % and the share of the other
sessions: it is not to blame for hard tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mind_skills.learning import maturity
from mind_skills.learning.maturity import MaturityConfig, MaturityFeedback, PatternMaturity, get_multiplier
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.statistics import (
    compute_decay,
    compute_effective_size,
    compute_wilson_interval,
    is_plausible_time,
)
from mind_skills.store.light_dataclasses import dataclass

MIN_REMAINING_VOTES = 1.0
"""Minimum decayed sum of a failing skill's votes: a skill that failed long ago and was not loaded again may be retried."""
UNSURE_MULTIPLIER = 0.5
"""Rank multiplier of a skill that is deprecated by the specification's rule but not certainly failing; a candidate has the same."""


@dataclass(frozen=True, slots=True)
class SkillLoad:
    """A session that loaded the skill ``key`` at the time ``at`` (UTC ms). ``outcome`` is the outcome of the session."""

    key: str
    session: str
    at: int
    outcome: OutcomeType


@dataclass(frozen=True, slots=True)
class SkillStanding:
    """The standing of one skill: decayed votes, ``confidence`` (the helpful share) with its 95 % ``bounds``, and
    ``effective_votes``.
    """

    key: str
    maturity: PatternMaturity
    loads: tuple[SkillLoad, ...] = ()
    confidence: float | None = None
    bounds: tuple[float, float] = (0.0, 1.0)
    votes: tuple[MaturityFeedback, ...] = ()
    decayed_helpful: float = 0.0
    decayed_harmful: float = 0.0
    effective_votes: float = 0.0
    last_used: int | None = None
    """When the skill was last loaded, ignoring implausible times (UTC ms), or None."""


def compute_standing(
    key: str, loads: Sequence[SkillLoad], config: MaturityConfig = maturity.DEFAULTS, *, now: int
) -> SkillStanding:
    """Compute a skill's standing at ``now`` (UTC ms) from one load per session; more than a day in the future, it does
    not count (D7).
    """
    counted_loads = [load for load in loads if is_plausible_time(load.at, now)]
    votes = collect_votes(key, counted_loads)
    updated = maturity.update(PatternMaturity(key), votes, config, now=now)
    helpful, harmful = maturity.compute_decayed_counts(votes, config, now=now)
    total = helpful + harmful
    share = helpful / total if total > 0 else None
    last_used = max((load.at for load in counted_loads), default=None)
    effective_votes = compute_effective_size(compute_decay(vote.at, now, config.half_life_days) for vote in votes)
    bounds = compute_wilson_interval(helpful, total)
    return SkillStanding(key, updated, tuple(loads), share, bounds, votes, helpful, harmful, effective_votes, last_used)


def collect_votes(key: str, loads: Iterable[SkillLoad]) -> tuple[MaturityFeedback, ...]:
    """Return the votes of these sessions; a session votes only if its outcome is helpful or harmful."""
    return tuple(
        MaturityFeedback(key, "helpful" if load.outcome == "helpful" else "harmful", load.at, 1.0, load.session)
        for load in loads
        if load.outcome in ("helpful", "harmful")
    )


@dataclass(frozen=True, slots=True)
class OutcomeTotals:
    """Decayed sums and numbers of the helpful sessions and of the harmful sessions."""

    helpful: float = 0.0
    harmful: float = 0.0
    helpful_count: int = 0
    harmful_count: int = 0

    @property
    def harmful_share(self) -> float:
        """The share of harmful sessions, 0.0 to 1.0; 0.0 without sessions."""
        total = self.helpful + self.harmful
        return self.harmful / total if total > 0 else 0.0

    def subtract(self, part: OutcomeTotals) -> OutcomeTotals:
        """Return the totals without ``part``. If no session is left, the difference of the sums is a rounding error."""
        helpful_count, harmful_count = self.helpful_count - part.helpful_count, self.harmful_count - part.harmful_count
        helpful = max(0.0, self.helpful - part.helpful) if helpful_count else 0.0
        harmful = max(0.0, self.harmful - part.harmful) if harmful_count else 0.0
        return OutcomeTotals(helpful, harmful, helpful_count, harmful_count)


def sum_outcomes(loads: Iterable[SkillLoad], config: MaturityConfig = maturity.DEFAULTS, *, now: int) -> OutcomeTotals:
    """Sum the outcomes of sessions, decayed to ``now`` (UTC ms). ``loads`` must contain each session only once."""
    votes = [vote for vote in collect_votes("", loads) if is_plausible_time(vote.at, now)]
    helpful_count = sum(vote.type == "helpful" for vote in votes)
    sums = maturity.compute_decayed_counts(votes, config, now=now)
    return OutcomeTotals(*sums, helpful_count, len(votes) - helpful_count)


def explain_failing(standing: SkillStanding, others: OutcomeTotals, config: MaturityConfig = maturity.DEFAULTS) -> str:
    """Return why a skill should be archived, or ""; ``others`` are the totals of sessions that did not load it."""
    state, votes = standing.maturity, standing.maturity.helpful_count + standing.maturity.harmful_count
    remaining = standing.decayed_helpful + standing.decayed_harmful
    if votes < config.min_feedback or remaining < MIN_REMAINING_VOTES:
        return ""
    share = standing.decayed_harmful / remaining
    low, high = compute_wilson_interval(share * standing.effective_votes, standing.effective_votes)
    if low <= max(config.deprecation_threshold, others.harmful_share):
        return ""
    comparison = f"; {others.harmful_share:.0%} for sessions without it" if others.helpful + others.harmful > 0 else ""
    return (
        f"{state.harmful_count} of {votes} sessions that loaded it were harmful"
        f" ({share:.0%} after decay, {low:.0%} to {high:.0%}{comparison})"
    )


def compute_rank_multiplier(
    standing: SkillStanding, others: OutcomeTotals, config: MaturityConfig = maturity.DEFAULTS
) -> float:
    """Return the rank multiplier of a skill; it is 0 only if the skill is certainly failing."""
    if standing.maturity.state != "deprecated":
        return get_multiplier(standing.maturity.state)
    return 0.0 if explain_failing(standing, others, config) else UNSURE_MULTIPLIER
