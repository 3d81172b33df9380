"""What is still open of a task, short, for whoever resumes or retries it: the documents' "## Previous Errors".

Old errors left in a context do harm, so only open ones are told, the newest, in bounded lines and bytes, and nobody is
told of them but who comes back to the task.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mind_skills.learning.errors import ErrorEntry, format_errors
from mind_skills.learning.storage import ErrorStorage

MOST = 5
"""Errors that are told, the newest; what went wrong before them is likely the same."""
MESSAGE, DETAIL = 160, 80
"""Characters of a message, and of the context and the tool's name beside it."""
SIZE = 1_200
"""Bytes of the whole section."""
_MARKUP = str.maketrans("", "", "<>*`#")
"""A message is data: nothing of it may look like a tag, a heading or code in the text that an agent reads."""


def previous_errors(task_id: str, errors: ErrorStorage) -> str:
    """The section about a task that is resumed or retried; empty where nothing of it is open. Raises StoreError."""
    return section(errors.by_task(task_id))


def section(entries: Iterable[ErrorEntry], *, say_task: bool = False) -> str:
    """The section about these errors, as far as they are open: at most ``MOST`` of them, at most ``SIZE`` bytes.

    Where they are of several tasks, or by ``say_task`` in any case, each says of which.
    """
    found = sorted((entry for entry in entries if not entry.resolved), key=lambda entry: entry.at)[-MOST:]
    several = say_task or len({entry.task_id for entry in found}) > 1
    told = [_short(entry, several) for entry in found]
    while told and len(format_errors(told).encode()) > SIZE:
        told = told[1:]
    return format_errors(told)


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
