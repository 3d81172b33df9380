"""Votes on strategies by completed tasks: one for each registered session, and its log has precedence over its agent."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.credit import Credit
from mind_skills.learning.statistics import DAY_MS
from mind_skills.learning.storage import SCHEMA
from mind_skills.output import state
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from mind_skills.tasks.caller import SESSION_VARIABLE

NOW = 1_800_000_000_000
WORKED = ("--summary", "Split by feature")
BROKE = ("--failed", "--errors", "4", "--retries", "2", "--summary", "Split by feature")
Run = Callable[..., Any]
RegisterSession = Callable[[str], None]


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "read_clock", lambda: NOW)


def read_votes(mind_skills: Run, name: str = "split-by-feature") -> tuple[int, int, str] | None:
    listed = mind_skills("patterns", "list", "--json").json["patterns"]
    return next(((each["helpful"], each["harmful"], each["state"]) for each in listed if each["id"] == name), None)


@pytest.mark.parametrize("made_up", [True, False], ids=["unregistered sessions", "no session"])
def test_completed_tasks_without_a_registered_session_have_no_vote(
    mind_skills: Run, monkeypatch: pytest.MonkeyPatch, made_up: bool
) -> None:
    for number in range(10):
        if made_up:
            monkeypatch.setenv(SESSION_VARIABLE, f"session-{number}")
        answer = mind_skills("task", "complete", f"task {number}", *WORKED, "--json").json
        assert (answer["voted"], answer["memory_stored"], answer["outcome"]["type"]) == (False, True, "helpful")
    assert read_votes(mind_skills) is None
    assert mind_skills("task", "outcome", "list", "--json").json["outcomes"][0]["strategies"] == ["Split by feature"]


def test_a_process_without_a_session_has_no_vote(apart: Path, project: Path) -> None:
    program = "from mind_skills.plugin.cli import run\n" + "\n".join(
        f"run(['task', 'complete', 'task {number}', '--summary', 'Split by feature'])" for number in range(10)
    )
    environment = {"HOME": str(apart / "home"), "MIND_SKILLS_HOME": str(apart / "state"), "PATH": "/usr/bin:/bin"}
    for code in (program, "from mind_skills.plugin.cli import run; run(['patterns', '--json'])"):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=project, env=environment, capture_output=True, text=True, check=True
        )
    assert json.loads(done.stdout)["patterns"] == []


def test_recording_an_earlier_task_again_unchanged_does_not_change_the_vote(
    mind_skills: Run, session: RegisterSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session("A")
    voted: list[bool] = []
    for number, (task, words) in enumerate([("one", BROKE), ("two", WORKED), ("one", BROKE)]):
        monkeypatch.setattr(state, "read_clock", lambda at=NOW + number: at)
        voted.append(mind_skills("task", "complete", task, *words, "--json").json["voted"])
    assert (voted, read_votes(mind_skills)) == ([True, True, False], (1, 0, "candidate"))


def test_a_task_reported_again_shows_the_votes_of_today(
    mind_skills: Run, project: Path, apart: Path, session: RegisterSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session("A")
    mind_skills("task", "complete", "one", *WORKED)
    later = NOW + 9 * DAY_MS
    with Database.open(apart / "state", SCHEMA) as database:
        for name in "BCDE":
            Credit(database).vote(
                resolve_project(folder=str(project)).id, name, ["Split by feature"], "helpful", at=later, now=later
            )
    monkeypatch.setattr(state, "read_clock", lambda: later)
    (strategy,) = mind_skills("task", "complete", "one", *WORKED, "--json").json["patterns"]
    assert (strategy["helpful"], strategy["state"]) == (5, "established")
