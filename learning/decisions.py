"""What was decided about strategies, by sessions and by hand, so that the last decision can be undone exactly.

A decision holds everything of its strategy as it was before. Decisions are undone in the opposite order, and only the
newest are kept; a vote that was undone stays refused, since its session may be looked at again.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from mind_skills.learning.anti_patterns import WARNING, DecompositionPattern
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity
from mind_skills.learning.storage import MaturityStorage, PatternStorage, Table
from mind_skills.store.database import Database

What = Literal["vote", "deprecated", "reset", "pinned", "unpinned"]
MOST = 500
"""Decisions that are kept, the newest of all projects: more than anybody undoes one by one."""


@dataclass(frozen=True, slots=True)
class Family:
    """A strategy and all that belongs to it: its warning, its maturity, and votes: those of one session, or all."""

    pattern: DecompositionPattern | None = None
    warning: DecompositionPattern | None = None
    maturity: PatternMaturity | None = None
    votes: tuple[MaturityFeedback, ...] = ()

    def differs(self, other: Family) -> bool:
        """Whether another judgement is given, or something else follows from it; times alone are no difference."""
        return self._judgement() != other._judgement()

    def _judgement(self) -> object:
        found = self.maturity
        # What is deprecated permanently has a reason (maturity.py); else the state follows the votes and their age.
        held = (found.reason, found.pinned) if found is not None else ("", False)
        return {(vote.source, vote.type) for vote in self.votes}, self.warning is None, held


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. ``project`` is the project's id, ``source`` the session that voted, ``at`` UTC milliseconds."""

    project: str
    pattern_id: str
    what: What
    at: int
    before: Family
    source: str = ""
    id: str = field(default_factory=lambda: f"dec_{uuid.uuid4().hex}")


def _read_family(text: str) -> Family:
    data = json.loads(text)
    maturity = data["maturity"]
    return Family(
        _read_pattern(data["pattern"]),
        _read_pattern(data["warning"]),
        None if maturity is None else PatternMaturity(**maturity),
        tuple(MaturityFeedback(**vote) for vote in data["votes"]),
    )


def _read_pattern(data: dict[str, Any] | None) -> DecompositionPattern | None:
    if data is None:
        return None
    for name in ("tags", "example_tasks"):
        data[name] = tuple(data[name])
    return DecompositionPattern(**data)


class Journal:
    """The decisions that can still be undone, and the votes that were. Every method may raise StoreError."""

    def __init__(self, database: Database, patterns: PatternStorage, maturities: MaturityStorage) -> None:
        """``patterns`` and ``maturities`` are what is put back; ``database`` is open with the steps of storage.py."""
        self._database, self._patterns, self._maturities = database, patterns, maturities
        self._decisions = Table(database, "decisions", Decision, {"before": _read_family})

    def snapshot(self, pattern_id: str, source: str = "") -> Family:
        """A pattern with all that belongs to it: the votes of one source, or all of them."""
        votes = tuple(vote for vote in self._maturities.feedback(pattern_id) if not source or vote.source == source)
        warning = self._patterns.get(f"{WARNING}{pattern_id}")
        return Family(self._patterns.get(pattern_id), warning, self._maturities.get(pattern_id), votes)

    def record(self, what: What, pattern: DecompositionPattern, before: Family, now: int, source: str = "") -> None:
        """Put a decision down, if it changed anything, and forget the oldest beyond ``MOST``; ``now`` is UTC ms."""
        if before.differs(self.snapshot(pattern.id, source)):
            self.add(Decision(pattern.tags[0], pattern.id, what, now, before, source))

    def add(self, decision: Decision) -> None:
        """Keep a decision, and forget the oldest beyond ``MOST``."""
        with self._database.writing():
            self._decisions.insert(decision, "", before=json.dumps(asdict(decision.before), sort_keys=True))
            self._decisions.keep_newest(MOST)

    def last(self, project: str) -> Decision | None:
        """The newest decision in a project that has not been undone."""
        found = self._decisions.select("project = ?", project, order="n DESC LIMIT 1")
        return found[0] if found else None

    def about(self, pattern_id: str) -> list[Decision]:
        """The decisions about a strategy, the oldest first."""
        return self._decisions.select("pattern_id = ?", pattern_id)

    def refuse(self, pattern_id: str, source: str, *, refused: bool = True) -> None:
        """Count no vote of a source on a strategy any more, or count them again."""
        with self._database.writing() as sql:
            if refused:
                sql.execute("INSERT OR IGNORE INTO refused_votes VALUES (?, ?)", (pattern_id, source))
            else:
                sql.execute("DELETE FROM refused_votes WHERE pattern_id = ? AND source = ?", (pattern_id, source))

    def refused(self, pattern_id: str) -> set[str]:
        """The sources whose votes on a strategy were undone."""
        with self._database.reading() as sql:
            rows = sql.execute("SELECT source FROM refused_votes WHERE pattern_id = ?", (pattern_id,))
            return {row[0] for row in rows.fetchall()}

    def undo(self, project: str) -> Decision | None:
        """Put back what the last decision of a project found, and forget it; None where there is none left.

        A vote that was undone is refused from now on.
        """
        decision = self.last(project)
        if decision is None:
            return None
        self._restore(decision)
        self._decisions.delete("id = ?", decision.id)
        if decision.what == "vote":
            self.refuse(decision.pattern_id, decision.source)
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
