"""What every vector has: times as text, and JSON that leaves out what is undefined."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from mind_skills.learning.profiles import Profile

Given = dict[str, Any]
Function = Callable[[Given, Profile], object]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def stamp(text: str | None) -> int | None:
    """UTC milliseconds of an ISO 8601 text, a zone-less one read as UTC (the vectors were made under it); None if it is none."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - EPOCH) // timedelta(milliseconds=1)


def iso(at: int) -> str:
    """The original's form of a time."""
    return (EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def at_of(text: str) -> int:
    """As ``stamp``, of what must be a time."""
    at = stamp(text)
    if at is None:
        raise ValueError(f"not a time: {text!r}")
    return at


def now_of(given: Given) -> int:
    """The moment at which the original read its clock."""
    return at_of(given["now"])


def without_nothing(found: Given) -> Given:
    """As JSON leaves out what is undefined."""
    return {key: value for key, value in found.items() if value is not None}
