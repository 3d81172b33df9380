"""What can be seen of a running client from outside: its processes, and what its model was sent."""

from __future__ import annotations

import contextlib
import html
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

OPENING, CLOSING = "<openception-skill-extraction>", "</openception-skill-extraction>"
PATIENCE = 120.0
"""Seconds until something counts as never happening; nothing here is measured."""


def eventually(happened: Callable[[], object], what: str) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


def offers(request: Mapping[str, Any]) -> list[str]:
    """Every copy of the offer in what the model was sent, wherever it stands, escaped for HTML or not."""
    parts = [part for text in strings(request) for part in html.unescape(text).split(OPENING)[1:]]
    return [OPENING + part.split(CLOSING)[0] + CLOSING for part in parts]


def strings(value: Any) -> list[str]:
    """All strings in a JSON value, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    return [text for item in value for text in strings(item)] if isinstance(value, list) else []


def processes(setting: str, argument: bytes) -> list[int]:
    """Ids of the processes with that in their environment and on their command line."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            if folder.name.isdecimal() and argument in (folder / "cmdline").read_bytes():
                found += [int(folder.name)] if setting.encode() in (folder / "environ").read_bytes() else []
    return found
