"""Maturity: how far a pattern can be trusted, by what came of the sessions that used it. The documents' `PatternMaturity`.

candidate (x 0.5) until there are three judgements, then established (x 1.0), proven (x 1.5) from five helpful ones with
less than 15 % harmful, deprecated (x 0) where more than 30 % are harmful. Every judgement fades by half in 90 days.

By the documents deprecated is until a reset (D12). One harmful session of three would silence a good pattern for ever then: in
a simulated year 17 of 32 good strategies (docs/learning.md). So votes give up for good only what is harmful for sure, where
the lower end of the 95 % interval lies above the 30 %; else the state follows the votes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mind_skills.learning.anti_patterns import percent
from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.learning.scoring import FeedbackType
from mind_skills.learning.statistics import HALF_LIFE_DAYS, believable, decay, effective, wilson
from mind_skills.redaction.lazy_pattern import compile_later

MaturityState = Literal["candidate", "established", "proven", "deprecated"]

EPSILON = 0.01
"""Slack on decayed totals: three judgements of this minute sum up to a little less than three."""
MULTIPLIERS: dict[MaturityState, float] = {"candidate": 0.5, "established": 1.0, "proven": 1.5, "deprecated": 0.0}
"""What the state makes of a rank."""


@dataclass(frozen=True, slots=True)
class MaturityConfig:
    """The documents' `maturity` settings and their defaults."""

    min_feedback: int = 3
    min_helpful: int = 5
    max_harmful: float = 0.15
    deprecation_threshold: float = 0.3
    half_life_days: float = HALF_LIFE_DAYS


@dataclass(frozen=True, slots=True)
class MaturityFeedback:
    """One judgement about a pattern. ``at`` is UTC milliseconds, None where its time could not be read."""

    pattern_id: str
    type: FeedbackType
    at: int | None
    weight: float = 1.0
    source: str = ""
    """Who judges, a session as a rule; it has one vote on each pattern. Empty: everybody may."""


@dataclass(frozen=True, slots=True)
class PatternMaturity:
    """Where a pattern stands. Counts are of events, not decayed; times are UTC milliseconds."""

    pattern_id: str
    state: MaturityState = "candidate"
    helpful_count: int = 0
    harmful_count: int = 0
    last_validated: int | None = None
    promoted_at: int | None = None
    deprecated_at: int | None = None
    reason: str = ""
    """Why it was deprecated by hand."""
    pinned: bool = False
    """Set by hand: no judgement moves it."""


class DeprecatedPatternError(ValueError):
    """A deprecated pattern has to be reset before it is promoted."""

    def __init__(self) -> None:
        super().__init__("Cannot promote a deprecated pattern")


DEFAULTS = MaturityConfig()


def decayed_counts(
    events: Sequence[MaturityFeedback],
    config: MaturityConfig = DEFAULTS,
    *,
    now: int,
    profile: Profile = DEFAULT,
) -> tuple[float, float]:
    """What is left at ``now`` (UTC milliseconds) of the helpful and of the harmful judgements."""
    helpful = harmful = 0.0
    for event in events:
        if not believable(event.at, now, profile) or (profile.neutral_is_nothing and event.type == "neutral"):
            continue
        value = event.weight * decay(event.at, now, config.half_life_days)
        if event.type == "helpful":
            helpful += value
        else:
            harmful += value
    return helpful, harmful


def maturity_state(
    events: Sequence[MaturityFeedback],
    config: MaturityConfig = DEFAULTS,
    *,
    now: int,
    profile: Profile = DEFAULT,
) -> MaturityState:
    """The state that the judgements put a pattern in, whatever it was before."""
    helpful, harmful = decayed_counts(events, config, now=now, profile=profile)
    total = helpful + harmful
    total = total if total > EPSILON else 0.0
    ratio = harmful / total if total > 0 else 0.0
    enough = total >= config.min_feedback - EPSILON
    if profile.raw_gate:
        enough = total > 0 and sum(_counts(events, now, profile)) >= config.min_feedback
    if not enough:
        return "candidate"
    if ratio > config.deprecation_threshold:
        return "deprecated"
    proven = helpful >= config.min_helpful - EPSILON and ratio < config.max_harmful
    return "proven" if proven else "established"


def create(pattern_id: str, *, now: int) -> PatternMaturity:
    """A new pattern: a candidate."""
    return PatternMaturity(pattern_id, last_validated=now)


def update(
    maturity: PatternMaturity,
    events: Sequence[MaturityFeedback],
    config: MaturityConfig = DEFAULTS,
    *,
    now: int,
    profile: Profile = DEFAULT,
) -> PatternMaturity:
    """Where a pattern stands after all ``events`` about it."""
    helpful, harmful = _counts(events, now, profile)
    state = maturity_state(events, config, now=now, profile=profile)
    if profile.sticky and (maturity.pinned or maturity.state == "deprecated"):
        state = maturity.state
    validated: int | None = now
    if profile.validated_by_help:
        helped = [e.at for e in events if e.type == "helpful" and e.at is not None and believable(e.at, now, profile)]
        validated = max(
            [*helped, *([maturity.last_validated] if maturity.last_validated is not None else [])], default=None
        )
    entered = state if state != maturity.state else ""
    return replace(
        maturity,
        state=state,
        helpful_count=helpful,
        harmful_count=harmful,
        last_validated=validated,
        promoted_at=now if entered == "proven" else maturity.promoted_at,
        deprecated_at=now if entered == "deprecated" else maturity.deprecated_at,
    )


def promote(maturity: PatternMaturity, *, now: int) -> PatternMaturity:
    """Call a pattern proven by hand. Raises DeprecatedPatternError; one that is proven stays as it is."""
    if maturity.state == "deprecated":
        raise DeprecatedPatternError
    if maturity.state == "proven":
        return maturity
    return replace(maturity, state="proven", promoted_at=now, last_validated=now)


def deprecate(maturity: PatternMaturity, reason: str = "", *, now: int) -> PatternMaturity:
    """Give a pattern up by hand; one that is given up stays as it is."""
    if maturity.state == "deprecated":
        return maturity
    return replace(maturity, state="deprecated", deprecated_at=now, last_validated=now, reason=reason)


def reset(maturity: PatternMaturity, *, now: int) -> PatternMaturity:
    """Begin anew as a candidate, whatever it was; what was judged before is for the caller to leave out."""
    return create(maturity.pattern_id, now=now)


def pin(maturity: PatternMaturity, *, pinned: bool = True) -> PatternMaturity:
    """Hold a pattern in its state, or let it go."""
    return replace(maturity, pinned=pinned)


def multiplier(state: MaturityState) -> float:
    """What the state makes of a rank."""
    return MULTIPLIERS[state]


def _counts(events: Sequence[MaturityFeedback], now: int, profile: Profile) -> tuple[int, int]:
    """How many events were helpful and how many harmful, not decayed."""
    seen = [event for event in events if believable(event.at, now, profile)]
    return sum(event.type == "helpful" for event in seen), sum(event.type == "harmful" for event in seen)


# -- in words, as the documents format it --------------------------------------------------------------------------------

FEW = 3
"""Below so many observations no share is named."""
_SECTIONS: tuple[tuple[MaturityState, str, str], ...] = (
    ("proven", "Proven Patterns", "These patterns consistently work well:"),
    ("established", "Established Patterns", "These patterns have track records:"),
    ("candidate", "Candidate Patterns", "These patterns need more validation:"),
    ("deprecated", "Deprecated Patterns", "AVOID these patterns - they have poor track records:"),
)


def format_maturity(maturity: PatternMaturity) -> str:
    """The state and its figures in brackets."""
    good, bad = maturity.helpful_count, maturity.harmful_count
    total = good + bad
    if total < FEW:
        return f"[LIMITED DATA - {total} observation{'' if total == 1 else 's'}]"
    helpful, harmful = f"{percent(good, total)}% helpful", f"{percent(bad, total)}% harmful"
    return {
        "candidate": f"[CANDIDATE - {total} observations, needs more data]",
        "established": f"[ESTABLISHED - {helpful}, {harmful} from {total} observations]",
        "proven": f"[PROVEN - {helpful} from {total} observations]",
        "deprecated": f"[DEPRECATED - {harmful}, avoid using]",
    }[maturity.state]


def format_patterns(patterns: Iterable[tuple[str, PatternMaturity]]) -> str:
    """Patterns (text and maturity) by state, the most trusted first; empty where there are none."""
    by_state: dict[MaturityState, list[str]] = {}
    for content, maturity in patterns:
        by_state.setdefault(maturity.state, []).append(f"- {content} {format_maturity(maturity)}")
    return "\n\n".join(
        "\n".join([f"## {title}", "", words, "", *by_state[state]])
        for state, title, words in _SECTIONS
        if state in by_state
    )


_BY_VOTES = compile_later(r"Failed \d+/\d+ times \(\d+% failure rate\)")


def describe_failures(harmful: int, total: int) -> str:
    """Why votes give a pattern up."""
    return f"Failed {harmful}/{total} times ({percent(harmful, total)}% failure rate)"


def is_vote_based(maturity: PatternMaturity) -> bool:
    """Whether a pattern was given up for its votes, and not by hand."""
    return maturity.state == "deprecated" and (not maturity.reason or _BY_VOTES.fullmatch(maturity.reason) is not None)


def is_permanent(maturity: PatternMaturity) -> bool:
    """Whether it stays given up until somebody resets it, or until the votes behind it change."""
    return maturity.state == "deprecated" and bool(maturity.reason)


def is_surely_harmful(votes: Sequence[MaturityFeedback], config: MaturityConfig, *, now: int) -> bool:
    """Whether the harmful share of what is left of the votes at ``now`` (UTC ms) is above the threshold for sure.

    Wilson's interval over as many votes as weigh as surely (statistics.py): three of three, six of ten, not two of three.
    """
    helpful, harmful = decayed_counts(votes, config, now=now)
    if helpful + harmful <= 0:
        return False
    number = effective(
        vote.weight * decay(vote.at, now, config.half_life_days) for vote in votes if believable(vote.at, now)
    )
    return wilson(number * harmful / (helpful + harmful), number)[0] > config.deprecation_threshold


def deprecate_permanently(maturity: PatternMaturity, reason: str, *, now: int) -> PatternMaturity:
    """The pattern given up for good for its votes; one that is so already stays as it is."""
    if is_permanent(maturity):
        return maturity
    found = replace(maturity, state="candidate", deprecated_at=None) if maturity.state == "deprecated" else maturity
    return deprecate(found, reason, now=now)


def evaluate(
    held: PatternMaturity, votes: Sequence[MaturityFeedback], config: MaturityConfig, *, now: int
) -> PatternMaturity:
    """Where a pattern stands by all votes on it; what they gave up without being sure before, they may take back."""
    for_now = held.state == "deprecated" and not is_permanent(held) and not held.pinned
    found = update(replace(held, state="candidate") if for_now else held, votes, config, now=now)
    if found.state != "deprecated" or is_permanent(found) or found.pinned:
        return replace(found, deprecated_at=None) if for_now else found
    since = held.deprecated_at if for_now else found.deprecated_at
    total = found.helpful_count + found.harmful_count
    why = describe_failures(found.harmful_count, total) if is_surely_harmful(votes, config, now=now) else ""
    return replace(found, deprecated_at=since, reason=why)
