"""What Codex and Gemini CLI have in common: hooks in a file of the home."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mind_skills.hosts import load_spec
from tests.clients.client import Client
from tests.testkit.paths import ROOT

HOOK = ROOT / "plugin" / "hook.sh"


class HookClient(Client):
    """A client whose settings name our hooks."""

    exit_command = "/quit"

    @property
    def hooks_file(self) -> Path:
        """The file that names the hooks."""
        return self.home / f".{self.host}" / load_spec(self.host).hook_file

    def hooks(self, start: str = "") -> dict[str, Any]:
        """Return the hooks as mind-skills defines them; ``start`` replaces our own script in their commands."""
        spec = load_spec(self.host)
        found: dict[str, Any] = {}
        for event, moment in spec.events.items():
            command = f"{start or f'sh {HOOK}'} {self.host} {moment}"
            handler = {**spec.hook_handler, "command": command, "timeout": spec.timeouts[event]}
            found[event] = [{"hooks": [handler]}]
        return found

    def change(self, **settings: Any) -> None:
        """Change the file that names the hooks."""
        whole = json.loads(self.hooks_file.read_text()) if self.hooks_file.exists() else {}
        self.hooks_file.write_text(json.dumps(whole | settings, indent=2))

    def remove_hooks(self) -> None:
        self.change(hooks={})

    def list_failed_checks(self) -> list[str]:
        """List the texts of the failed checks of doctor."""
        checks = self.mind_skills("doctor", code=1)["checks"]
        return [one["text"] for one in checks if one["state"] == "failed"]

    def read_first_request(self, script: str) -> str:
        """Return the first request to the model under that script as JSON."""
        return json.dumps(self.requests(script)[0])
