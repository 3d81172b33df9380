"""Conversions for all vectors: times as text, and JSON that omits undefined values."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from mind_skills.learning.profiles import Profile

Given = dict[str, Any]
Function = Callable[[Given, Profile], object]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def stamp(text: str | None) -> int | None:
    """Convert an ISO 8601 text to UTC milliseconds (UTC if it has no zone, as in the original's runs); None if invalid."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - EPOCH) // timedelta(milliseconds=1)


def iso(at: int) -> str:
    """Format a time as the original does."""
    return (EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def at_of(text: str) -> int:
    """As ``stamp``, for a text that must be valid."""
    at = stamp(text)
    if at is None:
        raise ValueError(f"not a time: {text!r}")
    return at


def now_of(given: Given) -> int:
    """Return the time of the original's clock."""
    return at_of(given["now"])


def without_nothing(found: Given) -> Given:
    """Omit undefined values, as JSON does."""
    return {key: value for key, value in found.items() if value is not None}
