"""Runs the real Gemini CLI, with our hooks in its settings."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from tests.clients.client import Block
from tests.clients.folders import get_clients_folder
from tests.clients.hook_client import HookClient

VERSION = "0.61.0"


class Gemini(HookClient):
    """Gemini CLI; ``say`` runs ``gemini -p``."""

    host = "gemini"
    stub = "gemini_stub"
    logs = ".gemini/tmp/*/chats/*.jsonl"
    tools: ClassVar = {"Bash": "run_shell_command", "Read": "read_file", "Edit": "replace", "Write": "write_file"}
    resume_arguments = ("--resume", "latest")
    greeting = "Typeyourmessage"

    @staticmethod
    def program() -> Path:
        """Return the script, which Node runs by its first line."""
        return get_clients_folder() / "node_modules" / "@google" / "gemini-cli" / "bundle" / "gemini.js"

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

    def translate(self, block: Block) -> Block:
        call = super().translate(block)
        if isinstance(call, str) or call.get("tool") != "replace":
            return call
        return {**call, "input": {**call["input"], "instruction": "Change it."}}

    def prompt_arguments(self, prompt: str, *more: str) -> list[str]:
        return ["-p", prompt, *self.terminal_arguments(), *more]

    def terminal_arguments(self) -> list[str]:
        """Return the arguments; ``--skip-trust`` replaces what a user does once in the client: trust the folder."""
        return ["--skip-trust", "-y", "-m", "gemini-2.5-flash"]
