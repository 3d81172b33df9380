"""Which errors a session met, and which of them it got past: by their signatures, so that they are known again elsewhere.

Sees: commands that failed in earnest (learning/failures.py) with an error that says something; of a check that was aimed at
something, also one that does not ("AssertionError: N != N"), which is known by the check and its aim then. Got past is an error when
the command that it stopped last passes; another error of that command alone is no end of it. An error that comes back is
open again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mind_skills.learning.failures import failed_unseen, is_genuine
from mind_skills.observations.model import Observation
from mind_skills.staging.error_names import name_of

MOST = 50
"""So many different errors of one session are kept: the first."""
COMMANDS = 1_000
"""So many different failing commands are remembered; beyond them the oldest is forgotten."""
_Command = tuple[str, str]


@dataclass(slots=True)
class Met:
    """One error of a session. ``line`` is where it came up first, ``solved_line`` where it was got past last (0: never).

    ``steps`` are the tool calls between the two, ``duration_ms`` the time (None where the log does not tell), ``times``
    how often it came up; ``at`` is UTC ms, None where it is not told.
    """

    signature: str
    line: int
    at: int | None
    times: int = 1
    solved_line: int = 0
    steps: int = 0
    duration_ms: int | None = None
    begun: int = 0
    """How many tool calls the session had made before it."""

    @property
    def counts(self) -> tuple[int, int, int, int, int | None]:
        """``times``, ``line``, ``solved_line``, ``steps`` and ``duration_ms``, as the table errors_met has them."""
        return (self.times, self.line, self.solved_line, self.steps, self.duration_ms)


class ErrorMeter:
    """Remembers the errors of a session while it passes by: ``feed`` each observation once, then take the ``result``."""

    __slots__ = ("_calls", "_met", "_red")

    def __init__(self) -> None:
        self._calls = 0
        self._met: dict[str, Met] = {}
        self._red: dict[_Command, dict[str, None]] = {}

    def feed(self, observation: Observation) -> None:
        """Take in the next observation."""
        if observation.kind != "tool":
            return
        self._calls += 1
        if not observation.signature or not (observation.error_signature or self._red):
            return
        command = (observation.signature, observation.target)
        if observation.error_signature and (is_genuine(observation) or failed_unseen(observation)):
            self._failed(command, observation)
        elif observation.outcome == "ok" and command in self._red:
            self._passed(self._red.pop(command), observation)

    def result(self) -> list[Met]:
        """What was met so far, in the order in which it came up first."""
        return list(self._met.values())

    def _failed(self, command: _Command, observation: Observation) -> None:
        signature = name_of(observation.error, *command, folded=observation.error_signature)
        met = self._met.get(signature)
        if met is None:
            if not signature or len(self._met) >= MOST:
                return
            self._met[signature] = Met(signature, observation.line, observation.at, begun=self._calls)
        else:
            met.times += 1
            met.solved_line, met.steps, met.duration_ms = 0, 0, None
            for other in self._red.values():
                other.pop(signature, None)  # the command that it stops now has to pass
        self._red.setdefault(command, {})[signature] = None
        if len(self._red) > COMMANDS:
            del self._red[next(iter(self._red))]

    def _passed(self, signatures: Iterable[str], observation: Observation) -> None:
        for signature in signatures:
            met = self._met[signature]
            met.solved_line, met.steps = observation.line, self._calls - met.begun
            known = met.at is not None and observation.at is not None
            met.duration_ms = max(0, (observation.at or 0) - (met.at or 0)) if known else None
