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

    leaves = "/quit"

    @property
    def hooks_file(self) -> Path:
        """The file that names the hooks."""
        return self.home / f".{self.host}" / load_spec(self.host).hook_file

    def hooks(self, start: str = "") -> dict[str, Any]:
        """The hooks as mind-skills defines them, every command begun with ``start`` instead of our own script."""
        known = load_spec(self.host)
        found: dict[str, Any] = {}
        for event, moment in known.events.items():
            command = f"{start or f'sh {HOOK}'} {self.host} {moment}"
            handler = {**known.hook_handler, "command": command, "timeout": known.timeouts[event]}
            found[event] = [{"hooks": [handler]}]
        return found

    def change(self, **settings: Any) -> None:
        """Change the file that names the hooks."""
        whole = json.loads(self.hooks_file.read_text()) if self.hooks_file.exists() else {}
        self.hooks_file.write_text(json.dumps(whole | settings, indent=2))

    def without_hooks(self) -> None:
        self.change(hooks={})

    def unhealthy(self) -> list[str]:
        """What the doctor finds broken in this home."""
        checks = self.mind_skills("doctor", code=1)["checks"]
        return [one["text"] for one in checks if one["state"] == "failed"]

    def listed(self, script: str) -> str:
        """Everything that the model was sent first under that script, as one text."""
        return json.dumps(self.requests(script)[0])
