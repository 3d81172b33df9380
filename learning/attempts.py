"""Genuine errors, and commands that failed again: the second and third signal of an outcome."""

from __future__ import annotations

from mind_skills.learning.failures import is_genuine
from mind_skills.observations.model import Observation


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
