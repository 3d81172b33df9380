"""Runs the real Gemini CLI, with our hooks in its settings."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from tests.clients.client import Block
from tests.clients.folders import clients_folder
from tests.clients.hook_client import HookClient

VERSION = "0.61.0"


class Gemini(HookClient):
    """Gemini CLI; ``say`` runs ``gemini -p``."""

    host = "gemini"
    stub = "gemini_stub"
    logs = ".gemini/tmp/*/chats/*.jsonl"
    tools: ClassVar = {"Bash": "run_shell_command", "Read": "read_file", "Edit": "replace", "Write": "write_file"}
    resumed = ("--resume", "latest")
    greeting = "Typeyourmessage"

    @staticmethod
    def program() -> Path:
        """A script, which Node runs by its first line."""
        return clients_folder() / "node_modules" / "@google" / "gemini-cli" / "bundle" / "gemini.js"

    def settings(self) -> dict[str, str]:
        return {"GEMINI_API_KEY": "test-key", "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{self.port}"}

    def configure(self) -> None:
        self.hooks_file.parent.mkdir()
        self.change(
            security={"auth": {"selectedType": "gemini-api-key"}},
            general={"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            privacy={"usageStatisticsEnabled": False},
            hooks=self.hooks(),
        )

    def translated(self, block: Block) -> Block:
        call = super().translated(block)
        if isinstance(call, str) or call.get("tool") != "replace":
            return call
        return {**call, "input": {**call["input"], "instruction": "Change it."}}

    def prompted(self, prompt: str, *more: str) -> list[str]:
        return ["-p", prompt, *self.on_terminal(), *more]

    def on_terminal(self) -> list[str]:
        """``--skip-trust`` stands for what a user does once in the client: trust the folder."""
        return ["--skip-trust", "-y", "-m", "gemini-2.5-flash"]
