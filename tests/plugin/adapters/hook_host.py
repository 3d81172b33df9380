"""Starts hooks as Claude Code does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import resolve_project
from tests.staging.workbench import candidate as make_candidate
from tests.testkit.paths import ROOT
from tests.testkit.processes import wait_for_processes

PAYLOADS = ROOT / "fixtures" / "claude_code" / "payloads"
WAITED = 30.0
"""Seconds until something counts as never happening; nothing here is measured."""


WAITS = """if True:
    import os, sys
    package = type(sys)("mind_skills")
    package.__path__ = [sys.argv[1]]
    sys.modules["mind_skills"] = package
    from mind_skills.observations import open_file
    opens = open_file.open_log_file
    def waits(path):
        if os.path.exists(sys.argv[2]):
            with open(sys.argv[2], "rb") as gate:
                gate.read()
            os.unlink(sys.argv[2])
        return opens(path)
    open_file.open_log_file = waits
    from mind_skills.plugin.fast_path import main
    main(["claude-code"])
"""
"""A hook whose disk does not answer: reading a log waits until the gate, a pipe, is released."""


class Host:
    """Starts hooks as Claude Code does: own environment, payload on stdin, both outputs read to their end."""

    def __init__(self, root: Path) -> None:
        self.state = root / "state"
        self.project = root / "project"
        (self.project / ".git" / "info").mkdir(parents=True)
        self.environment = {
            "HOME": str(root),
            "PATH": os.environ["PATH"],
            "MIND_SKILLS_HOME": str(self.state),
            "CLAUDE_PROJECT_DIR": str(self.project),
        }
        self.command = [sys.executable, "-I", "-S", str(ROOT / "plugin" / "entry.py"), "claude-code"]

    def hook(self, payload: bytes | dict[str, Any]) -> tuple[int, bytes, bytes]:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        done = subprocess.run(
            self.command,
            input=data,
            capture_output=True,
            env=self.environment,
            cwd=self.project,
            timeout=WAITED,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def waiting(self, payload: dict[str, Any]) -> tuple[tuple[int, bytes, bytes], int]:
        """A hook whose worker begins to read the log and waits; the result of the hook, and the gate that holds the worker."""
        gate, usual = self.project.parent / "gate", self.command
        os.mkfifo(gate)
        self.command = [sys.executable, "-I", "-S", "-c", WAITS, str(ROOT), str(gate)]
        result = self.hook(payload)
        self.command = usual
        return result, _hold_gate(gate)

    def payload(self, event: str, session: str = "s", **more: object) -> dict[str, Any]:
        base = {"session_id": session, "transcript_path": str(self.project.parent / f"{session}.jsonl")}
        return {**base, "cwd": str(self.project), "hook_event_name": event, **more}

    def stage(self) -> Candidate:
        candidate = make_candidate("boom")
        with Ledger.open(self.state) as ledger:
            ledger.stage(resolve_project(str(self.project)), "earlier", "claude-code", [candidate], 1)
        return candidate

    def log(self) -> str:
        path = self.state / "log" / "hooks.log"
        return path.read_text() if path.exists() else ""

    def settle(self) -> None:
        """Waits for the workers of its hooks."""
        wait_for_processes(self.state, WAITED)


def _hold_gate(gate: Path) -> int:
    end = time.monotonic() + WAITED
    while True:
        try:
            return os.open(gate, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert time.monotonic() < end, "never: a process that reads the log"
            time.sleep(0.01)
