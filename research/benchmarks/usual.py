"""A machine after some time of regular use: every host installed, settings, learned skills, a watch.

research/benchmarks/startup.py measures commands on it, and a test checks what commands import there.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store import processes
from mind_skills.store.project import Project, resolve_project

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "fixtures/demo/session.jsonl"
WAITING = ROOT / "fixtures/gemini/chat-0.61.jsonl"
ACCEPTED = "sc_d22e96aa"
"""The id of the demo's candidate, which never changes."""
SKILL = ".claude/skills/exact-decimals/SKILL.md"
HOSTS = ("claude-code", "opencode", "codex", "gemini")
SESSIONS, LOGS, RECEIPTS = 12, 300, 40
"""Sessions with the demo's error, logs of other sessions on disk, and lines in the hooks' log."""
HOUR = 3_600_000


def prepare_machine(root: Path) -> dict[str, str]:
    """Create the machine in the empty folder ``root``; return the environment for commands.

    Commands run in ``root / "project"``.
    """
    project, home = root / "project", root / "home"
    (project / ".git").mkdir(parents=True)
    environment = {"HOME": str(home), "MIND_SKILLS_HOME": str(root / "state"), "PATH": os.environ.get("PATH", "")}
    for path, text in {
        home / ".config/mind-skills/mind-skills.toml": "idle_seconds = 30\n\n[learning]\nhalf_life_days = 60.0\n",
        project / ".claude/mind-skills.toml": "[caps]\nper_session = 4\n",
        project / SKILL: "---\nname: exact-decimals\ndescription: Use when prices are floats.\n---\nBody.\n",
        home / ".claude/settings.json": json.dumps({"model": "x", "permissions": {"allow": ["Bash(ls:*)"] * 20}}),
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    command = [str(Path(sys.executable).with_name("mind-skills")), "install"]
    for host in HOSTS:
        subprocess.run(
            [*command, host, "--yes", "--no-history"],
            env=environment,
            cwd=project,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    _write_logs(home)
    _stage_learnings(root / "state", project)
    _write_watch_state(root / "state")
    return environment


def _write_logs(home: Path) -> None:
    """Create empty Claude Code logs, and an OpenCode database with one session."""
    for number in range(LOGS):
        path = home / f".claude/projects/project-{number % 10}/{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE session (id, directory, parent_id, time_created, time_updated)")
        database.execute("INSERT INTO session VALUES ('ses_1', '/home/dev/project', NULL, 1, 2)")
        database.commit()


def _stage_learnings(state: Path, project: Path) -> None:
    """Stage a candidate that is accepted as a skill, sessions some of which load it, and a waiting candidate."""
    found, where = analyse(DEMO), resolve_project(str(project))
    begin = found.session.started or 0
    with Ledger.open(state) as ledger:
        ledger.stage(where, "learned", "claude-code", found.candidates, begin)
        offer = claim_offer(ledger.home, where, "offered", begin + HOUR)
        assert offer is not None
        ledger.apply_verdicts("offered", {offer.ids[0]: ("accepted", str(project / SKILL))}, begin + 2 * HOUR)
        for number in range(SESSIONS):
            _add_session(ledger, where, project, f"session-{number}", begin + (3 + number) * HOUR)
        more = analyse(WAITING)
        ledger.stage(where, "later", "claude-code", more.candidates, begin + 99 * HOUR)


def _add_session(ledger: Ledger, where: Project, project: Path, name: str, at: int) -> None:
    """Add a session with the demo's error. It has loaded the skill if its number ends with 0, 2 or 4."""
    found = analyse(DEMO)
    (error,) = found.errors
    uses = (
        [SkillUseRecord("exact-decimals", str(project / SKILL), "tool", at, line=1)]
        if name.endswith(("0", "2", "4"))
        else []
    )
    ledger.register_session(name, "claude-code", where, "", at)
    session = ledger.find_session(name)
    assert session is not None
    ledger.store_analysis(session, uses, found.outcome, at, [replace(error, at=at)])
    ledger.finish_session(name, at)


def _write_watch_state(state: Path) -> None:
    """Record this process as the running watch, and add errors to the hooks' log."""
    form = {
        "process": processes.describe_process(os.getpid()),
        "since": 1_772_500_000_000,
        "files": LOGS,
        "polling": False,
    }
    for path, text in {
        state / "watch/running": json.dumps(form),
        state / "log/hooks.log": "2026-03-02T09:16:00Z claude-code idle: OSError: no space left on device\n" * RECEIPTS,
    }.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
