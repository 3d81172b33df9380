"""Two variants of the rules: ``ORIGINAL`` reproduces the specification's code, to be checked against its outputs;
``DEFAULT`` follows the decisions in docs/learning.md (D4 and so on), one a switch.
"""

from __future__ import annotations

from mind_skills.store.light_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """Switches that are true where this project deviates from the original code."""

    name: str
    drops_invalid_times: bool
    """D7, D22: an event whose time is unreadable or over a day in the future is omitted; it would distort every sum."""
    few_events_are_neutral: bool
    """D11: with fewer events than the minimum, a criterion's weight is 1.0."""
    minimum_counts_events: bool
    """D4: the number of events determines whether there is enough data; otherwise their decayed sum does."""
    ignores_neutral: bool
    """D8: neutral events are ignored; otherwise they count as harmful for maturity."""
    deprecation_is_final: bool
    """D12: a deprecated pattern stays deprecated until reset (except in `evaluate`); a pinned state does not change."""
    only_help_validates: bool
    """D9: only a helpful vote updates `last_validated`; otherwise every evaluation does."""
    inverts_once: bool
    """D20: a pattern is inverted once, then deprecated and linked; otherwise further observations invert it again."""
    weighs_failures_fairly: bool
    """D14: worse failures weigh more, and decay once; otherwise the worst failures weigh least, and decay twice."""
    respects_negation: bool
    """A strategy does not count if it is mentioned only to reject it, or if its mention starts inside a word."""
    formats_utc: bool
    """D15: times in prompts are ISO 8601, otherwise in US format; both in UTC (the original code: in local time)."""
    matches_whole_words: bool
    """Failures are classified by whole words, not substrings: "unexpected token" is not a context overflow."""


ORIGINAL = Profile("original", *[False] * 11)
DEFAULT = Profile("default", *[True] * 11)
PROFILES = {profile.name: profile for profile in (DEFAULT, ORIGINAL)}
