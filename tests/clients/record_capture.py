"""Records the spool that hooks/capture.py writes for one session of each real client into fixtures/, with neutral names.

Run as ``python -m tests.clients.record_capture [HOST...]`` where tests/clients/install.sh has run. The
session is the one of lesson.py: a test that fails, reading, a guess, the cause, the edit, the test that passes.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

from tests.clients import record_hook_payloads, record_payloads
from tests.clients.client import Client, run_client
from tests.clients.folders import get_runs_folder
from tests.clients.hook_client import HookClient
from tests.clients.lesson import PROMPT, script_lesson, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.testkit.paths import ROOT

EVENTS = {
    "claude-code": "UserPromptSubmit PostToolUse PostToolUseFailure Stop SessionEnd",
    "codex": "UserPromptSubmit PostToolUse Stop SessionEnd",
    "gemini": "BeforeAgent AfterTool AfterAgent SessionEnd",
}
TIME = re.compile(r'"at":\d+,"pid":\d+')


def command(host: str) -> list[str]:
    """Return the command of the hook: capture as documented."""
    return ["/usr/bin/python3", "-I", "-S", str(ROOT / "hooks" / "capture.py"), host]


def build_hooks(host: str) -> dict[str, list[dict[str, object]]]:
    """Build the hooks of a settings file."""
    handler = {"type": "command", "command": " ".join(command(host))}
    return {event: [{"hooks": [handler]}] for event in EVENTS[host].split()}


def install_hooks(client: Client) -> None:
    """Make the client run capture at every event, and nothing else of ours."""
    if isinstance(client, HookClient):
        client.change(hooks=build_hooks(client.host))
        return
    settings = client.home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"hooks": build_hooks(client.host)}))


def write_spool(client: Client, target: Path) -> None:
    """Write the spool with neutral names and times one second apart."""
    (spool,) = (client.state / "spool" / "capture").glob("*.jsonl")
    seen: dict[str, str] = {}
    lines: list[str] = []
    for text in filter(None, spool.read_text().split("\n")):
        if isinstance(client, HookClient):
            line = record_hook_payloads.neutralise(text, client, seen)
        else:
            line = record_payloads.neutralise(text, client, seen)
        lines.append(TIME.sub(f'"at":{1_700_000_000_000 + len(lines) * 1000},"pid":0', line, count=1))
        json.loads(line)
    target.write_text("".join(f"\n{line}\n" for line in lines))
    print(target, len(lines))


def main() -> int:
    """Record the hosts that are named, or all three."""
    wanted = sys.argv[1:] or list(EVENTS)
    kinds: tuple[type[Client], ...] = (Claude, Codex, Gemini)
    with tempfile.TemporaryDirectory(dir=get_runs_folder()) as name:
        for kind in kinds:
            if kind.host not in wanted:
                continue
            with run_client(kind, Path(name) / kind.host) as client:
                client.remove_hooks()
                write_project(client)
                install_hooks(client)
                script_lesson(client)
                assert client.say(PROMPT).code == 0
                write_spool(client, ROOT / "fixtures" / kind.host.replace("-", "_") / "capture.jsonl")
    return 0


if __name__ == "__main__":
    sys.exit(main())
