"""Runs the real Codex, with our hooks in its file of hooks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.clients.client import Block, Turn
from tests.clients.folders import get_clients_folder
from tests.clients.hook_client import HookClient

VERSION = "0.171.0"
TRUSTED = "--dangerously-bypass-hook-trust"
"""Replaces what a user does once in ``/hooks``; without it, ``codex exec`` skips the hooks silently."""
VENDOR = Path("node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl")


def ripgrep_folder() -> Path:
    """Return the folder of the ripgrep in the package of Codex."""
    return get_clients_folder() / VENDOR / "codex-path"


class Codex(HookClient):
    """Codex; ``say`` runs ``codex exec``."""

    host = "codex"
    stub = "codex_stub"
    logs = ".codex/sessions/*/*/*/*.jsonl"
    resume_arguments = ("resume", "--last")
    greeting = "Trustallandcontinue"  # its first question is whether the hooks are trusted
    discard_seconds = 1.2  # it exits if it could not do so within one second (openai/codex#31420)

    def __init__(self, root: Path, port: int, namespace: tuple[str, ...]) -> None:
        super().__init__(root, port, namespace)
        self.drafts: dict[Path, str] = {}
        self.by_script = False
        """Whether the model calls tools by writing a script, as the newer ones do."""

    @staticmethod
    def program() -> Path:
        """Return the executable itself: the script in the package that would select it needs Node."""
        return get_clients_folder() / VENDOR / "bin" / "codex"

    def settings(self) -> dict[str, str]:
        return {"CODEX_HOME": str(self.codex_home)}

    @property
    def codex_home(self) -> Path:
        return self.home / ".codex"

    @property
    def config(self) -> Path:
        return self.codex_home / "config.toml"

    def use_newer_model(self) -> None:
        """Use a model that calls tools by script from now on."""
        self.by_script = True
        self.config.write_text(self.config.read_text().replace('model = "gpt-5.5"', 'model = "gpt-6-sol"'))

    def script(
        self, name: str, *turns: Turn, status: int = 200, subagent: Sequence[Turn] = (), full_at: int = 0
    ) -> None:
        self.drafts.clear()
        super().script(name, *turns, status=status, subagent=subagent, full_at=full_at)

    def configure(self) -> None:
        self.codex_home.mkdir()
        settings = {
            "model": "gpt-5.5",
            "model_provider": "scripted",
            "approval_policy": "never",
            "sandbox_mode": "danger-full-access",
            "check_for_update_on_startup": False,
        }
        provider = {"name": "scripted", "base_url": f"http://127.0.0.1:{self.port}/v1", "wire_api": "responses"}
        lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
        lines += ["[model_providers.scripted]", *(f"{key} = {json.dumps(value)}" for key, value in provider.items())]
        lines += ["request_max_retries = 0", "stream_max_retries = 0", "[analytics]", "enabled = false"]
        lines += [f"[projects.{json.dumps(str(self.project))}]", 'trust_level = "trusted"']  # as the user confirms once
        lines += [
            "[notice.model_migrations]",
            '"gpt-5.5" = "gpt-6-sol"',
        ]  # otherwise the client suggests another model on a terminal
        self.config.write_text("\n".join(lines) + "\n")
        self.change(hooks=self.hooks())

    def translate(self, block: Block) -> Block:
        call = self.translate_for_older_models(block)
        if isinstance(call, str) or not self.by_script:
            return call
        script = f"const done = await tools.{call['tool']}({json.dumps(call['input'])}); text(done.output || done)"
        return {"tool": "exec", "input": script}

    def translate_for_older_models(self, block: Block) -> Block:
        """Build the call of an older model."""
        if isinstance(block, str) or block.get("tool") not in ("Bash", "Read", "Edit", "Write"):
            return block
        given = block["input"]
        if block["tool"] == "Bash":
            return {"tool": "exec_command", "input": {"cmd": given["command"]}}
        if block["tool"] == "Read":
            return {"tool": "exec_command", "input": {"cmd": f"cat {given['file_path']}"}}
        if block["tool"] == "Write":
            body = "".join(f"+{line}\n" for line in given["content"].splitlines())
            patch = f"*** Add File: {given['file_path']}\n{body}"
        else:
            patch = self.edit(Path(given["file_path"]), given["old_string"], given["new_string"])
        return {"tool": "apply_patch", "input": f"*** Begin Patch\n{patch}*** End Patch\n"}

    def edit(self, path: Path, old: str, new: str) -> str:
        """Build a change of the lines that contain ``old``, after the earlier edits of the same script."""
        draft = self.drafts.get(path) or path.read_text()
        self.drafts[path] = draft.replace(old, new)
        lines = [line for line in draft.splitlines() if old in line]
        return f"*** Update File: {path}\n@@\n" + "".join(f"-{line}\n+{line.replace(old, new)}\n" for line in lines)

    def prompt_arguments(self, prompt: str, *more: str) -> list[str]:
        """Return the arguments; ``more`` comes before the prompt, as in ``resume --last``."""
        return ["exec", TRUSTED, "--skip-git-repo-check", *more, prompt]

    def fork_arguments(self, session: str) -> tuple[str, ...]:
        return ("fork", session)
