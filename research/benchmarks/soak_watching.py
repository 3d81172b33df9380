"""The soak without hooks: four hosts write their logs in their own folders, and only a watch runs.

``SimulatedWatch`` simulates a day in minutes: the schedule of the watch process (schedule.py) and its worker's jobs
(worker.py) run in one process, with the time as an argument. ``run_watch`` starts the real watch, which reads the same sessions at
its own speed.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from mind_skills.watch.schedule import ENDED_SESSIONS, Schedule, Settings
from mind_skills.watch.watched_files import list_roots
from mind_skills.watch.worker import do_job
from tests.testkit.stories import as_claude_code, as_codex, as_gemini, as_opencode
from tests.testkit.stories.story_file import Story

HOSTS = {"claude-code": as_claude_code, "codex": as_codex, "gemini": as_gemini, "opencode": as_opencode}
SCHEMA = Path(__file__).resolve().parents[2] / "fixtures" / "opencode" / "database-1.18.sql"
IDS = ("00000000-0000-4000-8000-00000000f001", "00000000-0000-7000-8000-00000000f001", "ses_f001")
"""Session ids in the logs that the converters in tests/testkit/stories write."""
QUIET, LONGEST, SILENCE = 10.0, 60.0, 1800.0
MINUTE = 60_000
LOG_PATHS = {
    "claude-code": ".claude/projects/{project}/{session}.jsonl",
    "codex": ".codex/sessions/2026/06/18/rollout-2026-06-18T02-00-00-{session}.jsonl",
    "gemini": ".gemini/tmp/{project}/chats/session-2026-06-18T02-00-{session}.jsonl",
    "opencode": ".local/share/opencode/opencode.db",
}


class Hosts:
    """The logs of four hosts in their own home folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.database = home / LOG_PATHS["opencode"]
        self.database.parent.mkdir(parents=True)
        with closing(sqlite3.connect(self.database)) as sql, sql:
            sql.execute("PRAGMA journal_mode = wal")
            for line in SCHEMA.read_text("utf-8").splitlines():
                if line.startswith("CREATE TABLE"):
                    sql.execute(line)

    def write(self, host: str, number: int, project: Path, content: Story, at: int) -> None:
        """Write the log of a session as it is at that time (UTC ms)."""
        session = f"{number:08x}-0000-4000-8000-000000000000"
        text = HOSTS[host].render_log(content)[0].replace("/home/dev/project", str(project))
        for name in IDS:
            text = text.replace(name, session)
        if host == "opencode":
            self._write_to_database(session, json.loads(text), at)
            path = self.database
        else:
            path = self.home / LOG_PATHS[host].format(project=project.name, session=session)
            path.parent.mkdir(parents=True, exist_ok=True)
            if host == "gemini":
                (path.parent.parent / ".project_root").write_text(str(project), "utf-8")
            path.write_text(text, "utf-8")
        os.utime(path, (at / 1000, at / 1000))

    def _write_to_database(self, session: str, export: Any, at: int) -> None:
        with closing(sqlite3.connect(self.database)) as sql, sql:
            sql.execute(
                "INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES"
                " (?1, 'global', 'story', ?2, 'story', '1.18.33', ?3, ?3) ON CONFLICT DO UPDATE SET time_updated = ?3",
                (session, export["info"]["directory"], at),
            )
            for number, message in enumerate(export["messages"]):
                id_ = f"msg_{session}_{number:04}"
                data = json.dumps({**message["info"], "id": id_})
                sql.execute("INSERT OR IGNORE INTO message VALUES (?, ?, ?, ?, ?)", (id_, session, at, at, data))
                for index, part in enumerate(message["parts"]):
                    row = (f"prt_{session}_{number:04}_{index:04}", id_, session, at, at, json.dumps(part))
                    sql.execute("INSERT OR IGNORE INTO part VALUES (?, ?, ?, ?, ?, ?)", row)

    def clear(self) -> None:
        """Delete the logs."""
        for log_path in LOG_PATHS.values():
            for path in (self.home / log_path.split("/")[0]).rglob("*.jsonl"):
                path.unlink()
        with closing(sqlite3.connect(self.database)) as sql, sql:
            for table in ("part", "message", "session"):
                sql.execute(f"DELETE FROM {table}")


class SimulatedWatch:
    """A watch of these hosts, with a simulated clock."""

    def __init__(self, home: str) -> None:
        """``home`` is the state folder; the environment locates the hosts."""
        self.home = home
        self.problems: list[str] = []
        self.schedule = Schedule(home, Settings(QUIET, LONGEST, SILENCE), self._record_problem)
        self.schedule.roots = tuple(list_roots(home))

    def _record_problem(self, event: dict[str, Any]) -> None:
        if event["event"] == "problem":
            self.problems.append(event["message"])

    def run_until(self, at: int) -> None:
        """Run all jobs that are due at that time (UTC ms)."""
        now = at / 1000
        self.schedule.sweep_logs(self.schedule.roots, now - LONGEST, now)
        self.schedule.sweep_skills(now - LONGEST, now)
        while (due := self.schedule.queue.find_next_due_time()) is not None and due <= now:
            for job in self.schedule.take_jobs(now):
                request = {"home": self.home, "paced": True, "ended": int(SILENCE * 1000)}
                self.schedule.process_result(job, do_job(request, job, at), now)
        self.schedule.states.save()

    def run_until_over(self, at: int) -> None:
        """Run all jobs that are due at that time, and finish the sessions that are over."""
        self.schedule.queue.hasten(ENDED_SESSIONS, at / 1000, 0.0)
        self.run_until(at)


@contextmanager
def run_watch(home: Path, state: Path) -> Iterator[int]:
    """Run the real watch of a home with short intervals; yield its process id."""
    program = "from mind_skills.plugin.cli import main; main()"
    intervals = ("--quiet", "1", "--longest", "5", "--ended", "20")
    clean = {"HOME": str(home), "MIND_SKILLS_HOME": str(state), "PATH": os.environ.get("PATH", "")}
    line = [sys.executable, "-c", program, "watch", *intervals]
    with subprocess.Popen(line, env=clean, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.send_signal(signal.SIGTERM)


def read_resources(pid: int) -> dict[str, int]:
    """Return a process's resources: kB of memory, open files, threads, zombie children."""
    rows = dict(row.split(":", 1) for row in Path(f"/proc/{pid}/status").read_text("ascii").splitlines())
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    zombies = [child for child in children if _read_process_state(child) == "Z"]
    return {
        "memory_kb": int(rows["VmRSS"].split()[0]),
        "open_files": len(list(Path(f"/proc/{pid}/fd").iterdir())),
        "threads": int(rows["Threads"]),
        "zombies": len(zombies),
    }


def _read_process_state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
    except OSError:
        return ""


def wait_until_settled(state: Path, sessions: int, patience: float = 600.0) -> bool:
    """Wait until ``sessions`` sessions were seen and are over; return whether that happened within ``patience`` seconds."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        time.sleep(1.0)
        if not (state / "mind-skills.db").exists():
            continue
        with closing(sqlite3.connect(f"file:{state}/mind-skills.db?mode=ro", uri=True)) as sql:
            seen, over = sql.execute("SELECT count(*), count(finished_at) FROM sessions").fetchone()
        if seen >= sessions and seen == over:
            return True
    return False
