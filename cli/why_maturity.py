"""Why something stands at its maturity, in words: the documents' rules with the figures of one strategy or skill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mind_skills.cli.why_standing_report import CastReport
from mind_skills.learning.anti_patterns import AntiPatternConfig, percent
from mind_skills.learning.decay import believable, decay
from mind_skills.learning.maturity import (
    EPSILON,
    MaturityConfig,
    MaturityFeedback,
    MaturityState,
    decayed_counts,
    maturity_state,
)
from mind_skills.learning.rules import numbers


@dataclass(frozen=True, slots=True)
class Figures:
    """Votes and what is left of them at one time, and the numbers that they are measured by."""

    helpful: int
    harmful: int
    left: tuple[float, float]
    """Of the helpful, and of the harmful ones."""
    by_votes: MaturityState
    """The state that the votes alone would give."""
    config: MaturityConfig

    @property
    def share(self) -> float | None:
        """The harmful share of what is left; None where nothing is."""
        total = sum(self.left)
        return self.left[1] / total if total > EPSILON else None


def figures(votes: Sequence[MaturityFeedback], config: MaturityConfig, now: int) -> Figures:
    """The figures of these votes at ``now`` (UTC ms)."""
    counted = [vote for vote in votes if believable(vote.at, now)]
    helpful = sum(vote.type == "helpful" for vote in counted)
    harmful = sum(vote.type == "harmful" for vote in counted)
    left = decayed_counts(votes, config, now=now)
    return Figures(helpful, harmful, left, maturity_state(votes, config, now=now), config)


def verdict(state: MaturityState, f: Figures) -> str:
    """Why it is in its state, or what keeps it from the next one, by the votes."""
    if state == "candidate":
        return f"Not proven because {_few(f)}."
    if state == "deprecated":
        return f"Deprecated because {_too_harmful(f)}."
    if state == "proven":
        return (
            f"Proven because {_left(f)} ({f.config.min_helpful:g} are needed) and {_share(f)} harmful"
            f" (less than {f.config.max_harmful:.0%} is needed)."
        )
    return f"Not proven because {' and '.join(_missing(f))}." if _missing(f) else "Established by its votes."


def reasons(state: MaturityState, f: Figures) -> list[str]:
    """What else is to be said: what fading took, what a few votes leave open."""
    found: list[str] = []
    cast = f.helpful + f.harmful
    if cast and sum(f.left) < cast - 0.05:
        half = f"{f.config.half_life_days:g} days"
        found.append(f"{sum(f.left):.2f} of {cast} votes are left; each counts half after {half}.")
    if state == "candidate" and _missing(f):
        found.append(f"For proven, {' and '.join(_missing(f))}.")
    if state == "established" and f.share is not None:
        found.append(f"Not deprecated because {_share(f)} harmful, {_at_most(f)}.")
    return found


def inversion(success: int, failure: int, config: AntiPatternConfig, *, inverted: bool) -> str:
    """Why a strategy became a warning, or did not: the raw counts decide, which do not fade."""
    total = success + failure
    share, needed = f"{percent(failure, total)}%", f"{100 * config.failure_ratio_threshold:g}%"
    seen = f"{failure} of {total} sessions failed ({share})"
    if inverted:
        return f"Inverted because {seen}; {needed} of at least {config.min_observations} are enough."
    if total < config.min_observations:
        sessions = "1 session was" if total == 1 else f"{total} sessions were"
        return f"Not inverted because only {sessions} seen, and {config.min_observations} are needed."
    return f"Not inverted because {seen}, and {needed} are needed."


def casts(votes: Sequence[MaturityFeedback], config: MaturityConfig, now: int) -> list[CastReport]:
    """Every vote, the newest first, with what is left of it at ``now`` (UTC ms)."""
    found = [
        CastReport(
            source=vote.source,
            type=vote.type,
            at=vote.at,
            left=round(vote.weight * decay(vote.at, now, config.half_life_days), 3)
            if believable(vote.at, now)
            else 0.0,
            counts=believable(vote.at, now) and vote.type != "neutral",
        )
        for vote in votes
    ]
    return sorted(found, key=lambda each: (-(each.at or 0), each.source))


def thresholds(section: str, config: object, *fields: str) -> dict[str, float]:
    """The numbers of a section of the settings by their keys: all of them, or those of some ``fields``."""
    return {key: getattr(config, field) for key, field in numbers(section).items() if not fields or field in fields}


def _few(f: Figures) -> str:
    cast = f.helpful + f.harmful
    votes = "no vote was" if cast == 0 else "only 1 vote was" if cast == 1 else f"only {cast} votes were"
    if cast >= f.config.min_feedback:
        return "nothing is left of its votes"
    return f"{votes} cast, and {f.config.min_feedback} make it more than a candidate"


def _missing(f: Figures) -> list[str]:
    """What keeps it from being proven."""
    found: list[str] = []
    if f.left[0] < f.config.min_helpful - EPSILON:
        found.append(f"{_left(f)}, and {f.config.min_helpful:g} are needed")
    if f.share is not None and f.share >= f.config.max_harmful:
        found.append(f"{_share(f)} harmful, and it must be less than {f.config.max_harmful:.0%}")
    return found


def _left(f: Figures) -> str:
    return f"{f.left[0]:.2f} helpful votes are left"


def _share(f: Figures) -> str:
    return f"{f.share or 0.0:.0%} of what is left is"


def _at_most(f: Figures) -> str:
    return f"and more than {f.config.deprecation_threshold:.0%} would be needed"


def _too_harmful(f: Figures) -> str:
    return f"{_share(f)} harmful, more than {f.config.deprecation_threshold:.0%}"
