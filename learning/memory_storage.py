"""The storages in memory, for tests and for whoever wants to keep nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.decisions import MOST, Decision
from mind_skills.learning.errors import ErrorEntry
from mind_skills.learning.feedback import FeedbackEvent
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity

MAX_FEEDBACK = 10_000
"""Events that are kept in memory; the oldest go first."""


class InMemoryFeedbackStorage:
    """Keeps the newest ``max_size`` events."""

    def __init__(self, max_size: int = MAX_FEEDBACK) -> None:
        self._events: deque[FeedbackEvent] = deque(maxlen=max_size)

    def store(self, event: FeedbackEvent) -> None:
        """Keep an event; one whose id is known changes nothing."""
        if all(known.id != event.id for known in self._events):
            self._events.append(event)

    def by_criterion(self, criterion: str) -> Sequence[FeedbackEvent]:
        """The events about a criterion, in the order in which they came."""
        return [event for event in self._events if event.criterion == criterion]

    def by_task(self, task_id: str) -> Sequence[FeedbackEvent]:
        """The events that a task gave, in the order in which they came."""
        return [event for event in self._events if event.task_id == task_id]

    def all(self) -> Sequence[FeedbackEvent]:
        """Every event, in the order in which they came."""
        return list(self._events)


class InMemoryErrorStorage:
    """Keeps errors by id."""

    def __init__(self) -> None:
        self._entries: dict[str, ErrorEntry] = {}

    def store(self, entry: ErrorEntry) -> None:
        """Keep an error; one whose id is known changes nothing."""
        self._entries.setdefault(entry.id, entry)

    def resolve(self, error_id: str) -> bool:
        """Mark an error as resolved; False where there is none of that id."""
        entry = self._entries.get(error_id)
        if entry is not None:
            self._entries[error_id] = replace(entry, resolved=True)
        return entry is not None

    def by_task(self, task_id: str) -> Sequence[ErrorEntry]:
        """The errors of a task, in the order in which they came."""
        return [entry for entry in self._entries.values() if entry.task_id == task_id]

    def unresolved(self) -> Sequence[ErrorEntry]:
        """The errors that are not resolved, of all tasks, in the order in which they came."""
        return [entry for entry in self._entries.values() if not entry.resolved]

    def all(self) -> Sequence[ErrorEntry]:
        """Every error, in the order in which they came."""
        return list(self._entries.values())


class InMemoryPatternStorage:
    """Keeps patterns by id."""

    def __init__(self) -> None:
        self._patterns: dict[str, DecompositionPattern] = {}

    def store(self, pattern: DecompositionPattern) -> None:
        """Keep a pattern in place of the one that has its id."""
        self._patterns[pattern.id] = pattern

    def change(
        self, pattern_id: str, work: Callable[[DecompositionPattern | None], DecompositionPattern]
    ) -> DecompositionPattern:
        """Put what ``work`` makes of a pattern in its place, and return it; nobody else changes it meanwhile."""
        self._patterns[pattern_id] = work(self._patterns.get(pattern_id))
        return self._patterns[pattern_id]

    def get(self, pattern_id: str) -> DecompositionPattern | None:
        """The pattern of that id."""
        return self._patterns.get(pattern_id)

    def all(self) -> Sequence[DecompositionPattern]:
        """Every pattern, in the order in which they first came."""
        return list(self._patterns.values())

    def remove(self, pattern_id: str) -> None:
        """Forget a pattern; harmless where there is none."""
        self._patterns.pop(pattern_id, None)

    def anti_patterns(self) -> Sequence[DecompositionPattern]:
        """The warnings among them."""
        return [pattern for pattern in self._patterns.values() if pattern.kind == "anti_pattern"]

    def by_tag(self, tag: str) -> Sequence[DecompositionPattern]:
        """Those that carry a tag."""
        return [pattern for pattern in self._patterns.values() if tag in pattern.tags]


class InMemoryDecisionStorage:
    """Keeps the newest decisions, and whose votes were taken back."""

    def __init__(self) -> None:
        self._decisions: deque[Decision] = deque(maxlen=MOST)
        self._refused: set[tuple[str, str]] = set()

    def add(self, decision: Decision) -> None:
        """Keep a decision, and let go of the oldest beyond ``decisions.MOST``."""
        self._decisions.append(decision)

    def last(self, project: str) -> Decision | None:
        """The newest decision in a project that has not been taken back."""
        return next((each for each in reversed(self._decisions) if each.project == project), None)

    def of(self, pattern_id: str) -> Sequence[Decision]:
        """The decisions about a strategy, the oldest first."""
        return [each for each in self._decisions if each.pattern_id == pattern_id]

    def remove(self, decision_id: str) -> None:
        """Forget a decision; harmless where there is none of that id."""
        self._decisions = deque((each for each in self._decisions if each.id != decision_id), maxlen=MOST)

    def refuse(self, pattern_id: str, source: str, *, refused: bool = True) -> None:
        """Count no vote of a source on a strategy any more, or count them again."""
        (self._refused.add if refused else self._refused.discard)((pattern_id, source))

    def refused(self, pattern_id: str) -> set[str]:
        """Whose votes on a strategy were taken back."""
        return {source for known, source in self._refused if known == pattern_id}


class InMemoryMaturityStorage:
    """Keeps maturities by pattern."""

    def __init__(self) -> None:
        self._maturities: dict[str, PatternMaturity] = {}
        self._feedback: list[MaturityFeedback] = []

    def store(self, maturity: PatternMaturity) -> None:
        """Keep a maturity in place of the one of its pattern."""
        self._maturities[maturity.pattern_id] = maturity

    def get(self, pattern_id: str) -> PatternMaturity | None:
        """The maturity of a pattern."""
        return self._maturities.get(pattern_id)

    def all(self) -> Sequence[PatternMaturity]:
        """Every maturity, in the order in which they first came."""
        return list(self._maturities.values())

    def add_feedback(self, event: MaturityFeedback) -> None:
        """Keep a judgement, in place of the one that its source gave on this pattern before: one vote each."""
        for index, known in enumerate(self._feedback):
            if event.source and (known.pattern_id, known.source) == (event.pattern_id, event.source):
                self._feedback[index] = event
                return
        self._feedback.append(event)

    def withdraw(self, pattern_id: str, source: str) -> None:
        """Take back the judgement that a source gave; harmless where there is none."""
        self._feedback = [e for e in self._feedback if not source or (e.pattern_id, e.source) != (pattern_id, source)]

    def forget(self, pattern_id: str) -> None:
        """Forget where a pattern stands, and every judgement about it."""
        self._maturities.pop(pattern_id, None)
        self._feedback = [event for event in self._feedback if event.pattern_id != pattern_id]

    def feedback(self, pattern_id: str) -> Sequence[MaturityFeedback]:
        """The judgements about a pattern, in the order in which they came."""
        return [event for event in self._feedback if event.pattern_id == pattern_id]
