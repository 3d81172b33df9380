"""Where feedback, errors, patterns and maturities are kept: the documents' interfaces.

memory_storage.py and sqlite_storage.py have a version of each; one contract test runs over both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.decisions import Decision
from mind_skills.learning.errors import ErrorEntry
from mind_skills.learning.feedback import FeedbackEvent
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity


class FeedbackStorage(Protocol):
    """Judgements about criteria."""

    def store(self, event: FeedbackEvent) -> None:
        """Keep an event; one whose id is known changes nothing."""
        ...

    def by_criterion(self, criterion: str) -> Sequence[FeedbackEvent]:
        """The events about a criterion, in the order in which they came."""
        ...

    def by_task(self, task_id: str) -> Sequence[FeedbackEvent]:
        """The events that a task gave, in the order in which they came."""
        ...

    def all(self) -> Sequence[FeedbackEvent]:
        """Every event, in the order in which they came."""
        ...


class ErrorStorage(Protocol):
    """Errors of tasks."""

    def store(self, entry: ErrorEntry) -> None:
        """Keep an error; one whose id is known changes nothing."""
        ...

    def resolve(self, error_id: str) -> bool:
        """Mark an error as resolved; False where there is none of that id."""
        ...

    def by_task(self, task_id: str) -> Sequence[ErrorEntry]:
        """The errors of a task, in the order in which they came."""
        ...

    def unresolved(self) -> Sequence[ErrorEntry]:
        """The errors that are not resolved, of all tasks, in the order in which they came."""
        ...

    def all(self) -> Sequence[ErrorEntry]:
        """Every error, in the order in which they came."""
        ...


class PatternStorage(Protocol):
    """Patterns and warnings."""

    def store(self, pattern: DecompositionPattern) -> None:
        """Keep a pattern in place of the one that has its id."""
        ...

    def change(
        self, pattern_id: str, work: Callable[[DecompositionPattern | None], DecompositionPattern]
    ) -> DecompositionPattern:
        """Put what ``work`` makes of a pattern in its place, and return it; nobody else changes it meanwhile."""
        ...

    def get(self, pattern_id: str) -> DecompositionPattern | None:
        """The pattern of that id."""
        ...

    def all(self) -> Sequence[DecompositionPattern]:
        """Every pattern, in the order in which they first came."""
        ...

    def remove(self, pattern_id: str) -> None:
        """Forget a pattern; harmless where there is none."""
        ...

    def anti_patterns(self) -> Sequence[DecompositionPattern]:
        """The warnings among them."""
        ...

    def by_tag(self, tag: str) -> Sequence[DecompositionPattern]:
        """Those that carry a tag."""
        ...


class DecisionStorage(Protocol):
    """What was decided about strategies, and the votes that were taken back (decisions.py)."""

    def add(self, decision: Decision) -> None:
        """Keep a decision, and let go of the oldest beyond ``decisions.MOST``."""
        ...

    def last(self, project: str) -> Decision | None:
        """The newest decision in a project that has not been taken back."""
        ...

    def of(self, pattern_id: str) -> Sequence[Decision]:
        """The decisions about a strategy, the oldest first."""
        ...

    def remove(self, decision_id: str) -> None:
        """Forget a decision; harmless where there is none of that id."""
        ...

    def refuse(self, pattern_id: str, source: str, *, refused: bool = True) -> None:
        """Count no vote of a source on a strategy any more, or count them again."""
        ...

    def refused(self, pattern_id: str) -> set[str]:
        """Whose votes on a strategy were taken back."""
        ...


class MaturityStorage(Protocol):
    """Where patterns stand, and the judgements that put them there."""

    def store(self, maturity: PatternMaturity) -> None:
        """Keep a maturity in place of the one of its pattern."""
        ...

    def get(self, pattern_id: str) -> PatternMaturity | None:
        """The maturity of a pattern."""
        ...

    def all(self) -> Sequence[PatternMaturity]:
        """Every maturity, in the order in which they first came."""
        ...

    def add_feedback(self, event: MaturityFeedback) -> None:
        """Keep a judgement, in place of the one that its source gave on this pattern before: one vote each."""
        ...

    def withdraw(self, pattern_id: str, source: str) -> None:
        """Take back the judgement that a source gave; harmless where there is none."""
        ...

    def forget(self, pattern_id: str) -> None:
        """Forget where a pattern stands, and every judgement about it."""
        ...

    def feedback(self, pattern_id: str) -> Sequence[MaturityFeedback]:
        """The judgements about a pattern, in the order in which they came."""
        ...
