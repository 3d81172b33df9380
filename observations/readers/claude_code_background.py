"""Commands that Claude Code runs in the background: each is known by an id until the client says that it has ended."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from mind_skills.observations.model import ToolOutcome
from mind_skills.redaction.lazy_pattern import compile_later

MAX_RUNNING = 10_000
T = TypeVar("T")
_BACKGROUND = compile_later(r"\s*Command running in background with ID: ([\w-]{1,80})")
_TASK_ID = compile_later(r"<task-id>([\w-]{1,80})</task-id>")
_TASK_STATUS = compile_later(r"<status>(\w{1,20})</status>")
_TASK_SUMMARY = compile_later(r"<summary>([^<]{1,2000})</summary>")
_TASK_CODE = compile_later(r"<exit_code>(-?\d{1,10})</exit_code>|\bexit code (-?\d{1,10})\)?</summary>")
_TASK_OUTPUT = compile_later(r"<output>\n?(.*?)(?:</output>|\Z)", re.DOTALL)
_STOPPED = frozenset({"killed", "stopped", "cancelled"})


@dataclass(slots=True)
class Ending(Generic[T]):
    """How a command ended, and what is known of its output."""

    call: T
    output: str
    outcome: ToolOutcome


class Background(Generic[T]):
    """The commands that have not ended yet."""

    def __init__(self) -> None:
        self._running: OrderedDict[str, tuple[T, str]] = OrderedDict()
        self.places: dict[str, list[tuple[int, int]]] = {}
        """By id, where in the log stands what is known of each that has not ended: for who reads these lines again."""

    def __bool__(self) -> bool:
        return bool(self._running)

    def begun(self, call: T, output: str, places: list[tuple[int, int]]) -> bool:
        """Whether the first answer to a call says that it goes on in the background; then it is kept.

        ``places`` are those of the call and of the answer.
        """
        found = _BACKGROUND.match(output)
        if found is None:
            return False
        self._running[found[1]] = (call, output)
        self.places[found[1]] = places
        if len(self._running) > MAX_RUNNING:
            self.places.pop(self._running.popitem(last=False)[0], None)
        return True

    def told(self, text: str) -> Ending[T] | None:
        """The end that a message of the client tells of."""
        named = _TASK_ID.search(text) if text.startswith("<task-notification") else None
        return self._ended(named[1], text) if named else None

    def shown(self, task: str, output: str, places: list[tuple[int, int]]) -> Ending[T] | None:
        """The end of a command that the agent asked about; what it has printed is kept where it goes on.

        ``places`` are those of the question and of the answer.
        """
        if task not in self._running:
            return None
        printed = _TASK_OUTPUT.search(output)
        if printed:
            self._running[task] = (self._running[task][0], printed[1])
            self.places[task] = [*self.places[task][:2], *places]
        return self._ended(task, output)

    def left(self) -> Iterator[Ending[T]]:
        """Those of which nobody said that they have ended."""
        for call, output in self._running.values():
            yield Ending(call, output, "unknown")

    def _ended(self, task: str, told: str) -> Ending[T] | None:
        status, code = _TASK_STATUS.search(told), _TASK_CODE.search(told)
        if task not in self._running or status is None or (code is None and status[1] not in {"failed", *_STOPPED}):
            return None
        call, output = self._running.pop(task)
        del self.places[task]
        summed = _TASK_SUMMARY.search(told)
        if summed and _BACKGROUND.match(output):  # what it printed stands in a file of its own
            output = summed[1]
        failed = int(code[1] or code[2]) if code else 0
        if status[1] in _STOPPED:
            return Ending(call, output, "aborted")
        if failed or status[1] == "failed":
            return Ending(call, f"Exit code {failed or 1}\n{output}", "failed")
        return Ending(call, output, "ok")
