"""Credit by use: a session votes once on each strategy that it used, unless its outcome is neutral or unknown, and
again when that changes. Strategies are per project. The last decision (vote or manual change) can be undone exactly:
each stores the strategy's state before it, without the votes of others. An undone vote is not cast again.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from mind_skills.learning import anti_patterns, maturity
from mind_skills.learning.anti_patterns import WARNING_ID_PREFIX, DecompositionPattern, build_slug
from mind_skills.learning.maturity import MaturityFeedback, MaturityState, PatternMaturity
from mind_skills.learning.rules import DEFAULTS, Rules
from mind_skills.learning.scoring import FeedbackType, OutcomeType
from mind_skills.learning.storage import MaturityStorage, PatternStorage, Table, open_in_memory
from mind_skills.store.database import Database
from mind_skills.store.light_dataclasses import dataclass, field, replace

_VOTE_TYPES: dict[OutcomeType, FeedbackType] = {"helpful": "helpful", "harmful": "harmful"}
"""The vote for each outcome; a session with another outcome does not vote."""
DEFAULT_REASON = "no reason given"
"""Reason stored for a manual deprecation without one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A pattern and its maturity."""

    pattern: DecompositionPattern
    maturity: PatternMaturity


class UnknownPatternError(LookupError):
    """No pattern has this id."""


def build_strategy_id(project_id: str, strategy: str) -> str:
    """Return the id of a strategy in a project."""
    return f"{project_id}/{build_slug(strategy)}"


class Credit:
    """Votes on patterns, and the state changes that follow from them."""

    def __init__(self, database: Database | None = None, rules: Rules = DEFAULTS) -> None:
        """Without a database with storage.py's tables, votes are in memory. Each vote is one transaction. Every method
        may raise StoreError.
        """
        self._database = database or open_in_memory()
        self._patterns, self._maturities = PatternStorage(self._database), MaturityStorage(self._database)
        self._journal = Journal(self._database, self._patterns, self._maturities)
        self._rules = rules

    def vote(
        self,
        project_id: str,
        session_id: str,
        strategies: Iterable[str],
        outcome: OutcomeType,
        *,
        at: int,
        now: int,
        recast_undone: bool = False,
    ) -> list[Standing]:
        """Record a session's vote on each strategy, and return their standings. An ``at`` (UTC ms) in the future or
        before 1970 counts as ``now``. Idempotent; after a change, deprecation and warning by votes are decided
        again. An undone vote needs ``recast_undone``.
        """
        names = dict.fromkeys(strategies)
        if not names:  # the common case, which need not wait for the write lock
            return []
        with self._database.writing():
            return [self._cast_vote(project_id, session_id, name, outcome, at, now, recast_undone) for name in names]

    def list_standings(self, project_id: str | None = None, *, now: int | None = None) -> list[Standing]:
        """Return every pattern and warning of a project, or of all, with its maturity, decayed to ``now`` (UTC ms) or
        as last stored.
        """
        patterns = self._patterns.list_all() if project_id is None else self._patterns.list_by_tag(project_id)
        return [self._build_standing(pattern, now) for pattern in patterns]

    def list_warnings(self, project_id: str) -> list[DecompositionPattern]:
        """Return a project's warnings, newest first."""
        warnings = [pattern for pattern in self._patterns.list_by_tag(project_id) if pattern.kind == "anti_pattern"]
        return sorted(warnings, key=lambda pattern: (-pattern.updated_at, pattern.id))

    def list_proven(self, project_id: str, *, now: int | None = None) -> list[Standing]:
        """Return a project's proven patterns that have not been inverted; ``now`` is as in `list_standings`."""
        standings = self.list_standings(project_id, now=now)
        return [each for each in standings if each.maturity.state == "proven" and not each.pattern.inverted_to]

    # -- manual changes ----------------------------------------------------------------------------------------------

    def reset(self, pattern_id: str, *, now: int) -> DecompositionPattern:
        """Reset a pattern to a candidate without votes or warning. Raises UnknownPatternError."""
        with self._database.writing():
            pattern = self._require_pattern(pattern_id)
            before = self._journal.take_snapshot(pattern.id)
            self._maturities.delete(pattern.id)
            if pattern.inverted_to:
                self._patterns.remove(pattern.inverted_to)
            new = replace(pattern, success_count=0, failure_count=0, inverted_to="", example_tasks=(), updated_at=now)
            self._patterns.store(new)
            self._maturities.store(maturity.create(pattern.id, now=now))
            self._journal.record("reset", pattern, before, now)
        return new

    def deprecate(self, pattern_id: str, reason: str, *, now: int) -> Standing:
        """Deprecate a pattern until it is reset; an earlier manual deprecation is not changed. Raises UnknownPatternError."""
        reason = reason or DEFAULT_REASON

        def change(current: PatternMaturity) -> PatternMaturity:
            # Otherwise the deprecation would end with the votes that caused it.
            current = replace(current, reason="") if maturity.is_vote_based(current) else current
            return maturity.deprecate_permanently(current, reason, now=now)

        return self._apply_manual_change("deprecated", pattern_id, change, now)

    def pin(self, pattern_id: str, *, now: int, pinned: bool = True) -> Standing:
        """Pin a pattern to the state it has at ``now``, or unpin it, so that its votes decide. Raises UnknownPatternError."""
        with self._database.writing():
            before = self._build_standing(self._require_pattern(pattern_id), now).maturity
            what: DecisionKind = "pinned" if pinned else "unpinned"
            standing = self._apply_manual_change(
                what, pattern_id, lambda current: replace(current, state=before.state, pinned=pinned), now
            )
            if pinned or not before.pinned:
                return standing
            if not maturity.is_permanent(standing.maturity):
                self._remove_warning(standing.pattern)
            return self._apply_votes(standing.pattern, "", now)

    def get_last_decision(self, project_id: str) -> Decision | None:
        """Return the decision that `undo` would revert, or None."""
        return self._journal.get_last(project_id)

    def compute_state_before(self, decision: Decision, *, now: int) -> MaturityState:
        """Return the state at ``now`` (UTC ms) that a pattern would have without its last decision."""
        votes = list(decision.before.votes)
        if decision.what == "vote":
            votes += [v for v in self._maturities.list_votes(decision.pattern_id) if v.source != decision.source]
        before = decision.before.maturity or PatternMaturity(decision.pattern_id)
        return maturity.evaluate(before, votes, self._rules.maturity, now=now).state

    def undo(self, project_id: str) -> Decision | None:
        """Revert the last vote or manual change in a project, and return it. Its session does not vote again (``recast_undone``)."""
        with self._database.writing():
            return self._journal.undo(project_id)

    def list_decisions(self, pattern_id: str) -> Sequence[Decision]:
        """Return the decisions about a pattern that can be undone, oldest first."""
        return self._journal.list_decisions(pattern_id.removeprefix(WARNING_ID_PREFIX))

    def list_undone_sessions(self, pattern_id: str) -> set[str]:
        """Return the sessions whose votes on a pattern were undone and not cast again."""
        return self._journal.list_refused_sources(pattern_id.removeprefix(WARNING_ID_PREFIX))

    # -- internals ---------------------------------------------------------------------------------------------------

    def _cast_vote(
        self,
        project_id: str,
        session_id: str,
        strategy: str,
        outcome: OutcomeType,
        at: int,
        now: int,
        recast_undone: bool,
    ) -> Standing:
        new_pattern = DecompositionPattern(
            build_strategy_id(project_id, strategy), strategy, created_at=now, updated_at=now, tags=(project_id,)
        )
        if session_id in self._journal.list_refused_sources(new_pattern.id):
            if not recast_undone:
                return self._build_standing(self._patterns.get(new_pattern.id) or new_pattern, now)
            self._journal.refuse(new_pattern.id, session_id, refused=False)
        vote_type, before = _VOTE_TYPES.get(outcome), self._journal.take_snapshot(new_pattern.id, session_id)
        voted_at = min(at, now) if at > 0 else now
        if any(vote.type == vote_type and vote.at in (at, voted_at) for vote in before.votes):
            # The vote is already recorded, possibly with a corrected time.
            return self._build_standing(before.pattern or new_pattern, now)
        if vote_type is not None:
            self._maturities.add_vote(MaturityFeedback(new_pattern.id, vote_type, voted_at, 1.0, session_id))
        else:
            self._maturities.withdraw_vote(new_pattern.id, session_id)
        for vote in before.votes:
            if vote.type != vote_type:
                self._revert_votes(new_pattern.id, vote.type)
        standing = self._apply_votes(new_pattern, session_id, now)
        self._journal.record("vote", new_pattern, before, now, session_id)
        return standing

    def _apply_manual_change(
        self, what: DecisionKind, pattern_id: str, change: Callable[[PatternMaturity], PatternMaturity], now: int
    ) -> Standing:
        with self._database.writing():
            pattern = self._require_pattern(pattern_id)
            before = self._journal.take_snapshot(pattern.id)
            current = before.maturity or PatternMaturity(pattern.id)
            self._maturities.store(change(current))
            self._journal.record(what, pattern, before, now)
            return self._build_standing(pattern, None)

    def _require_pattern(self, pattern_id: str) -> DecompositionPattern:
        """Return the pattern with this id or, for the id of a warning, the pattern that it warns against."""
        pattern = self._patterns.get(pattern_id.removeprefix(WARNING_ID_PREFIX))
        if pattern is None:
            raise UnknownPatternError(pattern_id)
        return pattern

    def _revert_votes(self, pattern_id: str, withdrawn: FeedbackType) -> None:
        """Revert what votes did to a pattern; manual changes remain. ``withdrawn`` is the type of the vote that is gone."""
        current = self._maturities.get(pattern_id)
        if current is not None and withdrawn == "helpful":
            resets = (decision.at for decision in self._journal.list_decisions(pattern_id) if decision.what == "reset")
            current = replace(current, last_validated=max(resets, default=None))
            self._maturities.store(current)
        if current is not None and maturity.is_vote_based(current):
            current = replace(current, reason="")  # the deprecation is no longer permanent
            self._maturities.store(current)
        pattern = self._patterns.get(pattern_id)
        if pattern is not None and (current is None or not current.pinned):
            self._remove_warning(pattern)

    def _remove_warning(self, pattern: DecompositionPattern) -> None:
        if pattern.inverted_to:
            self._patterns.remove(pattern.inverted_to)
            self._patterns.store(replace(pattern, inverted_to=""))

    def _apply_votes(self, new_pattern: DecompositionPattern, session_id: str, now: int) -> Standing:
        """Update a pattern and its maturity according to all votes on it; store ``new_pattern`` if the pattern does not exist yet."""
        votes = self._maturities.list_votes(new_pattern.id)
        current = self._maturities.get(new_pattern.id) or PatternMaturity(new_pattern.id)
        updated = maturity.evaluate(current, votes, self._rules.maturity, now=now)
        has_voted = any(vote.source == session_id for vote in votes)
        pattern = self._patterns.get(new_pattern.id) or new_pattern
        pattern = _update_counts(pattern, updated, session_id if has_voted else "", now)
        self._patterns.store(pattern)
        if not updated.pinned and anti_patterns.should_invert(pattern, self._rules.anti_pattern):
            total = pattern.success_count + pattern.failure_count
            reason = anti_patterns.describe_failures(pattern.failure_count, total)
            inversion = anti_patterns.invert(pattern, reason, self._rules.anti_pattern, now=now)
            self._patterns.store(inversion.inverted)
            self._patterns.store(inversion.original)
            pattern, updated = inversion.original, maturity.deprecate_permanently(updated, reason, now=now)
        self._maturities.store(updated)
        return Standing(pattern, updated)

    def _build_standing(self, pattern: DecompositionPattern, now: int | None) -> Standing:
        current = self._maturities.get(pattern.id) or PatternMaturity(pattern.id)
        if now is None or pattern.kind == "anti_pattern":
            return Standing(pattern, current)
        evaluated = maturity.evaluate(current, self._maturities.list_votes(pattern.id), self._rules.maturity, now=now)
        evaluated = replace(evaluated, promoted_at=current.promoted_at, deprecated_at=current.deprecated_at)
        return Standing(_copy_counts(pattern, evaluated), evaluated)


def _copy_counts(pattern: DecompositionPattern, counted: PatternMaturity) -> DecompositionPattern:
    return replace(pattern, success_count=counted.helpful_count, failure_count=counted.harmful_count)


def _update_counts(
    pattern: DecompositionPattern, counted: PatternMaturity, voter: str, now: int
) -> DecompositionPattern:
    """Return the pattern with the counts of its maturity. If they change, ``voter``, unless empty, becomes an example task."""
    updated = _copy_counts(pattern, counted)
    if updated == pattern:
        return pattern
    examples = pattern.example_tasks
    if voter and voter not in examples:
        examples = (*examples[-(anti_patterns.MAX_EXAMPLES - 1) :], voter)
    return replace(updated, example_tasks=examples, updated_at=now)


# -- The journal of decisions --

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

    def build_comparison_key(self) -> object:
        """Return what a decision can change: votes (apart from their times), warning, permanent deprecation, pin."""
        current = self.maturity
        # Only a permanent deprecation has a reason (maturity.py). Any other unpinned state follows from the votes.
        manual = (current.reason, current.pinned) if current is not None else ("", False)
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
    return Snapshot(
        _parse_pattern(data["pattern"]),
        _parse_pattern(data["warning"]),
        None if data["maturity"] is None else PatternMaturity(**data["maturity"]),
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
        if before.build_comparison_key() != self.take_snapshot(pattern.id, source).build_comparison_key():
            self.add(Decision(pattern.tags[0], pattern.id, what, now, before, source))

    def add(self, decision: Decision) -> None:
        """Store a decision, and drop the oldest beyond ``MAX_DECISIONS``."""
        from dataclasses import asdict  # noqa: PLC0415 -- slow to import

        with self._database.writing():
            self._decisions.insert(decision, "", before=json.dumps(asdict(decision.before), sort_keys=True))
            self._decisions.keep_newest(MAX_DECISIONS)

    def get_last(self, project_id: str) -> Decision | None:
        """Return a project's newest decision that has not been undone, or None."""
        decisions = self._decisions.select("project = ?", project_id, order="n DESC LIMIT 1")
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

    def undo(self, project_id: str) -> Decision | None:
        """Restore the state before a project's last decision, and return it; None without one. A vote's source is then
        refused.
        """
        decision = self.get_last(project_id)
        if decision is None:
            return None
        self._restore(decision)
        self._decisions.delete_where("id = ?", decision.id)
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
