"""Events as a client sends them, and the device of each person."""

from __future__ import annotations

import json
from typing import Any

from tests.team.postgres import Server

DEVICES = {
    login: f"00000000-0000-4000-8000-{number:012d}"
    for number, login in enumerate(("alice", "bob", "carol", "dan", "mallory"))
}
PROJECT, SUBJECT, SOURCE = "70" * 16, "73" * 16, "6f" * 16
BODY: dict[str, Any] = {"kind": "learning", "error": "TS2304", "package": "", "program": "tsc", "remedy": "npm install"}


def event(seq: int = 1, **changes: object) -> str:
    """One sighting, with ``changes``, as the JSON of a transaction."""
    found: dict[str, object] = {"seq": seq, "kind": "seen", "project": PROJECT, "subject": SUBJECT, "source": SOURCE}
    found |= {"at": 1_780_000_000_000, "value": 1, "digest": "64" * 16} | changes
    return json.dumps([found])


def push(server: Server, login: str, events: str, device: str = "", team: str = "acme") -> list[tuple[object, ...]]:
    """Push as the device of a login, or as another; return the numbers that the server has with another content."""
    return server.execute(push_query(login, events, device, team), login)


def push_query(login: str, events: str, device: str = "", team: str = "acme") -> str:
    """The query that pushes."""
    return f"SELECT mind_skills.push('{team}', '{device or DEVICES[login]}', $${events}$$::jsonb)"
