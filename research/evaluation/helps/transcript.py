"""Writes a session's transcript as Claude Code 2.1.332 does: one JSON object per line, one content block per line."""

from __future__ import annotations

import json
import re
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from research.evaluation.helps.sandbox import HOME, PROJECT

VERSION = "2.1.332"
LOGS = f".claude/projects/{re.sub(r'[^a-zA-Z0-9]', '-', PROJECT)}"
"""The folder of a project's transcripts, relative to the home."""


class Transcript:
    """The transcript of ``session`` in the home at ``home``, whose agent sees it as ``seen_path``."""

    def __init__(self, home: Path, session: str) -> None:
        self.session = session
        self.path = home / LOGS / f"{session}.jsonl"
        self.seen_path = f"{HOME}/{LOGS}/{session}.jsonl"

    def add_prompt(self, text: str) -> None:
        """Add what the user asks."""
        self._add("user", {"message": {"role": "user", "content": text}})

    def add_answer(self, text: str) -> None:
        """Add what the agent states."""
        self._add_reply({"type": "text", "text": text})

    def add_call(self, tool: str, inputs: dict[str, Any]) -> str:
        """Add a tool call and return its id."""
        call_id = f"toolu_{uuid.uuid4().hex[:24]}"
        self._add_reply({"type": "tool_use", "id": call_id, "name": tool, "input": inputs})
        return call_id

    def add_result(self, call_id: str, text: str, record: dict[str, Any] | None) -> None:
        """Add the result of a call. ``record`` is the client's own record of it; None if the call failed."""
        block = {"tool_use_id": call_id, "type": "tool_result", "content": text, "is_error": record is None}
        result = f"Error: {text}" if record is None else record
        self._add("user", {"message": {"role": "user", "content": [block]}, "toolUseResult": result})

    def add_machine_text(self, call_id: str, text: str) -> None:
        """Add a text that the client writes on the user's behalf after a call, such as a skill."""
        content = [{"type": "text", "text": text}]
        self._add("user", {"message": {"role": "user", "content": content}, "isMeta": True, "sourceToolUseID": call_id})

    def add_hook_context(self, event: str, name: str, call_id: str, text: str) -> None:
        """Add what a hook wrote into the context."""
        self.add_attachment(
            {
                "type": "hook_additional_context",
                "content": [text],
                "hookName": name,
                "toolUseID": call_id,
                "hookEvent": event,
            }
        )

    def add_attachment(self, attachment: dict[str, Any]) -> None:
        """Add a text of the client that is no message."""
        self._add("attachment", {"attachment": attachment})

    def _add_reply(self, block: dict[str, Any]) -> None:
        self._add("assistant", {"message": {"role": "assistant", "type": "message", "content": [block]}})

    def _add(self, kind: str, fields: dict[str, Any]) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = {
            "parentUuid": self._find_last_id(),
            "isSidechain": False,
            "type": kind,
            **fields,
            "uuid": str(uuid.uuid4()),
            "timestamp": now.replace("+00:00", "Z"),
            "userType": "external",
            "entrypoint": "sdk-cli",
            "cwd": PROJECT,
            "sessionId": self.session,
            "version": VERSION,
            "gitBranch": "main",
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.truncate(self._find_end())
            file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def _find_end(self) -> int:
        """Return where the last whole line ends: a call that was killed may have left half of one."""
        return self.path.read_bytes().rfind(b"\n") + 1 if self.path.exists() else 0

    def _find_last_id(self) -> str | None:
        lines = self.path.read_bytes()[: self._find_end()].splitlines() if self.path.exists() else []
        return str(json.loads(lines[-1])["uuid"]) if lines else None
