"""Runs the real Gemini CLI against the scripted model: own home, scrubbed environment, no network but loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.clients.hook_client import HookClient
from tests.clients.real_claude import clients_folder

VERSION = "0.61.0"
TOOLS = {"Bash": "run_shell_command", "Read": "read_file", "Edit": "replace", "Write": "write_file"}


def gemini_script() -> Path:
    """The client, which Node runs."""
    return clients_folder() / "node_modules" / "@google" / "gemini-cli" / "bundle" / "gemini.js"


class Gemini(HookClient):
    """Gemini CLI; ``say`` runs ``gemini -p``."""

    host = "gemini"
    stub = "gemini_stub"

    def environment(self) -> dict[str, str]:
        """Everything that the client sees; nothing is inherited."""
        return {
            "HOME": str(self.home),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.root / "tmp"),
            "GEMINI_API_KEY": "test-key",
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{self.port}",
            "MIND_SKILLS_HOME": str(self.state),
            **self.extra,
        }

    @property
    def settings(self) -> Path:
        return self.home / ".gemini" / "settings.json"

    def configure(self) -> None:
        self.settings.parent.mkdir()
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "hooks": self.hooks(),
        }
        self.settings.write_text(json.dumps(settings))

    def translated(self, block: str | dict[str, Any]) -> str | dict[str, Any]:
        if isinstance(block, str) or block["tool"] not in TOOLS:
            return block
        more = {"instruction": "Change it."} if block["tool"] == "Edit" else {}
        return {"tool": TOOLS[block["tool"]], "input": {**block["input"], **more}}

    def command(self, *arguments: str) -> list[str]:
        setting = [f"{name}={value}" for name, value in self.environment().items()]
        return [*self.within, "env", "-i", *setting, "node", str(gemini_script()), *arguments]

    def prompted(self, prompt: str, *more: str) -> list[str]:
        """``gemini -p``. ``--skip-trust`` stands for what a user does once in the client: trust the folder."""
        return ["-p", prompt, *self.on_terminal(), *more]

    @staticmethod
    def on_terminal() -> list[str]:
        """The arguments without a prompt."""
        return ["--skip-trust", "-y", "-m", "gemini-2.5-flash"]

    def transcripts(self) -> list[Path]:
        """The client's own session logs, oldest first."""
        return sorted(self.home.glob(".gemini/tmp/*/chats/*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
