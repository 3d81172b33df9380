"""Time stamps of logs, as UTC milliseconds, and the span of a session."""

from __future__ import annotations

from datetime import UTC, datetime

from mind_skills.observations.model import Session

_EARLIEST = 946_684_800_000
"""2000-01-01: no log of an agent is older, so a smaller number is not a time in milliseconds."""
_LATEST = 4_102_444_800_000
"""2100-01-01."""


def milliseconds(value: object) -> int | None:
    """UTC ms of an ISO 8601 string, or of a number of seconds or milliseconds; None for anything else."""
    if not isinstance(value, str):
        return _number(value)
    if not 10 <= len(value) <= 40:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    try:
        stamp = int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
    except (OverflowError, OSError, ValueError):
        return None
    return stamp if _EARLIEST <= stamp <= _LATEST else None


def _number(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = value * 1000 if abs(value) < _EARLIEST / 10 else value
    return int(number) if _EARLIEST <= number <= _LATEST else None


def extend(session: Session, at: int | None) -> None:
    """Stretch the start and the end of the session over one more time stamp; clocks may go backwards."""
    if at is None:
        return
    if session.started is None or at < session.started:
        session.started = at
    if session.ended is None or at > session.ended:
        session.ended = at
