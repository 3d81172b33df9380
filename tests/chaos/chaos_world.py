"""A project, a state folder and a home under one root, as they are before a run, and what is true of them after it.

Whatever happens after a run happens in a process of its own that is forked for it, with time as an argument: the sessions
that come later come hours later.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mind_skills.hooks.session_state import HookCall
from mind_skills.plugin import hook
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import resolve_project
from tests.staging.workbench import candidate
from tests.testkit.paths import ROOT

DEMO = ROOT / "fixtures" / "demo" / "session.jsonl"
PENDING = ".claude/mind-skills-pending.json"
MINUTE = 60_000
HOUR = 60 * MINUTE

WHAT_HOLDS = {
    "candidates": "SELECT id, state, count(*) FROM candidates GROUP BY 1, 2",
    "sightings": "SELECT fingerprint, session FROM sightings WHERE session NOT LIKE 'later%'",
    "sessions": "SELECT session, host, finished_at IS NOT NULL FROM sessions WHERE session NOT LIKE 'later%'",
    "skills used": "SELECT session, name, how FROM skills_used",
    "outcomes": "SELECT session, type, score, error_count, retry_count FROM outcomes WHERE session NOT LIKE 'later%'",
    "errors met": "SELECT session, signature, times FROM errors_met",
    "accepted": "SELECT candidate, count(*) FROM receipts WHERE what = 'accepted' GROUP BY 1",
    "patterns": "SELECT content, kind, success_count, failure_count FROM patterns",
    "maturities": "SELECT state, helpful_count, harmful_count, pinned FROM maturities",
    "votes": "SELECT criterion, type, task_id FROM feedback",
    "weights": "SELECT type, source FROM maturity_feedback WHERE weight > 0",
    "tasks": "SELECT task_id, success, strategy FROM task_outcomes",
    "task errors": "SELECT task_id, error_type, message, resolved FROM task_errors",
    "memory": "SELECT kind, content, task, success FROM memory_records",
}
"""What a person could miss, from each table; times, ranks and the wording of offers are left out."""


class World:
    """One root. ``now`` is UTC milliseconds: what has happened so far happened two days before and later."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home, self.state, self.project, self.logs = (root / n for n in ("home", "state", "project", "logs"))
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "MIND_SKILLS_HOME": str(self.state),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "LANG": "C.UTF-8",
        }
        self.now = 0

    def make(self) -> None:
        """The folders, with nothing of ours in them."""
        shutil.rmtree(self.root, ignore_errors=True)
        for folder in (self.home, self.logs, self.project / ".git" / "info"):
            folder.mkdir(parents=True)
        self.now = time.time_ns() // 1_000_000 - 48 * HOUR

    # -- what happens in it ------------------------------------------------------------------------------------------

    def make_call(self, session: str, at: int, source: str = "startup") -> HookCall:
        return HookCall("claude-code", session, str(self.project), str(self.log(session)), at, source)

    def payload(self, event: str, session: str, **more: str) -> bytes:
        base = {"session_id": session, "transcript_path": str(self.log(session)), "cwd": str(self.project)}
        return json.dumps({**base, "hook_event_name": event, **more}).encode()

    def log(self, session: str) -> Path:
        return self.logs / f"{session}.jsonl"

    def stage(self, *names: str) -> list[Candidate]:
        """Candidates of a session that ended some time ago."""
        made = [learning(name) for name in names]
        with Ledger.open(self.state) as ledger:
            ledger.stage(resolve_project(str(self.project)), "earlier", "claude-code", made, self.now)
        return made

    def starts(self, session: str, at: int) -> str:
        """A session begins: what it is told; then what is done behind its back."""
        call = self.make_call(session, at)
        told = hook._prepare_text("start", call, None)
        hook._mark_delivered(call, told)
        self.works("start", call)
        return told or ""

    def works(self, moment: str, call: HookCall) -> None:
        """The half of a hook call that its host does not wait for, in this process."""
        hook.run_detached_work(moment, call)
        signal.alarm(0)

    def says(self, session: str, at: int, *blocks: dict[str, Any]) -> None:
        """A prompt and the agent's answer, or the blocks that are given, in the form of the client's log."""
        texts: list[tuple[str, dict[str, Any]]] = [("user", {"type": "text", "text": "please do it"})]
        texts += [("user" if b["type"] == "tool_result" else "assistant", b) for b in blocks]
        texts.append(("assistant", {"type": "text", "text": "Done."}))
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at / 1000))
        with self.log(session).open("a") as out:
            for number, (kind, block) in enumerate(texts):
                entry = {"type": kind, "uuid": f"{session}-{at}-{number}", "sessionId": session, "timestamp": stamp}
                out.write(
                    json.dumps({**entry, "cwd": str(self.project), "message": {"role": kind, "content": [block]}})
                    + "\n"
                )
        self.quiet(session, at)

    def notes(self, session: str, said: str) -> None:
        """The client writes into its log what a hook has said."""
        attachment = {"type": "hook_success", "hookEvent": "SessionStart", "stdout": said}
        with self.log(session).open("a") as out:
            out.write(json.dumps({"type": "attachment", "sessionId": session, "attachment": attachment}) + "\n")

    def quiet(self, session: str, at: int) -> None:
        """Nothing was said in it since then."""
        os.utime(self.log(session), (at / 1000, at / 1000))

    # -- what is true of it ------------------------------------------------------------------------------------------

    def holds(self) -> dict[str, Any]:
        """What the database says, and what is wrong with any file."""
        found: dict[str, Any] = {}
        path = self.state / "mind-skills.db"
        sql = sqlite3.connect(path)
        try:
            found["database"] = sql.execute("PRAGMA integrity_check").fetchone()[0]
            tables = {row[0] for row in sql.execute("SELECT name FROM sqlite_master")}
            for name, query in WHAT_HOLDS.items():
                table = query.split(" FROM ")[1].split()[0]
                found[name] = sorted(map(list, sql.execute(query)), key=repr) if table in tables else []
        finally:
            sql.close()
        found["files"] = self.litter()
        found["listed"] = self.listed()
        return found

    def listed(self) -> list[str]:
        """The ids in the pending file, which has to be whole."""
        path = self.project / PENDING
        return sorted(c["id"] for c in json.loads(path.read_text())["candidates"]) if path.exists() else []

    def litter(self) -> list[str]:
        """Files that nobody should have left: half written ones, ones that were set aside, traces that starts look at.

        (Other traces of what is over are hints that nobody asks for any more, and go with what is old: hooks/retention.py.)
        """
        files = [p for p in self.root.rglob("*") if p.is_file()]
        suspicious = [p for p in files if p.name.endswith((".tmp", ".damaged")) or ".corrupt" in p.name]
        over = [self.state / name for name in ("ending", "unanswered")]
        traces = [p for p in files if any(folder in p.parents for folder in over)]
        return sorted(str(p.relative_to(self.root)) for p in [*suspicious, *traces])


def learning(name: str) -> Candidate:
    return candidate(f"the lesson of {name}")


def apart(world: World, work: Callable[[], Any]) -> Any:
    """What ``work`` returns, done by a process of its own in the world's environment; a RuntimeError where it raises."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 0
        try:
            os.environ.clear()
            os.environ.update(world.environment)
            os.chdir(world.project)
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            answer = json.dumps(work())
        except BaseException:  # noqa: BLE001 -- the parent tells
            answer, code = traceback.format_exc(), 1
        with os.fdopen(writing, "w") as out:
            out.write(answer)
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as file:
        answer = file.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError(f"ended with {status}: {answer}")
    return json.loads(answer)
