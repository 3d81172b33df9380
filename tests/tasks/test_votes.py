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
from mind_skills.learning.outcome import Outcome
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.statistics import DAY_MS
from mind_skills.learning.storage import SCHEMA
from mind_skills.output import state
from mind_skills.staging.ledger import Ledger
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


def store_log_outcome(apart: Path, project: Path, name: str, kind: OutcomeType) -> None:
    """Store the outcome that the log of a session shows, and its vote on the strategy."""
    place = resolve_project(folder=str(project))
    with Ledger.open(apart / "state") as ledger:
        seen = ledger.find_session(name)
        assert seen is not None
        ledger.store_analysis(seen, [], Outcome(kind, 0.5, None, 0, 0, 0, ""), NOW)
    with Database.open(apart / "state", SCHEMA) as database:
        Credit(database).vote(place.id, name, ["Split by feature"], kind, at=NOW, now=NOW)


def test_ten_completed_tasks_of_one_session_are_one_vote(mind_skills: Run, session: RegisterSession) -> None:
    session("A")
    answer = [mind_skills("task", "complete", f"task {number}", *WORKED, "--json").json for number in range(10)]
    assert [each["voted"] for each in answer] == [True] * 10
    assert read_votes(mind_skills) == (1, 0, "candidate")
    assert "PROVEN" not in mind_skills("task", "plan", "Split the work").out


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


def test_an_ended_session_or_one_of_another_project_has_no_vote(
    mind_skills: Run, apart: Path, session: RegisterSession
) -> None:
    session("A")
    there = apart / "there"
    (there / ".git").mkdir(parents=True)
    assert mind_skills("task", "complete", "t", *WORKED, "--project", str(there), "--json").json["voted"] is False
    with Ledger.open(apart / "state") as ledger:
        ledger.finish_session("A", NOW)
    assert mind_skills("task", "complete", "t", *WORKED, "--json").json["voted"] is False
    assert read_votes(mind_skills) is None


def test_the_vote_of_a_session_follows_its_last_completed_task(mind_skills: Run, session: RegisterSession) -> None:
    session("A")
    mind_skills("task", "complete", "one", *WORKED)
    mind_skills("task", "complete", "two", *BROKE)
    assert read_votes(mind_skills) == (0, 1, "candidate")
    mind_skills("task", "complete", "two", "--summary", "nothing of the kind")
    assert read_votes(mind_skills) == (1, 0, "candidate")
    mind_skills("task", "complete", "one", "--summary", "nothing of the kind")
    assert read_votes(mind_skills) == (0, 0, "candidate")


def test_a_task_completed_again_by_another_session_counts_as_the_vote_of_that_session(
    mind_skills: Run, session: RegisterSession
) -> None:
    session("A")
    mind_skills("task", "complete", "one", *WORKED)
    session("B")
    mind_skills("task", "complete", "one", *BROKE)
    assert read_votes(mind_skills) == (0, 1, "candidate")


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


def test_an_agents_outcome_does_not_vote_where_a_person_decided_another_task_of_the_session(
    mind_skills: Run, session: RegisterSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session("A")
    mind_skills("task", "complete", "one", *BROKE)
    monkeypatch.delenv(SESSION_VARIABLE)
    assert mind_skills("task", "complete", "one", *WORKED, "--json").json["voted"] is True
    session("A")
    assert mind_skills("task", "complete", "two", *BROKE, "--json").json["voted"] is False
    assert read_votes(mind_skills) == (1, 0, "candidate")


@pytest.mark.parametrize("log", ["helpful", "harmful"])
def test_a_person_can_overrule_the_outcome_of_a_log_and_an_agent_cannot(
    mind_skills: Run,
    apart: Path,
    project: Path,
    session: RegisterSession,
    monkeypatch: pytest.MonkeyPatch,
    log: OutcomeType,
) -> None:
    session("A")
    mind_skills("task", "complete", "one", *WORKED)
    store_log_outcome(apart, project, "A", log)
    logged = (1, 0, "candidate") if log == "helpful" else (0, 1, "candidate")
    answer = mind_skills("task", "complete", "two", *(BROKE if log == "helpful" else WORKED), "--json").json
    assert (answer["voted"], read_votes(mind_skills)) == (False, logged)
    monkeypatch.delenv(SESSION_VARIABLE)
    with Ledger.open(apart / "state") as ledger:
        ledger.finish_session("A", NOW)
    corrected = mind_skills("task", "complete", "two", *(BROKE if log == "helpful" else WORKED), "--json").json
    assert (corrected["voted"], corrected["outcome"]["said_by"]) == (True, "user")
    assert read_votes(mind_skills) == ((0, 1, "candidate") if log == "helpful" else (1, 0, "candidate"))


def test_only_a_person_can_restore_a_vote_that_a_person_undid(
    mind_skills: Run, session: RegisterSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    session("A")
    mind_skills("task", "complete", "one", *WORKED)
    assert "by session A" in mind_skills("undo").out
    assert mind_skills("task", "complete", "two", *WORKED, "--json").json["voted"] is False
    assert read_votes(mind_skills) is None
    monkeypatch.delenv(SESSION_VARIABLE)
    mind_skills("task", "complete", "one", *WORKED)
    assert read_votes(mind_skills) == (1, 0, "candidate")
