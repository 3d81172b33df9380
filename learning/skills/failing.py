"""When a skill is failing: so surely that putting it away is proposed, and that it no longer helps a rank.

By the documents more than 30 % harmful of three votes deprecate, which one session of three does: in a simulated year
that condemned three of five skills that did no harm (docs/learning.md). So a skill is failing only where the lower end of
the 95 % interval of its harmful share, as it has faded, lies above those 30 % and above the share of the other sessions of
its project that came out harmful: a skill is not to blame for hard work. The interval is Wilson's, over as many votes as
weigh as surely (learning/interval.py): over the sum of what is left, as for detectors, half as many are found in that year.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mind_skills.learning import maturity
from mind_skills.learning.interval import wilson
from mind_skills.learning.maturity import MaturityConfig, multiplier
from mind_skills.learning.skills.standing import Load, SkillStanding, votes_of

LEFT = 1.0
"""At least so much is left of its votes: what failed long ago and was not loaded since may be tried again."""
UNSURE = 0.5
"""What a skill is worth that the documents call deprecated for too few votes to be sure: that of a candidate."""


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


def sessions(ended: Iterable[Load], config: MaturityConfig = maturity.DEFAULTS, *, now: int) -> Sessions:
    """What is left at ``now`` (UTC ms) of these outcomes; each session is to be given once."""
    return Sessions(*maturity.decayed_counts(votes_of("", ended), config, now=now))


def failing(standing: SkillStanding, others: Sessions, config: MaturityConfig = maturity.DEFAULTS) -> str:
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
    beside = f"; of the sessions without it {others.share:.0%}" if others.helpful + others.harmful > 0 else ""
    return (
        f"{known.harmful_count} of {votes} sessions that loaded it came out harmful"
        f" ({share:.0%} as votes fade, {low:.0%} to {high:.0%}{beside})"
    )


def worth(standing: SkillStanding, others: Sessions, config: MaturityConfig = maturity.DEFAULTS) -> float:
    """What the skill makes of a rank: the multiplier of its state, 0 only where it is failing for sure."""
    if standing.maturity.state != "deprecated" or standing.maturity.pinned:
        return multiplier(standing.maturity.state)
    return 0.0 if failing(standing, others, config) else UNSURE
