"""Credit by use: what a session used gets one vote, from how the session came out.

Nothing is credited for having been shown. A session whose outcome is neutral or not known has no vote, and one that is
looked at again, or goes on and comes out otherwise, replaces its own. Strategies are kept by project: what fails in one
may be right in another. Every vote and every word by hand can be taken back (decisions.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from mind_skills.learning import anti_patterns, maturity
from mind_skills.learning.anti_patterns import WARNING, DecompositionPattern
from mind_skills.learning.decisions import Decision, Journal, What
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity
from mind_skills.learning.rules import DEFAULTS, Rules
from mind_skills.learning.scoring import FeedbackType, OutcomeType
from mind_skills.learning.storage import MaturityStorage, PatternStorage, in_memory
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.store.database import Database

_VERDICTS: dict[OutcomeType, FeedbackType] = {"helpful": "helpful", "harmful": "harmful"}
"""What an outcome says of what was used; the others say nothing."""
BY_HAND = "given up by hand"
"""The reason of who gives none."""
_NO_NAME = compile_later(r"[^a-z0-9]+")


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

    def __init__(self, database: Database | None = None, rules: Rules = DEFAULTS) -> None:
        """``database`` is open with the steps of storage.py; without one, what is voted is kept in memory.

        Each vote and each change by hand is one transaction: a process that is killed over it leaves all of it or nothing.
        Every method may raise StoreError.
        """
        self._database = database or in_memory()
        self._patterns, self._maturities = PatternStorage(self._database), MaturityStorage(self._database)
        self._journal = Journal(self._database, self._patterns, self._maturities)
        self._rules = rules

    def vote(
        self,
        project: str,
        session: str,
        strategies: Iterable[str],
        outcome: OutcomeType,
        *,
        at: int,
        now: int,
        anew: bool = False,
    ) -> list[Standing]:
        """Let a session vote on the strategies that it followed; ``at`` is when it ended, ``now`` today (UTC ms).

        Returns where these strategies stand. Repeated, it changes nothing. A session that takes back what it said takes
        back what became of a pattern by that. A vote that a person took back (``undo``) is not cast again, unless somebody
        says it ``anew``. A time that lies ahead, or before 1970, counts as now.
        """
        names = dict.fromkeys(strategies)
        if not names:  # nearly every session; it need not wait for those that write
            return []
        with self._database.writing():
            return [self._voted(project, session, name, outcome, at, now, anew) for name in names]

    def standings(self, project: str | None = None, *, now: int | None = None) -> list[Standing]:
        """Every pattern and where it stands at ``now`` (UTC ms), as its votes have faded; of one project, or of all.

        Without ``now`` as it stood after its last vote.
        """
        found = self._patterns.all() if project is None else self._patterns.by_tag(project)
        return [self._standing(pattern, now) for pattern in found]

    def warnings(self, project: str) -> list[DecompositionPattern]:
        """What to avoid in a project, the newest warning first."""
        found = [pattern for pattern in self._patterns.by_tag(project) if pattern.kind == "anti_pattern"]
        return sorted(found, key=lambda pattern: (-pattern.updated_at, pattern.id))

    def proven(self, project: str, *, now: int | None = None) -> list[Standing]:
        """What has proven itself in a project, ``now`` as in ``standings``."""
        found = self.standings(project, now=now)
        return [each for each in found if each.maturity.state == "proven" and not each.pattern.inverted_to]

    # -- by hand -----------------------------------------------------------------------------------------------------

    def reset(self, pattern_id: str, *, now: int) -> DecompositionPattern:
        """Begin anew with a pattern: no votes, no warning, a candidate. Raises UnknownPatternError."""
        with self._database.writing():
            found = self._known(pattern_id)
            before = self._journal.snapshot(found.id)
            self._maturities.forget(found.id)
            if found.inverted_to:
                self._patterns.remove(found.inverted_to)
            blank = replace(found, success_count=0, failure_count=0, inverted_to="", example_tasks=(), updated_at=now)
            self._patterns.store(blank)
            self._maturities.store(maturity.create(found.id, now=now))
            self._journal.record("reset", found, before, now)
        return blank

    def deprecate(self, pattern_id: str, reason: str, *, now: int) -> Standing:
        """Give a pattern up, until it is reset; one that is given up stays as it is. Raises UnknownPatternError."""
        why = reason or BY_HAND
        return self._by_hand(
            "deprecated", pattern_id, lambda held: maturity.deprecate_permanently(held, why, now=now), now
        )

    def pin(self, pattern_id: str, *, now: int, pinned: bool = True) -> Standing:
        """Hold a pattern in the state that it has by now, or let it go. Raises UnknownPatternError."""
        state = self._standing(self._known(pattern_id), now).maturity.state
        what: What = "pinned" if pinned else "unpinned"
        return self._by_hand(
            what, pattern_id, lambda held: maturity.pin(replace(held, state=state), pinned=pinned), now
        )

    def undoable(self, project: str) -> Decision | None:
        """What ``undo`` would take back; None where there is nothing."""
        return self._journal.last(project)

    def undo(self, project: str) -> Decision | None:
        """Take back the last vote, deprecation, reset or pin in a project: all of it is as it was before.

        The session of a vote that was taken back has none on this pattern any more. None where there is nothing left.
        """
        with self._database.writing():
            return self._journal.undo(project)

    def decisions(self, pattern_id: str) -> Sequence[Decision]:
        """What was decided about a pattern and can still be taken back, the oldest first."""
        return self._journal.about(pattern_id.removeprefix(WARNING))

    def refused(self, pattern_id: str) -> set[str]:
        """The sessions whose votes on a pattern were taken back."""
        return self._journal.refused(pattern_id.removeprefix(WARNING))

    # -- inside ------------------------------------------------------------------------------------------------------

    def _voted(
        self, project: str, session: str, strategy: str, outcome: OutcomeType, at: int, now: int, anew: bool
    ) -> Standing:
        fresh = DecompositionPattern(
            strategy_id(project, strategy), strategy, created_at=now, updated_at=now, tags=(project,)
        )
        if session in self._journal.refused(fresh.id):
            if not anew:
                return self._standing(self._patterns.get(fresh.id) or fresh, now)
            self._journal.refuse(fresh.id, session, refused=False)
        kind, before = _VERDICTS.get(outcome), self._journal.snapshot(fresh.id, session)
        when = min(at, now) if at > 0 else now
        if kind is not None and {(vote.type, vote.at) for vote in before.votes} & {(kind, at), (kind, when)}:
            return self._standing(before.pattern or fresh, now)  # said before, whatever the clock says today
        if kind is not None:
            self._maturities.add_feedback(MaturityFeedback(fresh.id, kind, when, 1.0, session))
        else:
            self._maturities.withdraw(fresh.id, session)
        if {vote.type for vote in before.votes} - {kind}:
            self._relent(fresh.id)
        standing = self._settle(fresh, session, now)
        self._journal.record("vote", fresh, before, now, session)
        return standing

    def _by_hand(
        self, what: What, pattern_id: str, change: Callable[[PatternMaturity], PatternMaturity], now: int
    ) -> Standing:
        with self._database.writing():
            found = self._known(pattern_id)
            before = self._journal.snapshot(found.id)
            held = before.maturity or PatternMaturity(found.id)
            self._maturities.store(change(held))
            self._journal.record(what, found, before, now)
            return self._standing(found, None)

    def _known(self, pattern_id: str) -> DecompositionPattern:
        """The pattern of that id; of a warning's, the one that it was made of. Raises UnknownPatternError."""
        found = self._patterns.get(pattern_id.removeprefix(WARNING))
        if found is None:
            raise UnknownPatternError(pattern_id)
        return found

    def _relent(self, pattern_id: str) -> None:
        """Undo what votes have made of a pattern for good, for what is left of them to say it again. Words by hand stay."""
        stands = self._maturities.get(pattern_id)
        if stands is not None and maturity.is_vote_based(stands) and not stands.pinned:
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
        held = self._maturities.get(fresh.id) or PatternMaturity(fresh.id)
        stands = maturity.evaluate(held, votes, self._rules.maturity, now=now)
        if anti_patterns.should_invert(pattern, self._rules.anti_pattern):
            total = pattern.success_count + pattern.failure_count
            reason = maturity.describe_failures(pattern.failure_count, total)
            turned = anti_patterns.invert(pattern, reason, self._rules.anti_pattern, now=now)
            self._patterns.store(turned.inverted)
            self._patterns.store(turned.original)
            pattern, stands = turned.original, maturity.deprecate_permanently(stands, reason, now=now)
        self._maturities.store(stands)
        return Standing(pattern, stands)

    def _standing(self, pattern: DecompositionPattern, now: int | None) -> Standing:
        held = self._maturities.get(pattern.id) or PatternMaturity(pattern.id)
        if now is None or pattern.kind == "anti_pattern":
            return Standing(pattern, held)
        fresh = maturity.evaluate(held, self._maturities.feedback(pattern.id), self._rules.maturity, now=now)
        return Standing(pattern, replace(fresh, promoted_at=held.promoted_at, deprecated_at=held.deprecated_at))


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
