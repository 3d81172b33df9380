"""Two ways to apply the documents' rules: as their original code does, and as the project does by default.

Texts and code of the original disagree in places, and some of what the code does is an accident. ``ORIGINAL`` reproduces
the code, so that it can be checked against reference outputs; ``DEFAULT`` follows the decisions of docs/learning.md. Each
switch is one of them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """Each switch is true where the project decides otherwise than the original code."""

    name: str
    drop_invalid: bool
    """D22: an event whose time cannot be read, or lies more than a day ahead, is left out; else it poisons every sum."""
    few_are_neutral: bool
    """D11: below the least number of events a criterion's weight stays 1.0."""
    raw_gate: bool
    """D4: as many events as were seen, not what is left of them, decide whether there is enough to judge."""
    neutral_is_nothing: bool
    """D8: a neutral event counts nowhere; else it counts as harmful where maturity is judged."""
    sticky: bool
    """D12: deprecated stays deprecated until it is reset, and a pinned state stays as it is."""
    validated_by_help: bool
    """D9: only something helpful renews `last_validated`; else every look does."""
    invert_once: bool
    """D20: a pattern is inverted once, and the original deprecated and linked; else every failure inverts it again."""
    fair_failures: bool
    """D14: the worse a failure, the more it weighs, and it decays once; else the worst weigh least, and decay twice."""
    negation_aware: bool
    """A strategy that a text speaks against is not taken for one that it proposes."""
    utc_stamps: bool
    """D15: times in prompts are ISO 8601 in UTC; else in words of one country, in the zone of the machine."""
    whole_words: bool
    """Failures are told by words, and not by parts of them: "unexpected token" is no overflow of a context."""


ORIGINAL = Profile("original", *[False] * 11)
DEFAULT = Profile("default", *[True] * 11)
PROFILES = {profile.name: profile for profile in (DEFAULT, ORIGINAL)}
