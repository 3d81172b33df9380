"""JSON in one place: orjson where it is installed, the standard library in a hook that runs before it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from mind_skills.observations.model import Session
from mind_skills.redaction.lazy_pattern import compile_later

Data = bytes | memoryview
"""A document as bytes, or a part of what was read."""

try:
    from orjson import loads as _fast
except ImportError:  # a plugin's first start runs before dependencies are installed
    _parse: Callable[[Any], object] = json.loads  # bytes alone
else:
    _parse = _fast

Json = dict[str, object]

_ESCAPE = compile_later(
    rb"\\(?:u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def loads(data: Data) -> object:
    """Parse one JSON document.

    Half a surrogate pair becomes U+FFFD: JavaScript hosts write such escapes wherever they cut a text inside an emoji,
    and the line around it is sound.

    Raises:
        ValueError: not JSON, not UTF-8, or nested deeper than the parser allows.
    """
    if _parse is json.loads:  # it takes half a pair for a character, where the other fails
        data = _mended(bytes(data))
    try:
        return _parse(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError:
        mended = _mended(bytes(data))
        if mended == data:
            raise
    return loads(mended)


def _mended(data: bytes) -> bytes:
    """The document without halves of pairs. To look for them in each line costs as much as to parse it."""
    return _ESCAPE.sub(_whole, data) if b"\\ud" in data or b"\\uD" in data else data


def _whole(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape[1] else escape[0]


def mapping(value: object) -> Json:
    """``value`` if it is a JSON object, else an empty one: wrong types in a log are passed over."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def items(value: object) -> list[object]:
    """``value`` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def string(value: object) -> str:
    """``value`` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def integer(value: object) -> int | None:
    """``value`` if it is a whole number (JSON true and false are not), else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def loads_object(text: str) -> Json:
    """The JSON object in a string; an empty one where the string holds none."""
    try:
        return mapping(loads(text.encode("utf-8", "replace")))
    except ValueError:
        return {}


def first_string(value: Json, *keys: str) -> str:
    """The first string under these keys that is not empty, else an empty one."""
    return next((found for key in keys if (found := string(value.get(key)))), "")


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
