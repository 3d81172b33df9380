"""Errors of a task, which are shown when the task is retried. Implements `ErrorEntry` of the specification."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.light_dataclasses import dataclass, replace

ErrorType = Literal["validation", "timeout", "conflict", "tool_failure", "unknown"]
ERROR_TYPES: tuple[ErrorType, ...] = get_args(ErrorType)
MAX_STACK_LENGTH = 100
"""Maximum number of characters shown of a stack trace."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """One error of one task. ``at`` is UTC milliseconds; ``task_id`` is `bead_id` in the specification."""

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
    """The id of the project in which the error was recorded."""
    session: str = ""
    """The session that recorded the error, if known."""


@dataclass(frozen=True, slots=True)
class ErrorStats:
    """Error counts for a task: total, unresolved, and by type."""

    total: int
    unresolved: int
    by_type: dict[str, int]


class UnknownErrorTypeError(ValueError):
    """Unknown error type; the message lists the valid ones."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown error type {name!r}; expected one of {', '.join(ERROR_TYPES)}")


def count_errors(entries: Sequence[ErrorEntry]) -> ErrorStats:
    """Count errors; ``by_type`` contains only the types that occur."""
    by_type: dict[str, int] = {}
    for entry in entries:
        by_type[entry.error_type] = by_type.get(entry.error_type, 0) + 1
    return ErrorStats(len(entries), sum(not entry.resolved for entry in entries), by_type)


def format_errors(entries: Iterable[ErrorEntry], profile: Profile = DEFAULT) -> str:
    """Format the error section defined by the specification, for an agent that retries the task; empty if there are no errors."""
    groups: dict[str, list[ErrorEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.error_type, []).append(entry)
    if not groups:
        return ""
    lines = ["## Previous Errors", "", "The following errors were encountered during execution:", ""]
    for name, group in groups.items():
        lines += [f"### {name} ({len(group)} error{'s' if len(group) > 1 else ''})", ""]
        for entry in group:
            lines += [*_format_entry(entry, profile), ""]
    lines += [
        "**Action Required**: Address these errors before proceeding. Consider:",
        "- What caused each error?",
        "- How can you prevent similar errors?",
        "- Are there patterns across error types?",
        "",
    ]
    return "\n".join(lines)


def _format_entry(entry: ErrorEntry, profile: Profile) -> list[str]:
    lines = [f"- **{entry.message}**"]
    if entry.context:
        lines.append(f"  - Context: {entry.context}")
    if entry.tool_name:
        lines.append(f"  - Tool: {entry.tool_name}")
    if entry.stack_trace:
        lines.append(f"  - Stack: `{entry.stack_trace[:MAX_STACK_LENGTH]}...`")
    return [*lines, f"  - Time: {_format_timestamp(entry.at, profile)}{' (resolved)' if entry.resolved else ''}"]


def _format_timestamp(at: int, profile: Profile) -> str:
    moment = _EPOCH + timedelta(milliseconds=at)
    if profile.formats_utc:
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
    meridiem = "AM" if moment.hour < 12 else "PM"
    clock = f"{moment.hour % 12 or 12}:{moment.minute:02d}:{moment.second:02d} {meridiem}"
    return f"{moment.month}/{moment.day}/{moment.year}, {clock}"


# -- A short section of open errors: a long list of old errors would distract the agent --

MAX_OPEN_ERRORS = 5
"""Maximum number of errors shown. The newest are shown, because they probably repeat earlier ones."""
MAX_MESSAGE_LENGTH, MAX_DETAIL_LENGTH = 160, 80
"""Maximum number of characters of a message, and of a context or a tool's name."""
MAX_SECTION_BYTES = 1_200
"""Maximum size of the section in bytes."""
_MARKUP = str.maketrans("", "", "<>*`#")
"""Removes markup from error texts: they are untrusted, and must not look like a tag, a heading or code to an agent."""


def format_open_errors(entries: Iterable[ErrorEntry], *, always_include_task_id: bool = False) -> str:
    """Format at most ``MAX_OPEN_ERRORS`` unresolved errors in ``MAX_SECTION_BYTES``, with task ids if of several tasks
    or ``always_include_task_id``.
    """
    unresolved = (entry for entry in entries if not entry.resolved)
    open_entries = sorted(unresolved, key=lambda entry: entry.at)[-MAX_OPEN_ERRORS:]
    include_task_id = always_include_task_id or len({entry.task_id for entry in open_entries}) > 1
    shortened = [_shorten_entry(entry, include_task_id) for entry in open_entries]
    while shortened and len(format_errors(shortened).encode()) > MAX_SECTION_BYTES:
        shortened = shortened[1:]
    return format_errors(shortened)


def _shorten_entry(entry: ErrorEntry, include_task_id: bool) -> ErrorEntry:
    context = f"{entry.task_id}: {entry.context}".rstrip(": ") if include_task_id else entry.context
    return replace(
        entry,
        message=_shorten_text(entry.message, MAX_MESSAGE_LENGTH),
        context=_shorten_text(context, MAX_DETAIL_LENGTH),
        tool_name=_shorten_text(entry.tool_name, MAX_DETAIL_LENGTH),
        stack_trace="",
    )


def _shorten_text(text: str, limit: int) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).translate(_MARKUP).split())
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"


# -- `failure_mode` of the specification: the kind of failure that an error message describes --

FailureMode = Literal[
    "timeout",
    "conflict",
    "validation",
    "tool_failure",
    "context_overflow",
    "dependency_blocked",
    "user_cancelled",
    "unknown",
]

_SUBSTRINGS: tuple[tuple[FailureMode, tuple[str, ...]], ...] = (
    ("timeout", ("timeout",)),
    ("conflict", ("conflict", "reservation")),
    ("validation", ("validation", "schema")),
    ("context_overflow", ("context", "token")),
    ("dependency_blocked", ("blocked", "dependency")),
    ("user_cancelled", ("cancel",)),
    ("tool_failure", ("tool", "command", "failed to execute")),
)
"""The original implementation's rule: the first mode with a substring that the message contains."""
_PATTERNS: tuple[tuple[FailureMode, str], ...] = (
    ("timeout", r"\btime(?:d )?-?out\b|\bdeadline exceeded\b|\bETIMEDOUT\b"),
    ("conflict", r"\bconflict(?:s|ed|ing)?\b|\breservation\b|\balready reserved\b"),
    (
        "context_overflow",
        r"\bcontext (?:length|window|limit|overflow)\b|\b(?:too many|maximum|max) tokens?\b|\btoken limit\b",
    ),
    ("validation", r"\bvalidation\b|\bschema\b|\binvalid\b|\bunexpected token\b|\btype ?error\b|\bsyntax ?error\b"),
    ("dependency_blocked", r"\bblocked\b|\bdependenc(?:y|ies)\b|\bmodule not found\b|\bno module named\b"),
    ("user_cancelled", r"\bcancel(?:led|ed)?\b|\binterrupted by (?:the )?user\b|\baborted by (?:the )?user\b"),
    ("tool_failure", r"\btool\b|\bcommand\b|\bfailed to execute\b|\bexit(?:ed)? (?:code|status|with)\b"),
)
_COMPILED_PATTERNS: tuple[tuple[FailureMode, re.Pattern[str]], ...] = tuple(
    (mode, compile_lazily(pattern, re.IGNORECASE)) for mode, pattern in _PATTERNS
)


def classify_error(message: str) -> ErrorType:
    """Return the error type of a message: its failure mode, or ``unknown`` if there is no error type of that name."""
    mode = classify_failure(message)
    return mode if mode in ("validation", "timeout", "conflict", "tool_failure") else "unknown"


def classify_failure(error: str, profile: Profile = DEFAULT) -> FailureMode:
    """Return the first failure mode that matches the error message, or "unknown"."""
    matches: list[FailureMode]
    if profile.matches_whole_words:
        matches = [mode for mode, pattern in _COMPILED_PATTERNS if pattern.search(error)]
    else:
        lowered = error.lower()
        matches = [mode for mode, parts in _SUBSTRINGS if any(part in lowered for part in parts)]
    return matches[0] if matches else "unknown"
