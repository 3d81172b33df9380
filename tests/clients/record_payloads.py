"""Records what the real Claude Code sends to hooks into fixtures/claude_code/payloads, with neutral names.

Run as ``python -m tests.clients.record_payloads`` where tests/clients/install.sh has run. One file for each payload, named
after the event and its source or reason; the paths of this machine and the ids of the run are replaced.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.clients.client import Client, run_client
from tests.clients.real_claude import Claude
from tests.clients.terminal import open_terminal
from tests.testkit.paths import ROOT

TARGET = ROOT / "fixtures" / "claude_code" / "payloads"
RECORDER = """import os, sys, time
raw = sys.stdin.buffer.read()
name = os.path.join(sys.argv[1], "%d-%d.json" % (time.time_ns(), os.getpid()))
with open(name, "wb") as out:
    out.write(raw)
"""
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd")
BASH = {"tool": "Bash", "input": {"command": "echo hello", "description": "say hello"}}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def write_recorder(folder: Path, into: Path) -> Path:
    """Write a plugin that writes every payload to a file."""
    (folder / ".claude-plugin").mkdir(parents=True)
    (folder / "hooks").mkdir()
    (folder / ".claude-plugin/plugin.json").write_text('{"name": "recorder"}')
    (folder / "record.py").write_text(RECORDER)
    handler = {"type": "command", "command": "/usr/bin/python3", "args": [str(folder / "record.py"), str(into)]}
    hooks = {event: [{"hooks": [handler]}] for event in EVENTS}
    (folder / "hooks/hooks.json").write_text(json.dumps({"hooks": hooks}))
    return folder


def neutralise(text: str, client: Client, seen: dict[str, str]) -> str:
    """Replace this machine's paths and this run's ids in a payload, equal ids by equal ones."""
    text = text.replace(str(client.project), "/home/user/project").replace(str(client.home), "/home/user")
    text = text.replace(re.sub(r"[^A-Za-z0-9]", "-", str(client.project)), "-home-user-project")
    return UUID.sub(lambda hit: seen.setdefault(hit[0], f"00000000-0000-4000-8000-{len(seen) + 1:012d}"), text)


def record_terminal_session(client: Claude, into: Path) -> None:
    """Run a session that is cleared; the next one is compacted and exited."""

    def count_payloads(event: str) -> int:
        return sum(f'"{event}"' in path.read_text() for path in into.iterdir())

    client.script("terminal", ["First answer."], ["Second answer."])
    with open_terminal(client) as shown:
        shown.enter("please say hello")
        shown.until(lambda: "Firstanswer" in shown.screen, "an answer")
        shown.until(lambda: count_payloads("Stop") == 4, "the turn's end")
        shown.enter("/clear")
        shown.until(lambda: count_payloads("clear") == 2, "a new session")
        shown.enter("please say hello")
        shown.until(lambda: "Secondanswer" in shown.screen, "an answer")
        shown.enter("/compact")
        shown.until(lambda: "Compacted" in shown.screen and count_payloads("compact"), "the compaction")
        shown.leave()


def main() -> int:
    """Record a new session, its resumption, a fork of it, and one on a terminal that is cleared and compacted."""
    with tempfile.TemporaryDirectory() as name, run_client(Claude, Path(name) / "run") as client:
        into = Path(name) / "payloads"
        into.mkdir()
        client.plugin = write_recorder(Path(name) / "recorder", into)
        for number, more in enumerate(((), ("--continue",), ("--continue", "--fork-session"))):
            client.script(f"run {number}", [BASH], ["The cause was a missing file."])
            ran = client.say("please say hello", *more)
            assert ran.code == 0, ran.stderr
        record_terminal_session(client, into)
        seen: dict[str, str] = {}
        TARGET.mkdir(parents=True, exist_ok=True)
        for order, path in enumerate(sorted(into.iterdir())):
            payload: dict[str, Any] = json.loads(neutralise(path.read_text(), client, seen))
            event = payload["hook_event_name"]
            detail = payload.get("source") if event == "SessionStart" else payload.get("reason")
            file = TARGET / f"{order:02d}-{'-'.join(filter(None, (event, detail)))}.json"
            file.write_text(json.dumps(payload, indent=2) + "\n")
            print(file.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
