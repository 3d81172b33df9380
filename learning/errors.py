"""Errors: what went wrong in a task, kept until it is resolved, for whoever tries the task again. `ErrorAccumulator`."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from mind_skills.learning.profiles import DEFAULT, Profile

ErrorType = Literal["validation", "timeout", "conflict", "tool_failure", "unknown"]
ERROR_TYPES: tuple[ErrorType, ...] = get_args(ErrorType)
STACK = 100
"""Characters of a stack trace that are shown."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """One error of one task. ``at`` is UTC milliseconds; ``task_id`` is the documents' `bead_id`."""

    id: str
    task_id: str
    error_type: ErrorType
    message: str
    at: int
    resolved: bool = False
    stack_trace: str = ""
    tool_name: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class ErrorStats:
    """How many errors a task has had, how many are open, and how many of each type there were."""

    total: int
    unresolved: int
    by_type: dict[str, int]


class UnknownErrorTypeError(ValueError):
    """There is no such type of error; the message names those that there are."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no error type {name!r}; it is one of {', '.join(ERROR_TYPES)}")


def new_id() -> str:
    """An id that no other error has: two errors of one millisecond are two."""
    return f"err_{uuid.uuid4().hex}"


class ErrorAccumulator:
    """The errors of all tasks, in memory, in the order in which they came."""

    def __init__(self, new_id: Callable[[ErrorEntry], str] | None = None) -> None:
        """``new_id`` names an entry that has no id yet."""
        self._entries: list[ErrorEntry] = []
        self._new_id = new_id

    def record(self, task_id: str, error_type: ErrorType, message: str, *, at: int, **details: str) -> ErrorEntry:
        """Keep an error; ``details`` are stack_trace, tool_name and context. Raises UnknownErrorTypeError."""
        if error_type not in ERROR_TYPES:
            raise UnknownErrorTypeError(error_type)
        entry = ErrorEntry("", task_id, error_type, message, at, **details)  # type: ignore[arg-type]
        entry = replace(entry, id=self._new_id(entry) if self._new_id else new_id())
        self._entries.append(entry)
        return entry

    def resolve(self, error_id: str) -> bool:
        """Mark an error as resolved; False where there is none of that id."""
        for index, entry in enumerate(self._entries):
            if entry.id == error_id:
                self._entries[index] = replace(entry, resolved=True)
                return True
        return False

    def of(self, task_id: str, *, resolved: bool = True) -> list[ErrorEntry]:
        """The errors of a task, oldest first, with or without those that are resolved."""
        return [e for e in self._entries if e.task_id == task_id and (resolved or not e.resolved)]

    def stats(self, task_id: str) -> ErrorStats:
        """The figures of a task."""
        return stats(self.of(task_id))


def stats(entries: Sequence[ErrorEntry]) -> ErrorStats:
    """The figures of these errors; only types that occur are named."""
    by_type: dict[str, int] = {}
    for entry in entries:
        by_type[entry.error_type] = by_type.get(entry.error_type, 0) + 1
    return ErrorStats(len(entries), sum(not entry.resolved for entry in entries), by_type)


def format_errors(entries: Iterable[ErrorEntry], profile: Profile = DEFAULT) -> str:
    """The documents' section for whoever tries the task again; empty where there is nothing to say."""
    groups: dict[str, list[ErrorEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.error_type, []).append(entry)
    if not groups:
        return ""
    lines = ["## Previous Errors", "", "The following errors were encountered during execution:", ""]
    for name, group in groups.items():
        lines += [f"### {name} ({len(group)} error{'s' if len(group) > 1 else ''})", ""]
        for entry in group:
            lines += [*_lines(entry, profile), ""]
    lines += [
        "**Action Required**: Address these errors before proceeding. Consider:",
        "- What caused each error?",
        "- How can you prevent similar errors?",
        "- Are there patterns across error types?",
        "",
    ]
    return "\n".join(lines)


def _lines(entry: ErrorEntry, profile: Profile) -> list[str]:
    lines = [f"- **{entry.message}**"]
    if entry.context:
        lines.append(f"  - Context: {entry.context}")
    if entry.tool_name:
        lines.append(f"  - Tool: {entry.tool_name}")
    if entry.stack_trace:
        lines.append(f"  - Stack: `{entry.stack_trace[:STACK]}...`")
    return [*lines, f"  - Time: {_time(entry.at, profile)}{' (resolved)' if entry.resolved else ''}"]


def _time(at: int, profile: Profile) -> str:
    moment = _EPOCH + timedelta(milliseconds=at)
    if profile.utc_stamps:
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
    half = "AM" if moment.hour < 12 else "PM"
    clock = f"{moment.hour % 12 or 12}:{moment.minute:02d}:{moment.second:02d} {half}"
    return f"{moment.month}/{moment.day}/{moment.year}, {clock}"
