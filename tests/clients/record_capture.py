"""Records what hooks/capture.py puts down of one session of each real client into fixtures/, with neutral names.

Run as ``python -m tests.clients.record_capture [HOST...]`` where tests/clients/install.sh has run. The
session is the one of lesson.py: a test that fails, a look, a guess, the cause, the edit, the test that passes.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

from tests.clients import real_claude, record_hook_payloads, record_payloads
from tests.clients.hook_client import HookClient, running
from tests.clients.lesson import script_lesson, write_project
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.testkit.paths import ROOT

EVENTS = {
    "claude-code": "UserPromptSubmit PostToolUse PostToolUseFailure Stop SessionEnd",
    "codex": "UserPromptSubmit PostToolUse Stop SessionEnd",
    "gemini": "BeforeAgent AfterTool AfterAgent SessionEnd",
}
PROMPT = "The prices test fails, please fix it."
TIME = re.compile(r'"at":\d+,"pid":\d+')


def command(host: str) -> list[str]:
    """What the hook runs: capture as the documents say."""
    return ["/usr/bin/python3", "-I", "-S", str(ROOT / "hooks" / "capture.py"), host]


def hooked(host: str) -> dict[str, list[dict[str, object]]]:
    """Hooks of a settings file."""
    handler = {"type": "command", "command": " ".join(command(host))}
    return {event: [{"hooks": [handler]}] for event in EVENTS[host].split()}


def write(host: str, client: real_claude.Client, target: Path) -> None:
    """The spool with neutral names, its times one second apart."""
    (spool,) = (client.state / "spool" / "capture").glob("*.jsonl")
    seen: dict[str, str] = {}
    lines: list[str] = []
    for text in filter(None, spool.read_text().split("\n")):
        if isinstance(client, HookClient):
            line = record_hook_payloads.neutral(text, client, seen)
        else:
            line = record_payloads.neutral(text, client, seen)
        lines.append(TIME.sub(f'"at":{1_700_000_000_000 + len(lines) * 1000},"pid":0', line, count=1))
        json.loads(line)
    target.write_text("".join(f"\n{line}\n" for line in lines))
    print(target, len(lines))


def main() -> int:
    """Record the hosts that are named, or all three."""
    wanted = sys.argv[1:] or list(EVENTS)
    with tempfile.TemporaryDirectory(dir=real_claude.clients_folder() / "runs") as name:
        if "claude-code" in wanted:
            with real_claude.client(Path(name) / "claude") as client:
                write_project(client)
                script_lesson(client, "one")
                client.plugin = None
                (client.home / ".claude").mkdir(exist_ok=True)
                settings = client.home / ".claude" / "settings.json"
                settings.write_text(json.dumps({"hooks": hooked("claude-code")}))
                assert client.say(PROMPT).code == 0
                write("claude-code", client, ROOT / "fixtures" / "claude_code" / "capture.jsonl")
        for kind in (Codex, Gemini):
            if kind.host in wanted:
                with running(kind, Path(name) / kind.host) as other:
                    write_project(other)
                    path = other.codex_home / "hooks.json" if isinstance(other, Codex) else None
                    path = path or other.home / ".gemini" / "settings.json"
                    path.write_text(json.dumps({**json.loads(path.read_text()), "hooks": hooked(kind.host)}))
                    script_lesson(other, "one")
                    assert other.say(PROMPT).code == 0
                    write(kind.host, other, ROOT / "fixtures" / kind.host / "capture.jsonl")
    return 0


if __name__ == "__main__":
    sys.exit(main())
