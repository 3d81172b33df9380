"""The environments in which research/benchmarks/hooks.py runs hooks: a home, a project and waiting candidates."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import HookCall, SessionMarkers
from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, Evidence
from mind_skills.store.error_index import EPISODE, Entry, Record, build_index, build_key, digest_codes
from mind_skills.store.project import digest_text, resolve_project

ROOT = Path(__file__).resolve().parents[2]
LOG = ROOT / "fixtures" / "demo" / "session.jsonl"
SESSION = "0b5ff4ce-6f0e-4a55-9d1c-2f5a0e8f7c11"


class Scene:
    """A home folder that is recreated before each run. ``payload`` is what the host sends to the hook."""

    def __init__(self, folder: Path, prepare: Callable[[Scene], None], event: str, **more: object) -> None:
        """``folder`` is the home, created by ``renew``; ``event`` and ``more`` are fields of the payload."""
        self.home = folder
        self.state = folder / ".local/state/mind-skills"
        self.project = folder / "project"
        self.log = folder / f"{SESSION}.jsonl"
        fields = {"session_id": SESSION, "transcript_path": str(self.log), "cwd": str(self.project)}
        self.payload = json.dumps({**fields, "hook_event_name": event, **more}).encode()
        self._prepare = prepare

    def renew(self) -> None:
        """Recreate everything. Copying would not work: the pending file is identified by its inode and mtime."""
        shutil.rmtree(self.home, ignore_errors=True)
        (self.project / ".git" / "info").mkdir(parents=True)
        shutil.copy(LOG, self.log)
        add_earlier_session(self)
        self._prepare(self)

    def environment(self, data: Path) -> dict[str, str]:
        """Return the environment that Claude Code gives a hook; ``data`` is the plugin's data folder."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", ""),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_PLUGIN_DATA": str(data),
            "MIND_SKILLS_NO_ENVIRONMENT": "1",
        }

    def make_call(self, source: str = "startup") -> HookCall:
        """Return a hook call of the payload's session, now."""
        now = time.time_ns() // 1_000_000
        return HookCall("claude-code", SESSION, str(self.project), str(self.log), now, source, pid=os.getpid())


def add_earlier_session(scene: Scene) -> None:
    """Add a finished session, so that the state folder and its database exist."""
    project = resolve_project(str(scene.project))
    SessionMarkers(str(scene.state), "earlier", project.id).ending.write()
    SessionMarkers(str(scene.state), "earlier", project.id).ending.remove()
    with Ledger.open(str(scene.state)) as ledger:
        ledger.register_session("earlier", "claude-code", project, "", 1)
        ledger.finish_session("earlier", 2)


def stage_nothing(scene: Scene) -> None:
    """Stage nothing: no candidate is waiting."""


def stage_five_candidates(scene: Scene) -> None:
    """Stage as many candidates as one offer contains."""
    waiting: list[Candidate] = []
    for number in range(5):
        mark = digest_text(f"boom {number}", 16)
        evidence = (
            Evidence("problem", "symptom", f"`pytest -q tests/test_{number}.py` failed: TypeError", "", 1),
            Evidence("solution", "cause", f"edited src/part_{number}.py", "", 2),
        )
        title = f"TypeError: part {number} takes 2 positional arguments but 3 were given"
        waiting.append(
            Candidate(build_candidate_id(mark), "error_fix", title, "it failed", "high", mark, evidence, score=1.0)
        )
    with Ledger.open(str(scene.state)) as ledger:
        ledger.stage(resolve_project(str(scene.project)), "earlier", "claude-code", waiting, 1)


def start_session(scene: Scene) -> None:
    """Start the session. It has had no checkpoint within the last minute."""
    register_start(str(scene.state), scene.make_call())


def start_checked_session(scene: Scene) -> None:
    """Start the session, and record a checkpoint just now."""
    start_session(scene)
    SessionMarkers(str(scene.state), SESSION).checked.write(str(time.time_ns() // 1_000_000))


def _spell(number: int) -> str:
    return "part" + "".join(chr(97 + int(digit)) for digit in str(number))


SOLVED_ERRORS = 100_000
FAILED_COMMAND = "python -m pytest -q tests/test_invoice.py"
KNOWN_ERROR = "E   ModuleNotFoundError: No module named 'ledgerkit'"
FAILED_OUTPUT = "Exit code 1\n" + "".join(
    f"tests/test_{_spell(n)}.py:{n}: in test_of_part\n    assert {_spell(n)}(total, {n}) == other\n" for n in range(40)
)
"""An output of 80 lines, each of which is looked up."""


def store_solved_errors(scene: Scene) -> None:
    """Store as many solved errors as a project can have."""
    path = scene.state / "solved" / resolve_project(str(scene.project)).id
    path.parent.mkdir(mode=0o700)
    path.write_bytes(_build_solved_errors())


@cache
def _build_solved_errors() -> bytes:
    facts = "pytest test_invoice.py, passes after a change in invoice.py"
    entries = [
        Entry(
            build_key(line), digest_codes(line), bytes(4), Record(EPISODE, name, "pytest", "2026-11-02", "540", facts)
        )
        for line, name in [
            (KNOWN_ERROR, "sc_1a2b3c4d"),
            *((f"error in {_spell(n)} ledger", f"sc_{n:08x}") for n in range(SOLVED_ERRORS - 1)),
        ]
    ]
    return build_index(entries, "mind-skills")


def make_bare_command(python: str) -> list[str]:
    """Return the command that starts the bare interpreter, whose time is the unit B."""
    return [python, "-I", "-S", "-c", "pass"]


class Run:
    """One run of a command by a host, and the seconds until it has exited and both its outputs are closed."""

    def __init__(self, command: list[str], payload: bytes, environment: dict[str, str], folder: Path) -> None:
        """Run the command, reading both outputs until EOF: a child with an inherited output would block the host."""
        pipe = subprocess.PIPE
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, cwd=folder)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with process:
            if payload:
                process.stdin.write(payload)
            process.stdin.close()
            self.stdout = process.stdout.read()
            self.stderr = process.stderr.read()
        self.seconds = time.perf_counter() - begin
        self.code = process.returncode


def collect_orphans() -> None:
    """Adopt the processes that this process's children leave running, so that they can be waited for."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER (prctl(2))


def let_orphans_end() -> float:
    """Wait until all processes that a hook started have exited; return their CPU seconds."""
    spent = 0.0
    while True:
        try:
            _, _, used = os.wait3(0)
        except ChildProcessError:
            return spent
        spent += used.ru_utime + used.ru_stime
