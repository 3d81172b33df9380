"""Runs the real Claude Code, with our plugin from the checkout."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.clients.client import Client, RunResult
from tests.clients.folders import copy_checkout, get_clients_folder
from tests.testkit.paths import ROOT

VERSION = "2.1.332"
TOOLS = ("Bash", "Read", "Edit", "Write")


class Claude(Client):
    """Claude Code; ``say`` runs ``claude -p``."""

    host = "claude-code"
    stub = "claude_stub"
    logs = ".claude/projects/*/*.jsonl"
    permission_arguments = ("--permission-mode", "bypassPermissions")
    greeting = "❯"

    def __init__(self, root: Path, port: int, namespace: tuple[str, ...]) -> None:
        super().__init__(root, port, namespace)
        self.plugin: Path | None = ROOT

    @staticmethod
    def program() -> Path:
        """Return the executable, which needs no Node."""
        return get_clients_folder() / "node_modules" / ".bin" / "claude"

    def settings(self) -> dict[str, str]:
        return {
            "CLAUDE_CODE_TMPDIR": str(self.root / "tmp"),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}",
            "ANTHROPIC_API_KEY": "test-key",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",
            "MIND_SKILLS_NO_ENVIRONMENT": "1",  # no pip after every first start; test_the_environment.py allows it
        }

    def configure(self) -> None:
        """Write nothing: the environment and the command line are enough."""

    def remove_hooks(self) -> None:
        self.plugin = None

    def plugin_arguments(self) -> list[str]:
        return [] if self.plugin is None else ["--plugin-dir", str(self.plugin)]

    def prompt_arguments(self, prompt: str, *more: str) -> list[str]:
        return ["-p", prompt, *self.plugin_arguments(), "--allowedTools", *TOOLS, "--output-format", "json", *more]

    def terminal_arguments(self) -> list[str]:
        """Write settings that answer the client's first questions."""
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        settings: dict[str, Any] = {"hasCompletedOnboarding": True, "theme": "dark", "lastOnboardingVersion": VERSION}
        settings["customApiKeyResponses"] = {"approved": ["test-key"], "rejected": []}
        settings["projects"] = {str(self.project): trusted}
        (self.home / ".claude.json").write_text(json.dumps(settings))
        return [*self.plugin_arguments(), "--permission-mode", "default", "--allowedTools", *TOOLS]

    def fork_arguments(self, session: str) -> tuple[str, ...]:
        return ("--continue", "--fork-session")

    def say(self, prompt: str, *more: str) -> RunResult:
        ran = super().say(prompt, *more)
        # The client reports hooks that it cancelled, or that failed.
        assert "hook" not in ran.stderr.lower(), ran.stderr
        return ran

    def results(self, script: str) -> list[str]:
        """List the results of the session's tool calls, as in the last request to the model."""
        messages = self.requests(script)[-1]["messages"]
        items = [item for message in messages for item in message["content"] if isinstance(item, dict)]
        return [str(item["content"]) for item in items if item["type"] == "tool_result"]

    def install_from_marketplace(self) -> Path:
        """Install the plugin as users do, from a marketplace folder; return that folder."""
        copy = copy_checkout(self.root / "checkout")
        for line in (("marketplace", "add", str(copy)), ("install", "mind-skills@mind-skills")):
            ran = self.run("plugin", *line)
            assert ran.code == 0, ran.stdout + ran.stderr
        self.plugin = None
        return copy

    def provide_packages(self) -> None:
        """Put the Python of these tests in place of the plugin's private environment."""
        python = self.home / ".claude/plugins/data/mind-skills-inline/venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
