"""Runs Antigravity's engine, which google-antigravity on PyPI contains. The CLI itself is in no registry.

Run as ``python -m tests.clients.real_antigravity`` to record fixtures/antigravity, with neutral names.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from tests.clients.client import Client, Turn, run_client
from tests.testkit.paths import ROOT

VERSION = "0.1.22"
PYTHON = os.environ.get("MIND_SKILLS_ANTIGRAVITY", "")
"""The interpreter of an environment with google-antigravity (``make antigravity``)."""
_LOGS = ".system_generated/logs"


class Antigravity(Client):
    """The engine; ``say`` runs one prompt."""

    host = "antigravity"
    stub = "antigravity_stub"
    logs = f".gemini/antigravity-cli/brain/*/{_LOGS}/transcript_full.jsonl"
    tools: ClassVar = {
        "Bash": "run_command", "Read": "view_file", "Edit": "replace_file_content", "Write": "write_to_file",
    }  # fmt: skip
    keys: ClassVar = {
        "command": "CommandLine", "file_path": "AbsolutePath", "old_string": "TargetContent",
        "new_string": "ReplacementContent", "content": "CodeContent",
    }  # fmt: skip
    greeting = ""

    @staticmethod
    def program() -> Path:
        return Path(PYTHON)

    def settings(self) -> dict[str, str]:
        return {}

    def configure(self) -> None:
        """Write nothing: the engine reads no settings."""

    def remove_hooks(self) -> None:
        """Remove nothing: the engine runs no hooks from files."""

    def translate(self, block: Any) -> Any:
        call = super().translate(block)
        if isinstance(call, str) or "tool" not in call:
            return call
        given = dict(call["input"])
        more: dict[str, Any] = {}
        if call["tool"] == "run_command":
            more = {"Cwd": str(self.project), "WaitMsBeforeAsync": 5000}
        elif call["tool"] in ("replace_file_content", "write_to_file"):
            given["TargetFile"] = given.pop("AbsolutePath")
            more = {"Description": "Change it.", "Overwrite": True}
        if call["tool"] == "replace_file_content":
            more = {"Description": "Change it.", "Instruction": "Change it.", "AllowMultiple": False}
            more |= {"StartLine": 1, "EndLine": 100}
        return {"tool": call["tool"], "input": {**more, **given}}

    def prompt_arguments(self, prompt: str, *more: str) -> list[str]:
        driver = str(ROOT / "tests/clients/antigravity_driver.py")
        return [driver, str(self.port), str(self.home / ".gemini/antigravity-cli"), str(self.project), *more, prompt]


def make_session(project: Path) -> list[Turn]:
    """Return a session in which a program fails, is corrected, and succeeds; and one call of each other form."""
    program = str(project / "app.py")
    (project / "app.py").write_text("value = 3\nprint(valeu)\n")

    def call(tool: str, **given: Any) -> dict[str, Any]:
        return {"tool": tool, "input": given}

    subagent = [{"TypeName": "helper", "Prompt": "Count the files.", "Role": "counter"}]
    return [
        ["I run it.", call("Bash", command="python3 app.py")],
        [call("Read", file_path=program), call("Bash", command="git status --short")],
        [call("Edit", file_path=program, old_string="print(value)", new_string="print(3)")],
        ["The name is misspelt.", call("Edit", file_path=program, old_string="print(valeu)", new_string="print(value)")],
        [call("Bash", command="python3 app.py")],
        [call("Write", file_path=str(project / "notes.md"), content="Names matter.\n" * 200)],
        [call("Read", file_path=str(project / "none.md"))],
        [call("Bash", command="seq 1 900")],
        [call("search_web", query="how to spell value")],
        [call("read_url_content", Url="http://127.0.0.1:9/page")],
        [call("no_such_tool", name="x")],
        [call("define_subagent", name="helper", description="It counts.", system_prompt="Count.",
              enable_mcp_tools=False, enable_subagent_tools=False, enable_write_tools=False)],
        [call("invoke_subagent", Subagents=subagent)],
        ["There are two files."],
        [call("Bash", command="sleep 2; echo built", WaitMsBeforeAsync=100)],
        ["It builds."],
        ["It is correct now."],
    ]  # fmt: skip


def neutralise(text: str, client: Client, seen: dict[str, str]) -> str:
    """Replace this machine's paths, this run's ids and what is left of its times; equal ids by equal ones."""
    text = text.replace(str(client.project), "/home/dev/project").replace(str(client.home), "/home/dev")
    text = re.sub(r"\b[0-9a-f]{32}\b", lambda hit: seen.setdefault(hit[0], f"{len(seen) + 1:032x}"), text)
    return re.sub(r"(Guidance: |If relevant, |Please note that |The subagents will )[^\"\\]*", r"\1...", text)


def record(target: Path) -> None:
    """Record a session, and one that continues it."""
    seen: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, run_client(Antigravity, Path(folder).resolve()) as client:
        client.session("recording", *make_session(client.project), prompt="fix the program")
        client.session("resumed", ["You are welcome."], prompt="thanks", more=["--continue"])
        for log in sorted(client.home.glob(client.logs), key=lambda path: path.stat().st_size, reverse=True):
            for path in (log, log.with_name("transcript.jsonl")):
                text = neutralise(path.read_text(), client, seen)
                name = seen[log.parents[2].name]
                out = target / "brain" / name / _LOGS / path.name
                out.parent.mkdir(parents=True, exist_ok=True)
                out.write_text(text)


if __name__ == "__main__":
    record(ROOT / "fixtures" / "antigravity")
