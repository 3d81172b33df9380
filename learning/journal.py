"""The journal of decisions: what a strategy was before each, put down, and put back (decisions.py)."""

from __future__ import annotations

from mind_skills.learning.anti_patterns import WARNING, DecompositionPattern
from mind_skills.learning.decisions import Decision, Family, What
from mind_skills.learning.storage import DecisionStorage, MaturityStorage, PatternStorage


class Journal:
    """Over the storages whose contents it puts back."""

    def __init__(self, patterns: PatternStorage, maturities: MaturityStorage, decisions: DecisionStorage) -> None:
        self._patterns, self._maturities, self.decisions = patterns, maturities, decisions

    def family(self, pattern_id: str, source: str = "") -> Family:
        """A pattern with all that belongs to it, its votes of one source, or all of them."""
        votes = tuple(vote for vote in self._maturities.feedback(pattern_id) if not source or vote.source == source)
        warning = self._patterns.get(f"{WARNING}{pattern_id}")
        return Family(self._patterns.get(pattern_id), warning, self._maturities.get(pattern_id), votes)

    def note(self, what: What, pattern: DecompositionPattern, before: Family, now: int, source: str = "") -> None:
        """Put a decision down, where it changed anything; ``now`` is UTC ms."""
        if before.differs(self.family(pattern.id, source)):
            self.decisions.add(Decision(pattern.tags[0], pattern.id, what, now, before, source))

    def take_back(self, project: str) -> Decision | None:
        """Put back what the last decision of a project found; None where there is none left.

        A vote that was taken back is refused from now on.
        """
        decision = self.decisions.last(project)
        if decision is None:
            return None
        self._restore(decision)
        self.decisions.remove(decision.id)
        if decision.what == "vote":
            self.decisions.refuse(decision.pattern_id, decision.source)
        return decision

    def _restore(self, decision: Decision) -> None:
        pattern_id, before = decision.pattern_id, decision.before
        for name, pattern in ((pattern_id, before.pattern), (f"{WARNING}{pattern_id}", before.warning)):
            if pattern is None:
                self._patterns.remove(name)
            else:
                self._patterns.store(pattern)
        if decision.what == "reset" or before.maturity is None:
            self._maturities.forget(pattern_id)
        elif decision.what == "vote":
            self._maturities.withdraw(pattern_id, decision.source)
        if before.maturity is not None:
            self._maturities.store(before.maturity)
        if decision.what in ("reset", "vote"):
            for vote in before.votes:
                self._maturities.add_feedback(vote)
