"""Records what the real Codex and the real Gemini CLI send to hooks into fixtures/, with neutral names.

Run as ``python -m tests.clients.record_hook_payloads`` where tests/clients/install.sh has run. One file for
each payload, named after the event and its source or reason; the paths of this machine and the ids of the run are replaced.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.clients import record_payloads
from tests.clients.client import run_client
from tests.clients.folders import get_runs_folder
from tests.clients.hook_client import HookClient
from tests.clients.lesson import bash
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.testkit.paths import FIXTURES

BASH = {"tool": "Bash", "input": {"command": "echo hello", "description": "say hello"}}
SPAWN = {"tool": "multi_agent_v1/spawn_agent", "input": {"message": "Count the files."}}
EVENTS = {
    "codex": "SessionStart UserPromptSubmit Stop SubagentStart SubagentStop SessionEnd",
    "gemini": "SessionStart BeforeAgent AfterAgent PreCompress SessionEnd",
}
STAMP = re.compile(r"\d{4}-\d\d-\d\dT(?:\d\d:\d\d:\d\d\.\d+|\d\d-\d\d-\d\d(?=-)|\d\d-\d\d)")


def install_recorder(client: HookClient, into: Path) -> None:
    """Make the client write every event to a file."""
    script = into.parent / "record.py"
    script.write_text(record_payloads.RECORDER)
    handler = {"type": "command", "command": f"/usr/bin/python3 {script} {into}"}
    client.change(hooks={event: [{"hooks": [handler]}] for event in EVENTS[client.host].split()})


def neutralise(text: str, client: HookClient, seen: dict[str, str]) -> str:
    """Replace paths, ids and times in a payload, equal ids by equal ones."""
    text = text.replace(str(client.project), "/home/user/project").replace(str(client.home), "/home/user")
    text = record_payloads.UUID.sub(lambda hit: seen.setdefault(hit[0], _id(len(seen) + 1)), text)
    for real, other in seen.items():  # the name of a chat contains only the beginning of its id
        text = text.replace(f"-{real[:8]}.jsonl", f"-{other[:8]}.jsonl")
    text = re.sub(r"sessions/\d+/\d+/\d+/", "sessions/2026/01/02/", text)
    return STAMP.sub(
        lambda hit: ("2026-01-02T03:04:05.678" if ":" in hit[0] else "2026-01-02T03-04-05")[: len(hit[0])], text
    )


def _id(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-{number:012d}"


def run_sessions(client: HookClient) -> None:
    """Run a new session, its resumption, and, with Codex, a fork of it and a session with a subagent."""
    client.script("new", [BASH], ["The cause was a missing file."])
    assert client.say("please say hello").code == 0
    client.script("resumed", ["Hello again."])
    assert client.say("please say hello", *client.resume_arguments).code == 0
    if isinstance(client, Codex):
        (log,) = client.transcripts()
        client.script("fork", ["Hello from the fork."])
        assert client.say("please say hello", *client.fork_arguments(log.stem[-36:])).code == 0
        client.script("agents", [SPAWN], [bash("sleep 2")], ["Three."], ["Done."])
        assert client.say("please count").code == 0


def record(kind: type[HookClient]) -> None:
    target = FIXTURES / kind.host / "payloads"
    target.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=get_runs_folder()) as name,
        run_client(kind, Path(name) / "run") as client,
    ):
        into = Path(name) / "payloads"
        into.mkdir()
        install_recorder(client, into)
        run_sessions(client)
        seen: dict[str, str] = {}
        for order, path in enumerate(sorted(into.iterdir())):
            payload: dict[str, Any] = json.loads(neutralise(path.read_text(), client, seen))
            event = payload["hook_event_name"]
            detail = payload.get("source") or payload.get("reason")
            file = target / f"{order:02d}-{'-'.join(filter(None, (event, detail)))}.json"
            file.write_text(json.dumps(payload, indent=2) + "\n")
            print(file)


def main() -> int:
    """Record the hosts that are named, or both."""
    kinds: tuple[type[HookClient], ...] = (Codex, Gemini)
    for kind in kinds:
        if kind.host in (sys.argv[1:] or EVENTS):
            record(kind)
    return 0


if __name__ == "__main__":
    sys.exit(main())
