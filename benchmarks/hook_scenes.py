"""The worlds in which benchmarks/hooks.py starts hooks: a home, a project, and what waits in it, the same each time."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mind_skills.detectors.model import Evidence
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import Marker, SessionMarkers
from mind_skills.staging.identity import candidate_id, fingerprint
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import find

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "fixtures" / "demo" / "session.jsonl"
SESSION = "0b5ff4ce-6f0e-4a55-9d1c-2f5a0e8f7c11"


class Scene:
    """A home that is made anew before each run. ``payload`` is what the host writes to the hook."""

    def __init__(self, folder: Path, prepare: Callable[[Scene], None], event: str, **more: str) -> None:
        """``folder`` is the home, which ``renew`` makes; ``event`` and ``more`` are fields of the payload."""
        self.home = folder
        self.state = folder / ".local/state/mind-skills"
        self.project = folder / "project"
        self.log = folder / f"{SESSION}.jsonl"
        form = {"session_id": SESSION, "transcript_path": str(self.log), "cwd": str(self.project)}
        self.payload = json.dumps({**form, "hook_event_name": event, **more}).encode()
        self._prepare = prepare

    def renew(self) -> None:
        """Make everything anew. A copy would not do: the pending file is known by its inode and its mtime."""
        shutil.rmtree(self.home, ignore_errors=True)
        (self.project / ".git" / "info").mkdir(parents=True)
        shutil.copy(LOG, self.log)
        earlier(self)
        self._prepare(self)

    def environment(self, data: Path) -> dict[str, str]:
        """What Claude Code gives to a hook; ``data`` is the plugin's folder for data."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", ""),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_PLUGIN_DATA": str(data),
            "MIND_SKILLS_NO_ENVIRONMENT": "1",
        }

    def moment(self, source: str = "startup") -> Moment:
        """The session of the payload, now."""
        now = time.time_ns() // 1_000_000
        return Moment("claude-code", SESSION, str(self.project), str(self.log), now, source, pid=os.getpid())


def earlier(scene: Scene) -> None:
    """Another session was here and has ended: the state folder and its database are there."""
    project = find(str(scene.project))
    SessionMarkers(str(scene.state), "earlier", project.id).ending.put()
    SessionMarkers(str(scene.state), "earlier", project.id).ending.drop()
    with Ledger.open(str(scene.state)) as ledger:
        ledger.register_session("earlier", "claude-code", project, "", 1)
        ledger.finish_session("earlier", 2)


def nothing(scene: Scene) -> None:
    """Nothing waits."""


def five_wait(scene: Scene) -> None:
    """As many candidates as one offer takes."""
    waiting: list[Candidate] = []
    for number in range(5):
        mark = fingerprint("error_fix", f"boom {number}")
        evidence = (
            Evidence("problem", "symptom", f"`pytest -q tests/test_{number}.py` failed: TypeError", "", 1),
            Evidence("solution", "cause", f"edited src/part_{number}.py", "", 2),
        )
        title = f"TypeError: part {number} takes 2 positional arguments but 3 were given"
        waiting.append(
            Candidate(candidate_id(mark), "error_fix", title, "it failed", "high", mark, evidence, score=1.0)
        )
    with Ledger.open(str(scene.state)) as ledger:
        ledger.stage(find(str(scene.project)), "earlier", "claude-code", waiting, 1)


def running(scene: Scene) -> None:
    """The session has register_start, and its log has not been looked at for a minute."""
    register_start(str(scene.state), scene.moment())


def just_checked(scene: Scene) -> None:
    """The session has register_start, and its log was looked at a moment ago."""
    running(scene)
    SessionMarkers(str(scene.state), SESSION).checked.put(str(time.time_ns() // 1_000_000))


def capturing(scene: Scene) -> None:
    """Capture has put down something of this session before."""
    Marker(str(scene.state), "spool", SESSION, "capture").put()


def bare(python: str) -> list[str]:
    """The unit, B."""
    return [python, "-I", "-S", "-c", "pass"]


class Run:
    """One run of a command as a host makes it: seconds until it has ended and both its outputs are closed."""

    def __init__(self, command: list[str], payload: bytes, environment: dict[str, str], folder: Path) -> None:
        """Runs it. A child that kept an output open would keep the host waiting, so the end of both is waited for."""
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
            self.said = process.stdout.read()
            self.complained = process.stderr.read()
        self.seconds = time.perf_counter() - begin
        self.code = process.returncode


def collect_orphans() -> None:
    """From now on, what this process's children leave running becomes its own, so that it can be waited for."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER (prctl(2))


def let_orphans_end() -> float:
    """Wait until nothing runs any more that a hook started; returns the CPU seconds that it took."""
    spent = 0.0
    while True:
        try:
            _, _, used = os.wait3(0)
        except ChildProcessError:
            return spent
        spent += used.ru_utime + used.ru_stime
