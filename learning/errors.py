"""Errors: what went wrong in a task, kept until it is resolved, for whoever tries the task again: `ErrorEntry`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    project: str = ""
    """The id of the project in which it was recorded."""
    session: str = ""
    """The session that recorded it, where that is known."""


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
