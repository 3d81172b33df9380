"""The error accumulator: errors are recorded and resolved by task, wherever they are kept. The documents' `ErrorAccumulator`."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace

from mind_skills.learning.errors import (
    ERROR_TYPES,
    ErrorEntry,
    ErrorStats,
    ErrorType,
    UnknownErrorTypeError,
    count_errors,
)
from mind_skills.learning.storage import ErrorStorage


def new_id(entry: ErrorEntry) -> str:
    """An id that no other error has: two errors of one millisecond are two."""
    return f"err_{uuid.uuid4().hex}"


class ErrorAccumulator:
    """What went wrong in each task, in the order in which it came."""

    def __init__(
        self,
        storage: ErrorStorage | None = None,
        new_id: Callable[[ErrorEntry], str] = new_id,
        *,
        project: str = "",
        session: str = "",
    ) -> None:
        """``storage`` is where errors are kept, memory if it is not named; ``new_id`` names an entry that has no id yet.

        ``project`` (its id) and ``session`` are where what is recorded comes from, empty where that is not known.
        """
        self._project, self._session = project, session
        self._storage = ErrorStorage() if storage is None else storage
        self._new_id = new_id

    def record(
        self,
        task_id: str,
        error_type: ErrorType,
        message: str,
        *,
        at: int,
        stack_trace: str = "",
        tool_name: str = "",
        context: str = "",
    ) -> ErrorEntry:
        """Keep an error; ``at`` is UTC milliseconds. Raises UnknownErrorTypeError."""
        if error_type not in ERROR_TYPES:
            raise UnknownErrorTypeError(error_type)
        entry = ErrorEntry("", task_id, error_type, message, at, False, stack_trace, tool_name, context)
        entry = replace(entry, id=self._new_id(entry), project=self._project, session=self._session)
        self._storage.store(entry)
        return entry

    def resolve(self, error_id: str) -> bool:
        """Mark an error as resolved; False where there is none of that id."""
        return self._storage.resolve(error_id)

    def of(self, task_id: str, *, resolved: bool = True) -> Sequence[ErrorEntry]:
        """The errors of a task, oldest first, with or without those that are resolved."""
        return [entry for entry in self._storage.by_task(task_id) if resolved or not entry.resolved]

    def stats(self, task_id: str) -> ErrorStats:
        """The figures of a task."""
        return count_errors(self.of(task_id))
