"""Journal of votes and manual changes, so that the last decision can be undone exactly.

Each decision stores the previous state of its strategy (for a vote: without the votes of other sessions). Decisions are
undone in reverse order, and only the newest are stored. After a vote is undone, another analysis of its session does
not cast it again.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from mind_skills.learning.anti_patterns import WARNING_ID_PREFIX, DecompositionPattern
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity
from mind_skills.learning.storage import MaturityStorage, PatternStorage, Table
from mind_skills.store.database import Database

DecisionKind = Literal["vote", "deprecated", "reset", "pinned", "unpinned"]
MAX_DECISIONS = 500
"""Maximum number of decisions stored, over all projects; the oldest are dropped."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A pattern with its warning and its maturity, and the votes on it, either of one session or of all."""

    pattern: DecompositionPattern | None = None
    warning: DecompositionPattern | None = None
    maturity: PatternMaturity | None = None
    votes: tuple[MaturityFeedback, ...] = ()

    def differs_from(self, other: Snapshot) -> bool:
        """Return whether votes (apart from their times), warning, permanent deprecation or pin differ from ``other``."""
        return self._build_comparison_key() != other._build_comparison_key()

    def _build_comparison_key(self) -> object:
        maturity = self.maturity
        # Only a permanent deprecation has a reason (maturity.py). Any other unpinned state follows from the votes.
        manual = (maturity.reason, maturity.pinned) if maturity is not None else ("", False)
        return {(vote.source, vote.type) for vote in self.votes}, self.warning is None, manual


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. ``project`` is a project's id, ``source`` is the session that voted, empty for manual changes; ``at`` is UTC ms."""

    project: str
    pattern_id: str
    what: DecisionKind
    at: int
    before: Snapshot
    source: str = ""
    id: str = field(default_factory=lambda: f"dec_{uuid.uuid4().hex}")


def _parse_snapshot(text: str) -> Snapshot:
    data = json.loads(text)
    maturity = data["maturity"]
    return Snapshot(
        _parse_pattern(data["pattern"]),
        _parse_pattern(data["warning"]),
        None if maturity is None else PatternMaturity(**maturity),
        tuple(MaturityFeedback(**vote) for vote in data["votes"]),
    )


def _parse_pattern(data: dict[str, Any] | None) -> DecompositionPattern | None:
    if data is None:
        return None
    for name in ("tags", "example_tasks"):
        data[name] = tuple(data[name])
    return DecompositionPattern(**data)


class Journal:
    """Stores decisions that can be undone, and refused votes. Every method may raise StoreError."""

    def __init__(self, database: Database, patterns: PatternStorage, maturities: MaturityStorage) -> None:
        """``undo`` writes to ``patterns`` and ``maturities``. ``database`` has the tables of storage.py."""
        self._database, self._patterns, self._maturities = database, patterns, maturities
        self._decisions = Table(database, "decisions", Decision, {"before": _parse_snapshot})

    def take_snapshot(self, pattern_id: str, source: str = "") -> Snapshot:
        """Return a pattern's current state, with the votes of ``source`` or, if that is empty, of all sources."""
        votes = tuple(vote for vote in self._maturities.list_votes(pattern_id) if not source or vote.source == source)
        warning = self._patterns.get(f"{WARNING_ID_PREFIX}{pattern_id}")
        return Snapshot(self._patterns.get(pattern_id), warning, self._maturities.get(pattern_id), votes)

    def record(
        self, what: DecisionKind, pattern: DecompositionPattern, before: Snapshot, now: int, source: str = ""
    ) -> None:
        """Store a decision made at ``now`` (UTC ms), unless it changed nothing."""
        if before.differs_from(self.take_snapshot(pattern.id, source)):
            self.add(Decision(pattern.tags[0], pattern.id, what, now, before, source))

    def add(self, decision: Decision) -> None:
        """Store a decision, and drop the oldest beyond ``MAX_DECISIONS``."""
        with self._database.writing():
            self._decisions.insert(decision, "", before=json.dumps(asdict(decision.before), sort_keys=True))
            self._decisions.keep_newest(MAX_DECISIONS)

    def get_last(self, project: str) -> Decision | None:
        """Return a project's newest decision that has not been undone, or None."""
        decisions = self._decisions.select("project = ?", project, order="n DESC LIMIT 1")
        return decisions[0] if decisions else None

    def list_decisions(self, pattern_id: str) -> list[Decision]:
        """Return the decisions about a strategy, oldest first."""
        return self._decisions.select("pattern_id = ?", pattern_id)

    def refuse(self, pattern_id: str, source: str, *, refused: bool = True) -> None:
        """Refuse votes of a source on a strategy or, with ``refused=False``, accept them again."""
        with self._database.writing() as sql:
            if refused:
                sql.execute("INSERT OR IGNORE INTO refused_votes VALUES (?, ?)", (pattern_id, source))
            else:
                sql.execute("DELETE FROM refused_votes WHERE pattern_id = ? AND source = ?", (pattern_id, source))

    def list_refused_sources(self, pattern_id: str) -> set[str]:
        """Return the sources whose votes on a strategy are refused because an earlier vote was undone."""
        with self._database.reading() as sql:
            rows = sql.execute("SELECT source FROM refused_votes WHERE pattern_id = ?", (pattern_id,))
            return {row[0] for row in rows.fetchall()}

    def undo(self, project: str) -> Decision | None:
        """Restore the state before a project's last decision, delete the decision and return it; None if there is none.

        If it was a vote, further votes of its source on the strategy are refused.
        """
        decision = self.get_last(project)
        if decision is None:
            return None
        self._restore(decision)
        self._decisions.delete("id = ?", decision.id)
        if decision.what == "vote":
            self.refuse(decision.pattern_id, decision.source)
        return decision

    def _restore(self, decision: Decision) -> None:
        pattern_id, before = decision.pattern_id, decision.before
        for stored_id, pattern in ((pattern_id, before.pattern), (f"{WARNING_ID_PREFIX}{pattern_id}", before.warning)):
            if pattern is None:
                self._patterns.remove(stored_id)
            else:
                self._patterns.store(pattern)
        if decision.what == "reset" or before.maturity is None:
            self._maturities.delete(pattern_id)
        elif decision.what == "vote":
            self._maturities.withdraw_vote(pattern_id, decision.source)
        if before.maturity is not None:
            self._maturities.store(before.maturity)
        if decision.what in ("reset", "vote"):
            for vote in before.votes:
                self._maturities.add_vote(vote)
