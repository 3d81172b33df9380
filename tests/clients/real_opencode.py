"""Runs the real OpenCode, with our plugin file among its settings."""

from __future__ import annotations

import contextlib
import json
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from mind_skills.plugin.opencode import render_plugin_file
from tests.clients.client import Client
from tests.clients.folders import get_clients_folder
from tests.clients.real_codex import ripgrep_folder
from tests.testkit.paths import ROOT

VERSION = "1.18.33"
ENTRY = ROOT / "plugin" / "entry.py"
QUIET = (
    "OPENCODE_DISABLE_MODELS_FETCH OPENCODE_DISABLE_AUTOUPDATE OPENCODE_DISABLE_DEFAULT_PLUGINS"
    " OPENCODE_DISABLE_LSP_DOWNLOAD OPENCODE_DISABLE_SHARE"
).split()


class OpenCode(Client):
    """OpenCode; ``say`` runs ``opencode run``."""

    host = "opencode"
    stub = "opencode_stub"
    logs = "data/opencode/opencode.db"
    tools: ClassVar = {"Bash": "bash", "Read": "read", "Edit": "edit", "Write": "write"}
    keys: ClassVar = {"file_path": "filePath", "old_string": "oldString", "new_string": "newString"}
    greeting = "Askanything"

    @staticmethod
    def program() -> Path:
        """Return the executable; the package's postinstall step, which would link it, is not needed."""
        machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
        return get_clients_folder() / "node_modules" / f"opencode-{sys.platform}-{machine}" / "bin" / "opencode"

    def settings(self) -> dict[str, str]:
        folders = {f"XDG_{name.upper()}_HOME": str(self.home / name) for name in ("data", "config", "state", "cache")}
        # Without its catalogue of all providers' models, a start takes two thirds of the time.
        return {**folders, **dict.fromkeys(QUIET, "1"), "OPENCODE_MODELS_PATH": str(self.home / "models.json")}

    @property
    def database(self) -> Path:
        return self.home / self.logs

    @property
    def config(self) -> Path:
        return self.home / "config" / "opencode"

    @property
    def plugin(self) -> Path:
        return self.config / "plugin" / "mind-skills.js"

    def configure(self) -> None:
        model = {"name": "scripted", "limit": {"context": 200_000, "output": 8_000}, "tool_call": True}
        options = {"baseURL": f"http://127.0.0.1:{self.port}/v1", "apiKey": "test-key"}
        stub = {"npm": "@ai-sdk/openai-compatible", "name": "Stub", "options": options, "models": {"scripted": model}}
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "enabled_providers": ["stub"],
            "model": "stub/scripted",
            "provider": {"stub": stub},
            "permission": {"edit": "allow", "bash": "allow", "external_directory": "allow"},
        }
        (self.home / "models.json").write_text("{}")
        # Otherwise the client runs `npm install` in a config folder that has a plugin: 70 s offline.
        (self.config / "node_modules").mkdir(parents=True)
        needs = {"dependencies": {"@opencode-ai/plugin": VERSION}}
        (self.config / "package.json").write_text(json.dumps(needs))
        (self.config / "package-lock.json").write_text(json.dumps({"lockfileVersion": 3, "packages": {"": needs}}))
        (self.config / "opencode.json").write_text(json.dumps(settings))
        self.install()

    def install(self, python: str = sys.executable, entry: Path = ENTRY) -> None:
        """Put the plugin file where the client finds it."""
        self.plugin.parent.mkdir(exist_ok=True)
        self.plugin.write_text(render_plugin_file(python, str(entry)))

    def remove_hooks(self) -> None:
        self.plugin.unlink()

    def prompt_arguments(self, prompt: str, *more: str) -> list[str]:
        return ["run", *more, prompt]

    def fork_arguments(self, session: str) -> tuple[str, ...]:
        return ("--continue", "--fork")

    def provide_ripgrep(self) -> None:
        """Provide ripgrep, which its tool for skills needs."""
        self.extra["PATH"] = f"{ripgrep_folder()}:/usr/local/bin:/usr/bin:/bin"

    @contextlib.contextmanager
    def run_server(self) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
        """Run ``serve`` in the folder, and yield the arguments of ``say`` for a client of it; killed at the end."""
        with self.start_process("serve", "--port", "0", stderr=subprocess.STDOUT) as server:
            assert server.stdout is not None
            address = next(line.split()[-1] for line in server.stdout if "listening on" in line)
            yield server, ["--attach", address, "--dir", str(self.folder)]
