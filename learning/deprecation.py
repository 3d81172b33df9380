"""When votes give a pattern up for good, and when they only say so for now.

By the documents more than 30 % harmful of three votes deprecate, and deprecated is until a reset (D12). One session of three
would silence a good pattern for ever then: in a simulated year 17 of 32 good strategies (docs/learning.md). So votes give up
for good only what is harmful for sure, where the lower end of the 95 % interval lies above the 30 %; else the state follows
the votes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mind_skills.learning import anti_patterns
from mind_skills.learning.decay import believable, decay
from mind_skills.learning.interval import effective, wilson
from mind_skills.learning.maturity import (
    MaturityConfig,
    MaturityFeedback,
    PatternMaturity,
    decayed_counts,
    deprecate,
    update,
)
from mind_skills.redaction.lazy_pattern import compile_later

_BY_VOTES = compile_later(r"Failed \d+/\d+ times \(\d+% failure rate\)")


def describe_failures(harmful: int, total: int) -> str:
    """Why votes give a pattern up."""
    return f"Failed {harmful}/{total} times ({anti_patterns.percent(harmful, total)}% failure rate)"


def is_vote_based(maturity: PatternMaturity) -> bool:
    """Whether a pattern was given up for its votes, and not by hand."""
    return maturity.state == "deprecated" and (not maturity.reason or _BY_VOTES.fullmatch(maturity.reason) is not None)


def is_permanent(maturity: PatternMaturity) -> bool:
    """Whether it stays given up until somebody resets it, or until the votes behind it change."""
    return maturity.state == "deprecated" and bool(maturity.reason)


def is_surely_harmful(votes: Sequence[MaturityFeedback], config: MaturityConfig, *, now: int) -> bool:
    """Whether the harmful share of what is left of the votes at ``now`` (UTC ms) is above the threshold for sure.

    Wilson's interval over as many votes as weigh as surely (interval.py): three of three, six of ten, not two of three.
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
