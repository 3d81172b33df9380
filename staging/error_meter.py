"""Collect the errors that a session met and solved. A genuine failure of a command with specific text counts, or an
unspecific one of a command with a named target, whose name then begins with both. It is solved when the command that
last failed with it passes, until it recurs.
"""

from __future__ import annotations

from collections.abc import Iterable

from mind_skills.learning.outcome import is_reported_failure, is_unreported_failure
from mind_skills.observations.error_names import name_error
from mind_skills.observations.model import Observation
from mind_skills.store.error_index import build_key
from mind_skills.store.light_dataclasses import dataclass

MAX_ERRORS = 50
"""Maximum number of distinct errors stored per session; later ones are dropped."""
MAX_TRACKED_COMMANDS = 1_000
"""Maximum number of failing commands tracked at once; the oldest is dropped."""
_Command = tuple[str, str]
"""Signature and target of a command."""


@dataclass(slots=True)
class SessionError:
    """An error, first met in ``line`` at ``at`` (UTC ms). ``steps`` (tool calls) and ``duration_ms`` measure from there
    to the solution in ``solved_line``, which is 0 if there is none.
    """

    signature: str
    line: int
    at: int | None
    times: int = 1
    solved_line: int = 0
    steps: int = 0
    duration_ms: int | None = None
    first_call: int = 0
    """Number of the tool call of the first occurrence, counted from 1."""
    key: str = ""
    """Its key, hexadecimal (store/error_index.py); empty if it has none."""

    @property
    def counts(self) -> tuple[int, int, int, int, int | None]:
        """The columns ``times``, ``line``, ``solved_line``, ``steps`` and ``duration_ms`` of the table errors_met."""
        return (self.times, self.line, self.solved_line, self.steps, self.duration_ms)


class ErrorCollector:
    """Collector of a session's errors: call ``feed`` once per observation, in order, then ``result``."""

    __slots__ = ("_calls", "_errors", "_open_errors")

    def __init__(self) -> None:
        self._calls = 0
        self._errors: dict[str, SessionError] = {}
        self._open_errors: dict[_Command, dict[str, None]] = {}

    def feed(self, observation: Observation) -> None:
        if observation.kind != "tool":
            return
        self._calls += 1
        if not observation.signature or not (observation.error_signature or self._open_errors):
            return
        command = (observation.signature, observation.target)
        if observation.error_signature and (is_reported_failure(observation) or is_unreported_failure(observation)):
            self._record_failure(command, observation)
        elif observation.outcome == "ok" and command in self._open_errors:
            self._record_success(self._open_errors.pop(command), observation)

    def result(self) -> list[SessionError]:
        """Return the errors so far, in order of first occurrence."""
        return list(self._errors.values())

    def _record_failure(self, command: _Command, observation: Observation) -> None:
        signature = name_error(observation.error, *command, normalised=observation.error_signature)
        error = self._errors.get(signature)
        if error is None:
            if not signature or len(self._errors) >= MAX_ERRORS:
                return
            self._errors[signature] = SessionError(
                signature,
                observation.line,
                observation.at,
                first_call=self._calls,
                key=build_key(observation.error).hex(),
            )
        else:
            error.times += 1
            error.solved_line, error.steps, error.duration_ms = 0, 0, None
            for signatures in self._open_errors.values():
                signatures.pop(signature, None)  # only the command that last failed with it can solve it
        self._open_errors.setdefault(command, {})[signature] = None
        if len(self._open_errors) > MAX_TRACKED_COMMANDS:
            del self._open_errors[next(iter(self._open_errors))]

    def _record_success(self, signatures: Iterable[str], observation: Observation) -> None:
        for signature in signatures:
            error = self._errors[signature]
            error.solved_line, error.steps = observation.line, self._calls - error.first_call
            has_times = error.at is not None and observation.at is not None
            error.duration_ms = max(0, (observation.at or 0) - (error.at or 0)) if has_times else None
