"""The outcome of a session: a verdict, the measured signals, and the reasons.

The formula comes from the specification (scoring.py). Its signals are measured in the session: active time (ActiveTime),
errors and retries (FailureCounter), and success (success.py), which no log states explicitly. Without evidence of success
or failure the type is `unknown` and there is no score, because a guess would distort what is learned.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from mind_skills.learning import scoring
from mind_skills.learning.scoring import DEFAULTS, LearningConfig, OutcomeSignals, OutcomeType
from mind_skills.learning.success import SuccessMeter, is_reported_failure
from mind_skills.observations.model import Observation, Session

__all__ = ["MAX_FILES", "Outcome", "OutcomeCollector", "OutcomeType", "rescore"]
MAX_FILES = 200
"""Maximum number of changed files listed; a session that changes more has probably moved a directory tree."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on a session. Without evidence, ``success`` and ``score`` are None and ``type`` is ``unknown``.

    ``duration_ms`` excludes pauses of more than five minutes; without timestamps in the log it is 0, which scores as fast.
    ``score`` is the specification's score before decay, 0.14 to 1.0; ``at`` is the last timestamp in the log (UTC ms).
    """

    type: OutcomeType
    score: float | None
    success: bool | None
    duration_ms: int
    error_count: int
    retry_count: int
    reasoning: str
    """A one-line explanation for people."""
    reasons: tuple[str, ...] = ()
    """Why the session counts as a success, a failure or neither; most important first."""
    files_touched: tuple[str, ...] = ()
    at: int | None = None

    def build_signals(self, task_id: str) -> OutcomeSignals | None:
        """Return the specification's signals, to score the session again with other settings; None if success is unknown."""
        if self.success is None:
            return None
        return OutcomeSignals(
            task_id, self.duration_ms, self.error_count, self.retry_count, self.success, self.at, self.files_touched
        )


MAX_PAUSE_MS = 300_000
"""Five minutes: a longer gap between timestamps counts as a pause."""


class ActiveTime:
    """Sums the periods between timestamps that are at most five minutes apart.

    Timestamps may come in any order: subagents log in parallel with the main agent, and clocks can be set back. A single
    wrong timestamp forms a period of its own, of no length. Memory use depends on the number of periods, not timestamps.
    """

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def feed(self, timestamp: int | None) -> None:
        """Count one timestamp (UTC ms); None, for an event without a timestamp, is ignored."""
        if timestamp is None:
            return
        starts, ends = self._starts, self._ends
        if ends and ends[-1] <= timestamp <= ends[-1] + MAX_PAUSE_MS:
            ends[-1] = timestamp  # the common case
            return
        index = bisect_right(starts, timestamp)
        if index and timestamp - ends[index - 1] <= MAX_PAUSE_MS:
            ends[index - 1] = max(ends[index - 1], timestamp)
            index -= 1
        else:
            starts.insert(index, timestamp)
            ends.insert(index, timestamp)
        next_index = index + 1
        if next_index < len(starts) and starts[next_index] - ends[index] <= MAX_PAUSE_MS:
            ends[index] = max(ends[index], ends[next_index])
            del starts[next_index], ends[next_index]

    @property
    def milliseconds(self) -> int:
        """The active time so far; 0 until two timestamps are within five minutes of each other."""
        return sum(self._ends) - sum(self._starts)


class FailureCounter:
    """Counts tool calls that failed because of the work, and the retries among them.

    A retry is a failed run of a command whose previous run also failed, with the same signature and the same target. A
    command that passes after a repair is not a retry.
    """

    __slots__ = ("_failing_commands", "error_count", "retry_count")
    MAX_OPEN_FAILURES = 1_000
    """Maximum number of failing commands tracked; when there are more, the oldest is dropped."""

    def __init__(self) -> None:
        self.error_count = 0
        self.retry_count = 0
        self._failing_commands: dict[tuple[str, str], None] = {}

    def feed(self, observation: Observation) -> None:
        """Count one observation."""
        if observation.kind != "tool":
            return
        outcome = observation.outcome
        if outcome == "ok":
            if self._failing_commands:
                self._failing_commands.pop((observation.signature, observation.target), None)
        elif outcome == "failed" and is_reported_failure(observation):
            command = (observation.signature, observation.target)
            self.error_count += 1
            self.retry_count += command in self._failing_commands
            if observation.signature:
                self._failing_commands[command] = None
                if len(self._failing_commands) > self.MAX_OPEN_FAILURES:
                    del self._failing_commands[next(iter(self._failing_commands))]


class OutcomeCollector:
    """Measures a session as a stream: call ``feed`` with each observation, in order, then ``result``.

    Memory use grows only with the number of pauses (ActiveTime), so logs of any size can be judged. ``result``
    can be called at any time, and more than once.
    """

    __slots__ = ("_failures", "_files", "_last_timestamp", "_success", "_time")

    def __init__(self, session: Session | None = None) -> None:
        """``session`` supplies the project folder; readers fill it in while they read the log."""
        self._time = ActiveTime()
        self._failures = FailureCounter()
        self._success = SuccessMeter(session or Session())
        self._files: dict[str, None] = {}
        self._last_timestamp: int | None = None

    def feed(self, observation: Observation) -> None:
        """Process the next observation."""
        if observation.at is not None:
            self._time.feed(observation.at)
            self._last_timestamp = observation.at or self._last_timestamp
        self._success.feed(observation)
        if observation.kind != "tool":
            return
        self._failures.feed(observation)
        if observation.action in ("edit", "write") and observation.outcome in ("ok", "unknown"):
            for name in observation.files:
                if len(self._files) < MAX_FILES:
                    self._files[name] = None

    def result(self, config: LearningConfig = DEFAULTS) -> Outcome:
        """Return the outcome of the observations fed so far."""
        success, reasons = self._success.result()
        errors, retries = self._failures.error_count, self._failures.retry_count
        duration = self._time.milliseconds
        files = tuple(self._files)
        score: float | None = None
        outcome_type: OutcomeType = "unknown"
        if success is not None:
            score = scoring.compute_raw_score(OutcomeSignals("", duration, errors, retries, success), config)
            outcome_type = scoring.classify_score(score)
        time = "no timestamps in the log" if self._last_timestamp is None else _format_time(duration)
        summary = f"{time}, {_format_count(errors, 'error')}, {_format_count(retries, 'retry')}"
        reasoning = f"{_describe_success(success)}: {'; '.join(reasons)} ({summary})"
        return Outcome(
            outcome_type, score, success, duration, errors, retries, reasoning, reasons, files, self._last_timestamp
        )


def rescore(outcome: Outcome, config: LearningConfig) -> Outcome:
    """Score an outcome's signals again with another configuration; an unknown outcome is returned unchanged."""
    signals = outcome.build_signals("")
    if signals is None:
        return outcome
    score = scoring.compute_raw_score(signals, config)
    return replace(outcome, score=score, type=scoring.classify_score(score))


def _describe_success(success: bool | None) -> str:
    if success is None:
        return "unknown"
    return "succeeded" if success else "failed"


def _format_time(duration_ms: int) -> str:
    minutes = duration_ms // 60_000
    return f"{minutes} min" if minutes else f"{duration_ms // 1000} s"


def _format_count(number: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number or 'no'} {noun if number == 1 else plural}"
