"""What can be observed of a running client from outside: its processes, and the requests to its model."""

from __future__ import annotations

import contextlib
import html
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

OPENING, CLOSING = "<openception-skill-extraction>", "</openception-skill-extraction>"
PATIENCE = 120.0
"""Seconds until a wait fails; nothing here is measured."""


def wait_for(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


def find_offers(request: Mapping[str, Any]) -> list[str]:
    """Find all copies of the offer anywhere in a request to the model, escaped for HTML or not."""
    parts = [part for text in list_strings(request) for part in html.unescape(text).split(OPENING)[1:]]
    return [OPENING + part.split(CLOSING)[0] + CLOSING for part in parts]


def list_strings(value: Any) -> list[str]:
    """List all strings in a JSON value, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    return [text for item in value for text in list_strings(item)] if isinstance(value, list) else []


def find_processes(setting: str, argument: bytes) -> list[int]:
    """Find the ids of processes with that setting in their environment and that argument on their command line."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            if folder.name.isdecimal() and argument in (folder / "cmdline").read_bytes():
                found += [int(folder.name)] if setting.encode() in (folder / "environ").read_bytes() else []
    return found
