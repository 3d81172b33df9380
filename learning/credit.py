"""Credit by use: what a session used gets one vote, from how the session came out.

Nothing is credited for having been shown. A session whose outcome is neutral or not known has no vote, and one that is
looked at again, or goes on and comes out otherwise, replaces its own. Strategies are kept by project: what fails in one
may be right in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mind_skills.learning import anti_patterns, maturity
from mind_skills.learning.anti_patterns import AntiPatternConfig, DecompositionPattern
from mind_skills.learning.maturity import MaturityConfig, MaturityFeedback, PatternMaturity
from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.scoring import FeedbackType
from mind_skills.learning.storage import MaturityStorage, PatternStorage

_FAILED = "Failed "
"""How the reason begins of what was given up for its votes."""
_VERDICTS: dict[OutcomeType, FeedbackType] = {"helpful": "helpful", "harmful": "harmful"}
"""What an outcome says of what was used; the others say nothing."""
_NO_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Standing:
    """A pattern and where it stands."""

    pattern: DecompositionPattern
    maturity: PatternMaturity


class UnknownPatternError(LookupError):
    """There is no pattern of that id."""


def strategy_id(project: str, strategy: str) -> str:
    """The id of a strategy in a project (its id)."""
    return f"{project}/{_NO_NAME.sub('-', strategy.lower()).strip('-')}"


class Credit:
    """Votes on patterns, and what becomes of the patterns by them."""

    def __init__(
        self,
        patterns: PatternStorage,
        maturities: MaturityStorage,
        *,
        inversion: AntiPatternConfig = anti_patterns.DEFAULTS,
        stages: MaturityConfig = maturity.DEFAULTS,
    ) -> None:
        self._patterns, self._maturities = patterns, maturities
        self._inversion, self._stages = inversion, stages

    def vote(
        self, project: str, session: str, strategies: Iterable[str], outcome: OutcomeType, *, at: int, now: int
    ) -> list[Standing]:
        """Let a session vote on the strategies that it followed; ``at`` is when it ended, ``now`` today (UTC ms).

        Returns where these strategies stand. Repeated, it changes nothing. A session that takes back what it said takes
        back what became of a pattern by that.
        """
        standings: list[Standing] = []
        kind = _VERDICTS.get(outcome)
        for strategy in dict.fromkeys(strategies):
            pattern_id = strategy_id(project, strategy)
            said = {vote.type for vote in self._maturities.feedback(pattern_id) if vote.source == session}
            if kind is not None:
                self._maturities.add_feedback(MaturityFeedback(pattern_id, kind, min(at, now), 1.0, session))
            else:
                self._maturities.withdraw(pattern_id, session)
            fresh = DecompositionPattern(pattern_id, strategy, created_at=now, updated_at=now, tags=(project,))
            if said - {kind}:
                self._relent(pattern_id)
            standings.append(self._settle(fresh, session, now))
        return standings

    def standings(self, project: str | None = None) -> list[Standing]:
        """Every pattern and where it stands; of one project, or of all."""
        found = self._patterns.all() if project is None else self._patterns.by_tag(project)
        return [self._standing(pattern) for pattern in found]

    def warnings(self, project: str) -> list[DecompositionPattern]:
        """What to avoid in a project, the newest warning first."""
        found = [pattern for pattern in self._patterns.by_tag(project) if pattern.kind == "anti_pattern"]
        return sorted(found, key=lambda pattern: (-pattern.updated_at, pattern.id))

    def proven(self, project: str) -> list[Standing]:
        """What has proven itself in a project."""
        return [
            each for each in self.standings(project) if each.maturity.state == "proven" and not each.pattern.inverted_to
        ]

    def reset(self, pattern_id: str, *, now: int) -> DecompositionPattern:
        """Begin anew with a pattern: no votes, no warning, a candidate. Raises UnknownPatternError."""
        found = self._patterns.get(pattern_id)
        if found is None:
            raise UnknownPatternError(pattern_id)
        if found.kind == "anti_pattern":
            return self.reset(found.id.removeprefix("anti-"), now=now)
        self._maturities.forget(pattern_id)
        if found.inverted_to:
            self._patterns.remove(found.inverted_to)
        blank = replace(found, success_count=0, failure_count=0, inverted_to="", example_tasks=(), updated_at=now)
        self._patterns.store(blank)
        self._maturities.store(maturity.create(pattern_id, now=now))
        return blank

    def _relent(self, pattern_id: str) -> None:
        """Undo what votes have made of a pattern for good, for what is left of them to say it again. Words by hand stay."""
        stands = self._maturities.get(pattern_id)
        by_votes = stands is not None and (not stands.reason or stands.reason.startswith(_FAILED))
        if stands is not None and stands.state == "deprecated" and by_votes and not stands.pinned:
            self._maturities.store(replace(stands, state="candidate", deprecated_at=None, reason=""))
        pattern = self._patterns.get(pattern_id)
        if pattern is not None and pattern.inverted_to:
            self._patterns.remove(pattern.inverted_to)
            self._patterns.store(replace(pattern, inverted_to=""))

    def _settle(self, fresh: DecompositionPattern, session: str, now: int) -> Standing:
        """Make the pattern and its maturity what all votes on it say."""
        votes = self._maturities.feedback(fresh.id)

        def counted(known: DecompositionPattern | None) -> DecompositionPattern:
            return _counted(known or fresh, votes, session, now)

        pattern = self._patterns.change(fresh.id, counted)
        stands = maturity.update(
            self._maturities.get(fresh.id) or PatternMaturity(fresh.id), votes, self._stages, now=now
        )
        if anti_patterns.should_invert(pattern, self._inversion):
            total = pattern.success_count + pattern.failure_count
            share = anti_patterns.percent(pattern.failure_count, total)
            reason = f"{_FAILED}{pattern.failure_count}/{total} times ({share}% failure rate)"
            turned = anti_patterns.invert(pattern, reason, self._inversion, now=now)
            self._patterns.store(turned.inverted)
            self._patterns.store(turned.original)
            pattern, stands = turned.original, maturity.deprecate(stands, reason, now=now)
        self._maturities.store(stands)
        return Standing(pattern, stands)

    def _standing(self, pattern: DecompositionPattern) -> Standing:
        return Standing(pattern, self._maturities.get(pattern.id) or PatternMaturity(pattern.id))


def _counted(
    pattern: DecompositionPattern, votes: Sequence[MaturityFeedback], session: str, now: int
) -> DecompositionPattern:
    """The pattern with the counts of its votes, and the session among its examples if it voted."""
    helpful = sum(vote.type == "helpful" for vote in votes)
    harmful = sum(vote.type == "harmful" for vote in votes)
    if (helpful, harmful) == (pattern.success_count, pattern.failure_count):
        return pattern
    examples = pattern.example_tasks
    if any(vote.source == session for vote in votes) and session not in examples:
        examples = (*examples[-(anti_patterns.MAX_EXAMPLES - 1) :], session)
    return replace(pattern, success_count=helpful, failure_count=harmful, example_tasks=examples, updated_at=now)
