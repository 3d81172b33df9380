"""Errors: what went wrong in a task, kept until it is resolved, for whoever tries the task again: `ErrorEntry`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.redaction.lazy_pattern import compile_later

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


def count_errors(entries: Sequence[ErrorEntry]) -> ErrorStats:
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


# -- open errors, short, for a session that is resumed: old errors left in a context do harm --

MOST = 5
"""Errors that are shown, the newest; what went wrong before them is likely the same."""
MESSAGE, DETAIL = 160, 80
"""Characters of a message, and of the context and the tool's name beside it."""
SIZE = 1_200
"""Bytes of the whole section."""
_MARKUP = str.maketrans("", "", "<>*`#")
"""A message is data: nothing of it may look like a tag, a heading or code in the text that an agent reads."""


def format_open_errors(entries: Iterable[ErrorEntry], *, say_task: bool = False) -> str:
    """The section about these errors, as far as they are open: at most ``MOST`` of them, at most ``SIZE`` bytes.

    Where they are of several tasks, or by ``say_task`` in any case, each says of which.
    """
    found = sorted((entry for entry in entries if not entry.resolved), key=lambda entry: entry.at)[-MOST:]
    several = say_task or len({entry.task_id for entry in found}) > 1
    shown = [_short(entry, several) for entry in found]
    while shown and len(format_errors(shown).encode()) > SIZE:
        shown = shown[1:]
    return format_errors(shown)


def _short(entry: ErrorEntry, several: bool) -> ErrorEntry:
    context = f"{entry.task_id}: {entry.context}".rstrip(": ") if several else entry.context
    return replace(
        entry,
        message=_line(entry.message, MESSAGE),
        context=_line(context, DETAIL),
        tool_name=_line(entry.tool_name, DETAIL),
        stack_trace="",
    )


def _line(text: str, most: int) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).translate(_MARKUP).split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"


# -- the documents' `failure_mode`: which kind of failure a message speaks of --

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

_PARTS: tuple[tuple[FailureMode, tuple[str, ...]], ...] = (
    ("timeout", ("timeout",)),
    ("conflict", ("conflict", "reservation")),
    ("validation", ("validation", "schema")),
    ("context_overflow", ("context", "token")),
    ("dependency_blocked", ("blocked", "dependency")),
    ("user_cancelled", ("cancel",)),
    ("tool_failure", ("tool", "command", "failed to execute")),
)
"""The original's test: the first of these parts that occurs anywhere."""
_FORMS: tuple[tuple[FailureMode, str], ...] = (
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
_WORDS: tuple[tuple[FailureMode, re.Pattern[str]], ...] = tuple(
    (mode, compile_later(form, re.IGNORECASE)) for mode, form in _FORMS
)


def classify_failure(error: str, profile: Profile = DEFAULT) -> FailureMode:
    """The first mode that the message speaks of, "unknown" where it speaks of none."""
    lowered = error.lower()
    found: list[FailureMode]
    if profile.whole_words:
        found = [mode for mode, words in _WORDS if words.search(error)]
    else:
        found = [mode for mode, parts in _PARTS if any(part in lowered for part in parts)]
    return found[0] if found else "unknown"
