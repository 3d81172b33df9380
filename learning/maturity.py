"""Maturity: how far a pattern can be trusted. Implements `PatternMaturity` (docs/learning.md). Unlike there (D12),
votes deprecate for ever only what is inverted, or whose harmful share surely exceeds 30 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from mind_skills.learning.anti_patterns import compute_percent, describe_failures
from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.learning.scoring import FeedbackType
from mind_skills.learning.statistics import (
    HALF_LIFE_DAYS,
    compute_decay,
    compute_effective_size,
    compute_wilson_interval,
    is_plausible_time,
)
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.light_dataclasses import dataclass, replace

MaturityState = Literal["candidate", "established", "proven", "deprecated"]

EPSILON = 0.01
"""Tolerance for decayed totals: three votes cast this minute add up to slightly less than three."""
MULTIPLIERS: dict[MaturityState, float] = {"candidate": 0.5, "established": 1.0, "proven": 1.5, "deprecated": 0.0}
"""Rank multiplier of each state."""


@dataclass(frozen=True, slots=True)
class MaturityConfig:
    """The `maturity` settings of the specification, with its defaults."""

    min_feedback: int = 3
    min_helpful: int = 5
    max_harmful: float = 0.15
    deprecation_threshold: float = 0.3
    half_life_days: float = HALF_LIFE_DAYS


@dataclass(frozen=True, slots=True)
class MaturityFeedback:
    """One vote on a pattern. ``at`` is UTC milliseconds, or None if unreadable."""

    pattern_id: str
    type: FeedbackType
    at: int | None
    weight: float = 1.0
    source: str = ""
    """Who voted, usually a session. A source has one vote per pattern, except the empty source, which has any number."""


@dataclass(frozen=True, slots=True)
class PatternMaturity:
    """The maturity of a pattern. The counts are numbers of votes, not decayed; times are UTC milliseconds."""

    pattern_id: str
    state: MaturityState = "candidate"
    helpful_count: int = 0
    harmful_count: int = 0
    last_validated: int | None = None
    promoted_at: int | None = None
    deprecated_at: int | None = None
    reason: str = ""
    """Why the pattern was deprecated permanently; empty if it was not."""
    pinned: bool = False
    """Whether a person pinned the state, so that votes do not change it."""


class DeprecatedPatternError(ValueError):
    """A deprecated pattern must be reset before it can be promoted."""

    def __init__(self) -> None:
        super().__init__("Cannot promote a deprecated pattern")


DEFAULTS = MaturityConfig()


def compute_decayed_counts(
    events: Sequence[MaturityFeedback], config: MaturityConfig = DEFAULTS, *, now: int, profile: Profile = DEFAULT
) -> tuple[float, float]:
    """Return the decayed helpful and harmful votes at ``now`` (UTC ms); in the original profile, neutral ones are harmful."""
    helpful = harmful = 0.0
    for event in events:
        if not is_plausible_time(event.at, now, profile) or (profile.ignores_neutral and event.type == "neutral"):
            continue
        value = event.weight * compute_decay(event.at, now, config.half_life_days)
        if event.type == "helpful":
            helpful += value
        else:
            harmful += value
    return helpful, harmful


def compute_state(
    events: Sequence[MaturityFeedback], config: MaturityConfig = DEFAULTS, *, now: int, profile: Profile = DEFAULT
) -> MaturityState:
    """Return the state that follows from the votes alone, regardless of the previous state."""
    helpful, harmful = compute_decayed_counts(events, config, now=now, profile=profile)
    total = helpful + harmful
    total = total if total > EPSILON else 0.0
    ratio = harmful / total if total > 0 else 0.0
    has_enough = total >= config.min_feedback - EPSILON
    if profile.minimum_counts_events:
        has_enough = total > 0 and sum(_count_votes(events, now, profile)) >= config.min_feedback
    if not has_enough:
        return "candidate"
    if ratio > config.deprecation_threshold:
        return "deprecated"
    is_proven = helpful >= config.min_helpful - EPSILON and ratio < config.max_harmful
    return "proven" if is_proven else "established"


def create(pattern_id: str, *, now: int) -> PatternMaturity:
    """Return the maturity of a new pattern: a candidate."""
    return PatternMaturity(pattern_id, last_validated=now)


def update(
    maturity: PatternMaturity,
    events: Sequence[MaturityFeedback],
    config: MaturityConfig = DEFAULTS,
    *,
    now: int,
    profile: Profile = DEFAULT,
) -> PatternMaturity:
    """Return the maturity of a pattern after ``events``, which are all votes on it."""
    helpful, harmful = _count_votes(events, now, profile)
    state = compute_state(events, config, now=now, profile=profile)
    if profile.deprecation_is_final and (maturity.pinned or maturity.state == "deprecated"):
        state = maturity.state
    validated: int | None = now
    if profile.only_help_validates:
        times = [event.at for event in events if event.type == "helpful" and is_plausible_time(event.at, now, profile)]
        validated = max((at for at in (maturity.last_validated, *times) if at is not None), default=None)
    new_state = state if state != maturity.state else ""
    return replace(
        maturity,
        state=state,
        helpful_count=helpful,
        harmful_count=harmful,
        last_validated=validated,
        promoted_at=now if new_state == "proven" else maturity.promoted_at,
        deprecated_at=now if new_state == "deprecated" else maturity.deprecated_at,
    )


def promote(maturity: PatternMaturity, *, now: int) -> PatternMaturity:
    """Promote a pattern to proven; a pattern that is already proven is returned unchanged. Raises DeprecatedPatternError."""
    if maturity.state == "deprecated":
        raise DeprecatedPatternError
    if maturity.state == "proven":
        return maturity
    return replace(maturity, state="proven", promoted_at=now, last_validated=now)


def deprecate(maturity: PatternMaturity, reason: str = "", *, now: int) -> PatternMaturity:
    """Deprecate a pattern; a pattern that is already deprecated is returned unchanged."""
    if maturity.state == "deprecated":
        return maturity
    return replace(maturity, state="deprecated", deprecated_at=now, last_validated=now, reason=reason)


def get_multiplier(state: MaturityState) -> float:
    return MULTIPLIERS[state]


def _count_votes(events: Sequence[MaturityFeedback], now: int, profile: Profile) -> tuple[int, int]:
    """Return the numbers of helpful votes and of harmful votes, not decayed."""
    counted = [event for event in events if is_plausible_time(event.at, now, profile)]
    return sum(event.type == "helpful" for event in counted), sum(event.type == "harmful" for event in counted)


# -- Texts, in the format of the specification ---------------------------------------------------------------------------

MIN_OBSERVATIONS_FOR_SHARES = 3
"""Minimum number of observations for which percentages are shown."""
_SECTIONS: tuple[tuple[MaturityState, str, str], ...] = (
    ("proven", "Proven Patterns", "These patterns consistently work well:"),
    ("established", "Established Patterns", "These patterns have track records:"),
    ("candidate", "Candidate Patterns", "These patterns need more validation:"),
    ("deprecated", "Deprecated Patterns", "AVOID these patterns - they have poor track records:"),
)


def format_maturity(maturity: PatternMaturity) -> str:
    """Format the state of a pattern and the figures behind it, in square brackets."""
    good, bad = maturity.helpful_count, maturity.harmful_count
    total = good + bad
    if total < MIN_OBSERVATIONS_FOR_SHARES:
        if is_permanent(maturity) or (maturity.state == "deprecated" and maturity.pinned):
            return "[DEPRECATED - avoid using]"
        return f"[LIMITED DATA - {total} observation{'' if total == 1 else 's'}]"
    helpful, harmful = f"{compute_percent(good, total)}% helpful", f"{compute_percent(bad, total)}% harmful"
    return {
        "candidate": f"[CANDIDATE - {total} observations, needs more data]",
        "established": f"[ESTABLISHED - {helpful}, {harmful} from {total} observations]",
        "proven": f"[PROVEN - {helpful} from {total} observations]",
        "deprecated": f"[DEPRECATED - {harmful}, avoid using]",
    }[maturity.state]


def format_patterns(patterns: Iterable[tuple[str, PatternMaturity]]) -> str:
    """Format patterns, given as (text, maturity), by state, the most trusted state first; empty if there are no patterns."""
    by_state: dict[MaturityState, list[str]] = {}
    for content, maturity in patterns:
        by_state.setdefault(maturity.state, []).append(f"- {content} {format_maturity(maturity)}")
    return "\n\n".join(
        "\n".join([f"## {title}", "", introduction, "", *by_state[state]])
        for state, title, introduction in _SECTIONS
        if state in by_state
    )


_VOTE_REASON = compile_lazily(r"Failed \d+/\d+ times \(\d+% failure rate\)")


def is_vote_based(maturity: PatternMaturity) -> bool:
    """Return whether a pattern was deprecated by votes rather than manually."""
    return maturity.state == "deprecated" and (
        not maturity.reason or _VOTE_REASON.fullmatch(maturity.reason) is not None
    )


def is_permanent(maturity: PatternMaturity) -> bool:
    """Return whether a pattern stays deprecated until it is reset or a vote on it is withdrawn or changed."""
    return maturity.state == "deprecated" and bool(maturity.reason)


def is_surely_harmful(votes: Sequence[MaturityFeedback], config: MaturityConfig, *, now: int) -> bool:
    """Return whether the harmful share at ``now`` (UTC ms) exceeds the threshold with 95 % confidence: three of three
    do, two of three not.
    """
    helpful, harmful = compute_decayed_counts(votes, config, now=now)
    if helpful + harmful <= 0:
        return False
    effective_votes = compute_effective_size(
        vote.weight * compute_decay(vote.at, now, config.half_life_days)
        for vote in votes
        if is_plausible_time(vote.at, now)
    )
    low, _ = compute_wilson_interval(effective_votes * harmful / (helpful + harmful), effective_votes)
    return low > config.deprecation_threshold


def deprecate_permanently(maturity: PatternMaturity, reason: str, *, now: int) -> PatternMaturity:
    """Deprecate a pattern permanently because of ``reason``, unless it is already permanently deprecated."""
    if is_permanent(maturity):
        return maturity
    current = replace(maturity, state="candidate", deprecated_at=None) if maturity.state == "deprecated" else maturity
    return deprecate(current, reason, now=now)


def evaluate(
    current: PatternMaturity, votes: Sequence[MaturityFeedback], config: MaturityConfig, *, now: int
) -> PatternMaturity:
    """Return the maturity after all votes. A deprecation that is not permanent is lifted if the votes no longer support it."""
    is_temporary = current.state == "deprecated" and not is_permanent(current) and not current.pinned
    updated = update(replace(current, state="candidate") if is_temporary else current, votes, config, now=now)
    if updated.state != "deprecated" or is_permanent(updated) or updated.pinned:
        return replace(updated, deprecated_at=None) if is_temporary else updated
    deprecated_at = current.deprecated_at if is_temporary else updated.deprecated_at
    total = updated.helpful_count + updated.harmful_count
    reason = describe_failures(updated.harmful_count, total) if is_surely_harmful(votes, config, now=now) else ""
    return replace(updated, deprecated_at=deprecated_at, reason=reason)
