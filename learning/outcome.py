"""How a session ended: its outcome, with the signals that were measured and the reasons for the verdict.

The arithmetic is the documents' (scoring.py). The signals are read off the session: the time worked (ActiveTime), the
genuine errors and the repeated ones (Attempts), and whether it succeeded (success.py), which no log states outright.
Where nothing shows success or failure the type is `unknown`, and there is no score: a guess would poison what is learned.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from mind_skills.learning.scoring import DEFAULTS, LearningConfig, OutcomeSignals, OutcomeType, raw_score, type_of
from mind_skills.learning.success import SuccessMeter, is_genuine
from mind_skills.observations.model import Observation, Session

__all__ = ["MAX_FILES", "Outcome", "OutcomeMeter", "OutcomeType", "rescore"]
MAX_FILES = 200
"""So many touched files are named; a session that changes more of them moved a tree."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict about a session. ``success`` and ``score`` are None, and ``type`` unknown, where nothing shows it.

    ``duration_ms`` leaves out pauses of more than five minutes; it is 0, and scores as fast, where the log names no times.

    ``score`` is the documents' raw score, 0.14 to 1.0; it decays from ``at``, the last stamp of the session (UTC ms).
    """

    type: OutcomeType
    score: float | None
    success: bool | None
    duration_ms: int
    error_count: int
    retry_count: int
    reasoning: str
    """One line for people: what it rests on."""
    reasons: tuple[str, ...] = ()
    """Why it counts as success, failure or neither, weightiest first."""
    files_touched: tuple[str, ...] = ()
    at: int | None = None

    def signals(self, task_id: str) -> OutcomeSignals | None:
        """The documents' signals, for whoever scores them with other settings or at another time; None if unknown."""
        if self.success is None:
            return None
        return OutcomeSignals(
            task_id, self.duration_ms, self.error_count, self.retry_count, self.success, self.at, self.files_touched
        )


PAUSE_MS = 300_000
"""Five minutes: between two stamps further apart than this nobody was working, as far as the log shows."""


class ActiveTime:
    """Adds up the stretches between stamps at most five minutes apart.

    The stamps may come in any order: subagents are logged beside the main agent, and clocks are set back. A single stamp
    from the future stands alone, and so counts nothing. What is kept is one pair a stretch, not one number a stamp.
    """

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def feed(self, at: int | None) -> None:
        """Count one stamp, in UTC milliseconds; None, where the log names no time, is passed over."""
        if at is None:
            return
        starts, ends = self._starts, self._ends
        if ends and ends[-1] <= at <= ends[-1] + PAUSE_MS:
            ends[-1] = at  # as nearly always
            return
        place = bisect_right(starts, at)
        if place and at - ends[place - 1] <= PAUSE_MS:
            ends[place - 1] = max(ends[place - 1], at)
            place -= 1
        else:
            starts.insert(place, at)
            ends.insert(place, at)
        following = place + 1
        if following < len(starts) and starts[following] - ends[place] <= PAUSE_MS:
            ends[place] = max(ends[place], ends[following])
            del starts[following], ends[following]

    @property
    def milliseconds(self) -> int:
        """The time worked so far; 0 while fewer than two stamps are near each other."""
        return sum(self._ends) - sum(self._starts)


class Attempts:
    """Counts failed tool calls, and those among them that repeat a failure.

    A retry is a command that fails although its last run had failed already: same signature, same target, nothing green
    in between. A command that fails, is repaired and passes has not been retried.
    """

    __slots__ = ("_red", "error_count", "retry_count")
    OPEN_FAILURES = 1_000
    """So many different failing commands are told apart; beyond them the oldest is forgotten."""

    def __init__(self) -> None:
        self.error_count = 0
        self.retry_count = 0
        self._red: dict[tuple[str, str], None] = {}

    def feed(self, observation: Observation) -> None:
        """Count one observation."""
        if observation.kind != "tool":
            return
        outcome = observation.outcome
        if outcome == "ok":
            if self._red:
                self._red.pop((observation.signature, observation.target), None)
        elif outcome == "failed" and is_genuine(observation):
            command = (observation.signature, observation.target)
            self.error_count += 1
            self.retry_count += command in self._red
            if observation.signature:
                self._red[command] = None
                if len(self._red) > self.OPEN_FAILURES:
                    del self._red[next(iter(self._red))]


class OutcomeMeter:
    """Measures a session while it passes by: `feed` each observation once, in order, then ask for the `result`.

    What it keeps does not grow with the length of the session, so that a log of any size can be judged. `result` may be
    asked for at any time, and again later.
    """

    __slots__ = ("_attempts", "_files", "_last", "_success", "_time")

    def __init__(self, session: Session | None = None) -> None:
        """``session`` is the header that fills while the observations pass: it names the project folder."""
        self._time = ActiveTime()
        self._attempts = Attempts()
        self._success = SuccessMeter(session or Session())
        self._files: dict[str, None] = {}
        self._last: int | None = None

    def feed(self, observation: Observation) -> None:
        """Take in the next observation."""
        if observation.at is not None:
            self._time.feed(observation.at)
            self._last = observation.at or self._last
        self._success.feed(observation)
        if observation.kind != "tool":
            return
        self._attempts.feed(observation)
        if observation.action in ("edit", "write") and observation.outcome in ("ok", "unknown"):
            for name in observation.files:
                if len(self._files) < MAX_FILES:
                    self._files[name] = None

    def result(self, config: LearningConfig = DEFAULTS) -> Outcome:
        """The outcome of what was fed so far."""
        success, reasons = self._success.result()
        errors, retries = self._attempts.error_count, self._attempts.retry_count
        duration = self._time.milliseconds
        files = tuple(self._files)
        score: float | None = None
        kind: OutcomeType = "unknown"
        if success is not None:
            score = raw_score(OutcomeSignals("", duration, errors, retries, success), config)
            kind = type_of(score)
        time = "no times in the log" if self._last is None else _format_time(duration)
        work = f"{time}, {_count(errors, 'error')}, {_count(retries, 'retry')}"
        reasoning = f"{_describe(success)}: {'; '.join(reasons)} ({work})"
        return Outcome(kind, score, success, duration, errors, retries, reasoning, reasons, files, self._last)


def rescore(outcome: Outcome, config: LearningConfig) -> Outcome:
    """The same signals judged by other numbers."""
    signals = outcome.signals("")
    if signals is None:
        return outcome
    score = raw_score(signals, config)
    return replace(outcome, score=score, type=type_of(score))


def _describe(success: bool | None) -> str:
    if success is None:
        return "not known"
    return "succeeded" if success else "failed"


def _format_time(duration_ms: int) -> str:
    minutes = duration_ms // 60_000
    return f"{minutes} min" if minutes else f"{duration_ms // 1000} s"


def _count(number: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number or 'no'} {noun if number == 1 else plural}"
