"""What the tests with the real OpenCode have in common: a first session that learns, and who was told."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import WAITED, blocks, hook_log, pending, settled
from tests.clients.real_opencode import Client

LOOK = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
PROMPT = "The prices test fails, please fix it."


def learned(client: Client) -> None:
    """Session one has been, and its candidate waits."""
    write_project(client)
    script_lesson(client, "one")
    assert client.say(PROMPT).code == 0
    settled(client)
    assert (hook_log(client), spool(client)) == ("", [])
    assert [(item.get("injectedAt"), item["host"]) for item in pending(client)] == [(None, "opencode")]


def worktree(client: Client) -> Path:
    """A second worktree of the project's repository."""
    git = ["git", "-C", str(client.project), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(client.root / "tree")], check=True)
    return client.root / "tree"


def copies(client: Client, script: str, kind: str = "main") -> list[int]:
    """How many copies of the offer each request of that script held."""
    return [len(blocks(request)) for request in client.requests(script, kind=kind)]


def spool(client: Client) -> list[str]:
    """The names of what lies in the spool."""
    return sorted(path.name for path in (client.state / "spool" / "opencode").glob("*"))


def wait_for(path: Path) -> None:
    """Until there is such a file."""
    end = time.monotonic() + WAITED
    while not path.exists():
        assert time.monotonic() < end, f"never: {path.name}"
        time.sleep(0.05)
