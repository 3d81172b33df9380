"""What the model was told, what waits, and which processes of ours run."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

from tests.clients.real_claude import Client

OPENING, CLOSING = "<openception-skill-extraction>", "</openception-skill-extraction>"
WAITED = 120.0
"""Seconds until something counts as never happening; nothing here is measured."""


def blocks(request: dict[str, Any]) -> list[str]:
    """Every copy of the offer in what the model was sent, wherever it stands."""
    found: list[str] = []
    pieces = [request.get("system", ""), *request["messages"]]
    for text in (text for piece in pieces for text in strings(piece)):
        found += [OPENING + part.split(CLOSING)[0] + CLOSING for part in text.split(OPENING)[1:]]
    return found


def strings(value: Any) -> list[str]:
    """All strings in a JSON value, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for item in value for text in strings(item)] if isinstance(value, list) else []


def our_processes(client: Client) -> list[int]:
    """Ids of the processes that run our hook for this client."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            line, environment = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if b"plugin/entry.py" in line and f"MIND_SKILLS_HOME={client.state}".encode() in environment:
            found.append(int(folder.name))
    return found


def settled(client: Client) -> None:
    """Wait until no process of ours is left, which must come true."""
    end = time.monotonic() + WAITED
    while left := our_processes(client):
        assert time.monotonic() < end, f"still running: {left}"
        time.sleep(0.02)


def hook_log(client: Client) -> str:
    path = client.state / "log" / "hooks.log"
    return path.read_text() if path.exists() else ""


def pending(client: Client) -> list[dict[str, Any]]:
    path = client.project / ".claude" / "mind-skills-pending.json"
    value: list[dict[str, Any]] = json.loads(path.read_text())["candidates"] if path.exists() else []
    return value


def sessions(client: Client) -> list[tuple[str, bool]]:
    """The sessions that were seen, and whether each was finished."""
    if not (client.state / "mind-skills.db").exists():
        return []
    with contextlib.closing(sqlite3.connect(client.state / "mind-skills.db")) as sql:
        rows = sql.execute("SELECT session, finished_at IS NOT NULL FROM sessions ORDER BY seen_at").fetchall()
    return [(session, bool(finished)) for session, finished in rows]
