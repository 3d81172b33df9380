"""A machine on which `mind-skills watch` runs as a process of its own, and sessions of any host that it can see.

No test waits for a fixed time: it waits for an event of the process or a change of the state folder, and fails only if
that does not come within ``PATIENCE``.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Self

from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import resolve_project
from tests.testkit.command import confirm
from tests.testkit.hostile.lessons import ENTROPY, PARSER
from tests.testkit.paths import ROOT
from tests.testkit.stories import (
    as_antigravity,
    as_claude_code,
    as_codex,
    as_gemini,
    as_opencode,
)
from tests.testkit.stories.story_file import Story

COMMAND = "from mind_skills.plugin.cli import main; main()"
PATIENCE = 120.0
"""Seconds: far more than any test takes, because a machine under load is not a fault of the code."""
LESSON, OTHER = ENTROPY.story(), PARSER.story()
HOSTS = ("claude-code", "codex", "gemini", "antigravity", "opencode")
Event = dict[str, Any]


class Machine:
    """A home, a project, and at most one watch."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = self.home / "project"
        self.state = folder / "state"
        (self.project / ".git" / "info").mkdir(parents=True)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "MIND_SKILLS_HOME": str(self.state),
            "LANG": "C.UTF-8",
        }
        self.process: subprocess.Popen[str] | None = None
        self.events: queue.Queue[Event] = queue.Queue()
        self.seen: list[Event] = []
        self._readers: list[threading.Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        for reader in self._readers:
            reader.join()

    # -- the command -------------------------------------------------------------------------------------------------

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        line = [sys.executable, "-c", COMMAND, *confirm([*arguments])]
        return subprocess.run(
            line, input=stdin, capture_output=True, text=True, env=self.environment, cwd=self.project, check=False
        )

    def json(self, *arguments: str) -> Any:
        done = self.run(*arguments, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def watch(
        self,
        *arguments: str,
        before: Sequence[str] = (),
        quiet: float = 0.2,
        longest: float = 1.0,
        ended: float = 3600.0,
        tick: float = 0.2,
    ) -> Event:
        """Start to watch, and return the event of the start. ``before`` precedes the command, to run it in another way."""
        paces = ("--quiet", str(quiet), "--longest", str(longest), "--ended", str(ended), "--tick", str(tick))
        self.process = subprocess.Popen(
            [*before, sys.executable, "-c", COMMAND, "watch", "--json", *paces, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
            cwd=self.project,
        )
        self.seen, self.events = [], queue.Queue()
        reader = threading.Thread(target=self._read, args=(self.process, self.events))
        reader.start()
        self._readers.append(reader)
        return self.until(lambda event: event["event"] == "started")

    def _read(self, process: subprocess.Popen[str], events: queue.Queue[Event]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            events.put(json.loads(line))
        events.put({"event": "gone"})

    def until(self, wanted: Callable[[Event], bool]) -> Event:
        """Wait for the next event that is wanted; it and all events before it are added to ``seen``."""
        while True:
            try:
                event = self.events.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"the expected event never came; events so far: {self.seen}") from None
            self.seen.append(event)
            if wanted(event):
                return event
            assert event["event"] != "gone", f"the watch ended: {self.seen}, {self.read_stderr()}"

    def wait_for_inspection(self, session: str) -> Event:
        """Wait until the watch has inspected a session."""
        return self.until(lambda event: event["event"] == "looked" and event["session"] == session)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End the watch with a signal, and return its exit code."""
        assert self.process is not None
        process, self.process = self.process, None
        process.send_signal(number)
        code = process.wait(PATIENCE)
        for reader in self._readers:
            reader.join()
        self.errors = process.stderr.read() if process.stderr else ""
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        return code

    def read_stderr(self) -> str:
        """The watch's stderr, after it has ended."""
        return "" if self.process is None or self.process.stderr is None else self.process.stderr.read()

    # -- results -----------------------------------------------------------------------------------------------------

    def pending(self) -> list[Candidate]:
        with Ledger.open(self.state) as ledger:
            return ledger.list_pending(resolve_project(project_folder=str(self.project)))

    def counts(self) -> dict[str, int]:
        with Ledger.open(self.state) as ledger:
            return Counter(receipt.event for receipt in ledger.list_receipts())

    def is_finished(self, session: str) -> bool:
        with Ledger.open(self.state) as ledger:
            known = ledger.find_session(session)
        return known is not None and known.finished_at is not None

    def eventually(self, true: Callable[[], bool]) -> None:
        """Wait until a condition on the state folder is true."""
        until = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < until, self.seen
            time.sleep(0.05)

    # -- sessions ----------------------------------------------------------------------------------------------------

    def find_log_path(self, host: str, session: str) -> Path:
        """The path at which the host stores this session's log."""
        if host == "claude-code":
            return self.home / ".claude" / "projects" / "project" / f"{session}.jsonl"
        if host == "codex":
            return (
                self.home
                / ".codex"
                / "sessions"
                / "2026"
                / "06"
                / "18"
                / f"rollout-2026-06-18T02-00-00-{session}.jsonl"
            )
        if host == "gemini":
            return (
                self.home / ".gemini" / "tmp" / "project" / "chats" / f"session-2026-06-18T02-00-{session[-8:]}.jsonl"
            )
        if host == "antigravity":
            brain = self.home / ".gemini" / "antigravity-cli" / "brain"
            return brain / session / ".system_generated" / "logs" / "transcript_full.jsonl"
        return self.home / ".local" / "share" / "opencode" / "opencode.db"

    def render_story(self, host: str, session: str, story: Story = LESSON) -> str:
        """A story in this host's log format, as a session of this machine's project."""
        writers = {
            "claude-code": as_claude_code,
            "codex": as_codex,
            "gemini": as_gemini,
            "antigravity": as_antigravity,
            "opencode": as_opencode,
        }
        text = writers[host].render_log(story)[0].replace("/home/dev/project", str(self.project))
        ids = ("00000000-0000-4000-8000-00000000f001", "00000000-0000-7000-8000-00000000f001", "ses_f001")
        for name in ids:
            text = text.replace(name, session)
        return text

    def write(self, host: str, session: str, story: Story = LESSON) -> Path:
        """Write a whole session to the place where its host stores it."""
        path = self.find_log_path(host, session)
        path.parent.mkdir(parents=True, exist_ok=True)
        if host == "opencode":
            self._into_database(path, session, json.loads(self.render_story(host, session, story)))
            return path
        if host == "gemini":
            (path.parent.parent / ".project_root").write_text(str(self.project))
        path.write_text(self.render_story(host, session, story))
        return path

    def append(self, path: Path, text: str) -> None:
        with path.open("a") as file:
            file.write(text)

    def _into_database(self, path: Path, session: str, export: Any) -> None:
        now = time.time_ns() // 1_000_000
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode = wal")
            script = (ROOT / "fixtures" / "opencode" / "database-1.18.sql").read_text()
            for statement in script.splitlines():
                if statement.startswith("CREATE TABLE"):
                    database.execute(statement.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"))
            info = export["info"]
            database.execute(
                "INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)"
                " VALUES (?, 'global', 'story', ?, 'story', '1.18.33', ?, ?)",
                (session, info["directory"], now, now),
            )
            for number, message in enumerate(export["messages"]):
                id_ = f"msg_{session}_{number:04}"
                data = json.dumps({**message["info"], "id": id_})
                database.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (id_, session, now, now, data))
                for index, part in enumerate(message["parts"]):
                    row = (f"prt_{session}_{number:04}_{index:04}", id_, session, now, now, json.dumps(part))
                    database.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
            database.commit()


def limit_command(setting: str, value: int) -> list[str]:
    """The words before a command that run it with another system limit, in its own user namespace."""
    return ["unshare", "-Ur", "sh", "-c", f'echo {value} >/proc/sys/user/{setting} && exec "$@"', "sh"]


def can_limit() -> bool:
    """Whether this machine supports such user namespaces."""
    if shutil.which("unshare") is None:
        return False
    line = [*limit_command("max_inotify_watches", 3), "true"]
    return subprocess.run(line, capture_output=True, check=False).returncode == 0
