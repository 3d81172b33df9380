"""Runs the real Claude Code, with our plugin from the checkout."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.clients.client import Client, Ran
from tests.clients.folders import clients_folder, copied
from tests.testkit.paths import ROOT

VERSION = "2.1.332"
TOOLS = ("Bash", "Read", "Edit", "Write")


class Claude(Client):
    """Claude Code; ``say`` runs ``claude -p``."""

    host = "claude-code"
    stub = "claude_stub"
    logs = ".claude/projects/*/*.jsonl"
    unasked = ("--permission-mode", "bypassPermissions")
    greeting = "❯"

    def __init__(self, root: Path, port: int, within: tuple[str, ...]) -> None:
        super().__init__(root, port, within)
        self.plugin: Path | None = ROOT

    @staticmethod
    def program() -> Path:
        """No Node is needed to run it."""
        return clients_folder() / "node_modules" / ".bin" / "claude"

    def settings(self) -> dict[str, str]:
        return {
            "CLAUDE_CODE_TMPDIR": str(self.root / "tmp"),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}",
            "ANTHROPIC_API_KEY": "test-key",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",
            "MIND_SKILLS_NO_ENVIRONMENT": "1",  # no pip behind every first start; test_the_environment.py lets it run
        }

    def configure(self) -> None:
        """The environment and the command line say it all."""

    def without_hooks(self) -> None:
        self.plugin = None

    def loaded(self) -> list[str]:
        return [] if self.plugin is None else ["--plugin-dir", str(self.plugin)]

    def prompted(self, prompt: str, *more: str) -> list[str]:
        return ["-p", prompt, *self.loaded(), "--allowedTools", *TOOLS, "--output-format", "json", *more]

    def on_terminal(self) -> list[str]:
        """Past its first questions."""
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        settings: dict[str, Any] = {"hasCompletedOnboarding": True, "theme": "dark", "lastOnboardingVersion": VERSION}
        settings["customApiKeyResponses"] = {"approved": ["test-key"], "rejected": []}
        settings["projects"] = {str(self.project): trusted}
        (self.home / ".claude.json").write_text(json.dumps(settings))
        return [*self.loaded(), "--permission-mode", "default", "--allowedTools", *TOOLS]

    def forking(self, session: str) -> tuple[str, ...]:
        return ("--continue", "--fork-session")

    def say(self, prompt: str, *more: str) -> Ran:
        ran = super().say(prompt, *more)
        # What the client says about hooks that it had to cancel, or that failed.
        assert "hook" not in ran.stderr.lower(), ran.stderr
        return ran

    def results(self, script: str) -> list[str]:
        """What each tool call of a session came to, as the model was told in the end."""
        messages = self.requests(script)[-1]["messages"]
        items = [item for message in messages for item in message["content"] if isinstance(item, dict)]
        return [str(item["content"]) for item in items if item["type"] == "tool_result"]

    def from_marketplace(self) -> Path:
        """Install the plugin as people get it, from a marketplace folder of its own; returns that folder."""
        copy = copied(self.root / "checkout")
        for line in (("marketplace", "add", str(copy)), ("install", "mind-skills@mind-skills")):
            ran = self.run("plugin", *line)
            assert ran.code == 0, ran.stdout + ran.stderr
        self.plugin = None
        return copy

    def has_packages(self) -> None:
        """As if the plugin's private environment were ready: the Python of these tests in its place."""
        python = self.home / ".claude/plugins/data/mind-skills-inline/venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
