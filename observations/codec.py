"""Parses JSON and timestamps, and provides type-safe accessors for JSON values.

Uses the standard library, and for a long log orjson if it is installed: hooks may run before the dependencies are installed, and most
parse little.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from mind_skills.redaction.lazy_pattern import compile_lazily

JsonBytes = bytes | memoryview
"""A JSON document: bytes, or a view of a read buffer."""

JsonObject = dict[str, object]

_ESCAPE = compile_lazily(
    rb"\\(?:u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


MIN_BYTES_FOR_ORJSON = 1_000_000
"""Number of bytes that the standard library parses before orjson is loaded, which takes about as long as that."""


def _parse_with_json(data: JsonBytes) -> object:
    """Parse a document with the standard library and as strictly as orjson does, which is loaded if much has been parsed."""
    global _parse, _parsed_bytes  # noqa: PLW0603
    _parsed_bytes += len(data)
    if _parsed_bytes >= MIN_BYTES_FOR_ORJSON:
        try:
            from orjson import loads
        except ImportError:  # when a plugin first starts, its dependencies are not installed yet
            _parsed_bytes = -sys.maxsize
        else:
            _parse = loads
            return loads(data)
    # Unlike orjson, the decoder accepts lone surrogates.
    return _DECODER.decode(_replace_lone_surrogates(bytes(data)).decode())


def _reject_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_reject_constant)
_parse: Callable[[Any], object] = _parse_with_json
_parsed_bytes = 0


def parse_json(data: JsonBytes) -> object:
    """Parse one JSON document.

    A lone surrogate becomes U+FFFD: hosts written in JavaScript produce one when they truncate a text in the middle of an emoji,
    and the rest of the line is valid. Raises ValueError if the data is not valid JSON, not UTF-8, or nested too deeply.
    """
    try:
        return _parse(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError:
        repaired = _replace_lone_surrogates(bytes(data))
        if repaired == data:
            raise
    return parse_json(repaired)


_OBJECT_START = compile_lazily(r'\{\s{0,8}"')
_SEPARATORS = "\0\ufeff\x1e \t\r\n"
_RECORD_KEYS = (
    {"type", "timestamp"},
    {"type", "sessionId"},
    {"type", "uuid"},
    {"type", "payload"},
    {"sessionId", "projectHash"},
    {"$set"},
    {"$rewindTo"},
)
"""Keys that the records of logs have. The objects within a record do not have all keys of any of these."""
_MAX_FAILED_SCANS = 20
"""Maximum number of characters that are scanned in vain for whole objects, as a multiple of a line's length."""


class _Line(str):
    """A text in which the place of an error costs nothing: for each, JSONDecodeError counts the lines from the beginning."""

    __slots__ = ()

    def count(self, *_: object) -> int:
        """Return that no end of a line precedes a place."""
        return 0

    def rfind(self, *_: object) -> int:
        """Return that no end of a line precedes a place."""
        return -1


def find_whole_objects(data: bytes) -> tuple[list[JsonObject], bool]:
    """Find the whole JSON objects in a line that is not a JSON document, and return whether there is nothing else in the line.

    After a part of an object, only an object with the keys of a record counts: any other may belong to that part.
    """
    text = _Line(_replace_lone_surrogates(data).decode("utf-8", "surrogateescape"))
    decoder = json.JSONDecoder()
    objects: list[JsonObject] = []
    has_rest, position, budget = False, 0, _MAX_FAILED_SCANS * len(text)
    while (start := _OBJECT_START.search(text, position)) and budget > 0:
        has_rest = has_rest or bool(text[position : start.start()].strip(_SEPARATORS))
        try:
            value, end = decoder.raw_decode(text, start.start())
            text[start.start() : end].encode()  # fails if the object contains an incomplete UTF-8 sequence
        except (ValueError, RecursionError) as error:
            has_rest, position = True, start.end()
            budget -= max(1, getattr(error, "pos", len(text)) - start.start())
            continue
        record, position = as_object(value), end
        if not has_rest or any(keys <= record.keys() for keys in _RECORD_KEYS):
            objects.append(record)
    return objects, not has_rest and not text[position:].strip(_SEPARATORS)


def _replace_lone_surrogates(data: bytes) -> bytes:
    """Replace lone surrogates with U+FFFD. The search takes as long as parsing, so data without an escaped surrogate is skipped."""
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    return _ESCAPE.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], data)


def as_object(value: object) -> JsonObject:
    """Return ``value`` if it is a JSON object, else an empty object, so that values of the wrong type in a log are ignored."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def as_list(value: object) -> list[object]:
    """Return ``value`` if it is a JSON array, else an empty list."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def as_string(value: object) -> str:
    """Return ``value`` if it is a string, else an empty string."""
    return value if isinstance(value, str) else ""


def as_integer(value: object) -> int | None:
    """Return ``value`` if it is an integer (a JSON boolean is not), else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def parse_object(text: str) -> JsonObject:
    """Parse a string as a JSON object; return an empty object if it is anything else."""
    try:
        return as_object(parse_json(text.encode("utf-8", "replace")))
    except ValueError:
        return {}


def get_first_string(value: JsonObject, *keys: str) -> str:
    """Return the first non-empty string under these keys, else an empty string."""
    return next((text for key in keys if (text := as_string(value.get(key)))), "")


_EARLIEST = 946_684_800_000
"""2000-01-01 in UTC milliseconds. All agent logs are newer, so a smaller number is not a time in milliseconds."""
_LATEST = 4_102_444_800_000
"""2100-01-01 in UTC milliseconds."""


def parse_time(value: object) -> int | None:
    """Convert a time between 2000 and 2100 (ISO 8601, or seconds or ms since 1970) to UTC ms; None for anything else."""
    if not isinstance(value, str):
        return _convert_number(value)
    if not 10 <= len(value) <= 40:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    stamp = int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
    return stamp if _EARLIEST <= stamp <= _LATEST else None


def _convert_number(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = value * 1000 if abs(value) < _EARLIEST / 10 else value
    return int(number) if _EARLIEST <= number <= _LATEST else None
