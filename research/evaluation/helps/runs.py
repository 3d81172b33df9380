"""A run: one session of one agent, in a folder of its own, and the hooks of mind-skills that are called for it."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from mind_skills.observations.codec import as_object, as_string
from research.evaluation.helps.sandbox import PRODUCT, PROJECT, Sandbox
from research.evaluation.helps.transcript import Transcript

FIRST, WRITER, WITH, WITHOUT, REMINDER = "first", "writer", "with", "without", "reminder"
SECOND_ARMS = (WITH, WITHOUT, REMINDER)
"""The arms that do the second task: with the skills, without anything, and with the reminder at a failing command."""
HAS_PRODUCT = (WRITER, REMINDER)
"""The arms whose agent can run mind-skills."""
FACTS_FILE = "run.json"
_NAMESPACE = uuid.UUID(int=47)


@dataclass(frozen=True)
class Facts:
    """What identifies a run. ``number`` counts the tries of an arm, from 1."""

    trap: str
    arm: str
    number: int = 1

    @property
    def name(self) -> str:
        return name_run(self.trap, self.arm, self.number)

    @property
    def session(self) -> str:
        """The id of the session, which is the same whenever this run is made."""
        return str(uuid.uuid5(_NAMESPACE, self.name))


def name_run(trap: str, arm: str, number: int = 1) -> str:
    """Return the name of a run, which is also that of its folder."""
    return f"{trap}-{arm}-{number}" if arm in SECOND_ARMS else f"{trap}-{arm}"


class Run:
    """The run in ``folder``."""

    def __init__(self, folder: Path, facts: Facts, *, has_product: bool | None = None) -> None:
        """``has_product`` defaults to whether the arm has it."""
        self.folder, self.facts = folder.absolute(), facts
        has_product = facts.arm in HAS_PRODUCT if has_product is None else has_product
        self.sandbox = Sandbox(self.folder, has_product=has_product)
        self.transcript = Transcript(self.sandbox.home, facts.session)

    def make(self) -> None:
        """Make the folder of a new run. Raises ClickException if there is one, OSError."""
        if (self.folder / FACTS_FILE).exists():
            raise click.ClickException(f"{self.folder} is already a run. Give another folder with --out.")
        self.sandbox.make()
        (self.folder / FACTS_FILE).write_text(json.dumps(asdict(self.facts)) + "\n", encoding="utf-8")

    @classmethod
    def open(cls, folder: Path, *, has_product: bool | None = None) -> Run:
        """Open the run in ``folder``. Raises ClickException if there is none."""
        try:
            facts = Facts(**json.loads((folder / FACTS_FILE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise click.ClickException(f"{folder} is no run. `start` and `learn` make one.") from error
        return cls(folder, facts, has_product=has_product)

    def find(self, arm: str) -> Run:
        """Return the run of another arm on the same trap, in the same folder of runs. Raises ClickException if there is none."""
        return Run.open(self.folder.parent / name_run(self.facts.trap, arm))

    def ask_for_reminder(self, call_id: str, inputs: dict[str, Any], error: str) -> str:
        """Return what the hook adds to the result of a failed command; empty for an agent without it, or if it adds nothing."""
        if self.facts.arm != REMINDER:
            return ""
        fields = {"tool_name": "Bash", "tool_input": inputs, "tool_use_id": call_id, "error": error}
        line = self.call_hook("PostToolUseFailure", **fields, is_interrupt=False)
        return self.add_hook_context("PostToolUseFailure", "PostToolUseFailure:Bash", call_id, line) if line else ""

    def call_hook(self, event: str, **fields: Any) -> str:
        """Call the hook of mind-skills for an event, wait for all that it leaves to other processes, and return its context.

        Raises ClickException if it fails.
        """
        payload = {
            "session_id": self.facts.session,
            "transcript_path": self.transcript.seen_path,
            "cwd": PROJECT,
            "hook_event_name": event,
            **fields,
        }
        command = [f"{PRODUCT}/python/bin/python3", "-I", "-S", f"{PRODUCT}/mind_skills/plugin/entry.py", "claude-code"]
        ended = self.sandbox.run(
            command,
            stdin=json.dumps(payload).encode(),
            environment={"CLAUDE_PROJECT_DIR": PROJECT},
            wait_for_all=True,
            keeps_errors_apart=True,
        )
        if ended.code:
            raise click.ClickException(
                f"The hook for {event} failed with exit code {ended.code}. What it logged is in {self.sandbox.home}."
            )
        reply = as_object(json.loads(ended.text)) if ended.output.strip() else {}
        return as_string(as_object(reply.get("hookSpecificOutput")).get("additionalContext"))

    def add_hook_context(self, event: str, name: str, call_id: str, text: str) -> str:
        """Record what a hook adds to the context, and return it as the agent reads it."""
        self.transcript.add_hook_context(event, name, call_id, text)
        return f"<system-reminder>\n{name} hook additional context: {text}\n</system-reminder>"
