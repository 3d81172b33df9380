"""`mind-skills learn`: a checkpoint of the running session, on request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import HookCall
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

Run = Callable[..., Any]
AT = 1_700_000_000_000


@pytest.fixture(autouse=True)
def _no_agent_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)


@pytest.fixture
def log(apart: Path, project: Path) -> Path:
    """The log of a running session that a hook has registered."""
    copy = apart / "running.jsonl"
    copy.write_bytes(DEMO.read_bytes())
    register_start(str(apart / "state"), HookCall("claude-code", "running", str(project), str(copy), AT))
    return copy


def test_learn_stages_the_candidates_of_the_running_session(mind_skills: Run, log: Path, project: Path) -> None:
    done = mind_skills("learn", "--json")
    assert (done.code, done.err) == (0, "")
    report = done.json
    (candidate,) = report["candidates"]
    assert (report["session"], report["host"], report["project"]) == ("running", "claude-code", str(project))
    assert (candidate["sessions"], candidate["injectedAt"]) == (["running"], None)
    assert mind_skills("pending", "--json").json["candidates"] == [candidate]
    assert mind_skills("learn", "--json").json == report


def test_learn_leaves_the_session_unfinished(mind_skills: Run, apart: Path, log: Path) -> None:
    mind_skills("learn")
    with Ledger.open(apart / "state") as ledger:
        assert [seen.session_id for seen in ledger.list_unfinished()] == ["running"]


def test_learn_prints_a_table_of_candidates(mind_skills: Run, log: Path) -> None:
    done = mind_skills("learn")
    assert done.out.splitlines()[0] == "id\tconfidence\tkind\ttitle"
    assert done.err == "Run `mind-skills show ID` for what happened.\n"


def test_the_session_in_the_hosts_environment_takes_precedence_over_the_latest_one(
    mind_skills: Run, apart: Path, log: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register_start(str(apart / "state"), HookCall("claude-code", "later", str(project), "", AT + 1))
    assert mind_skills("learn", "--json").json["session"] == "later"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "running")
    assert mind_skills("learn", "--json").json["session"] == "running"
    assert mind_skills("learn", "--session", "later", "--json").json["session"] == "later"


def test_learn_does_not_show_candidates_of_other_sessions(
    mind_skills: Run, apart: Path, log: Path, project: Path
) -> None:
    mind_skills("learn")
    register_start(str(apart / "state"), HookCall("claude-code", "later", str(project), "", AT + 1))
    done = mind_skills("learn", "--session", "later")
    assert done.out == "Nothing was noticed in this session yet.\n"


def test_learn_without_a_running_session_is_not_an_error(mind_skills: Run, project: Path) -> None:
    done = mind_skills("learn")
    assert (done.code, done.out) == (0, f"No hook has reported a running session in {project}.\n")


def test_a_session_that_no_hook_reported_is_an_error_that_recommends_doctor(
    mind_skills: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "nobody")
    done = mind_skills("learn")
    assert (done.code, "no hook has reported the session nobody" in done.err, "doctor" in done.err) == (1, True, True)


def test_the_error_for_an_unreadable_log_names_the_log(mind_skills: Run, log: Path) -> None:
    log.write_text("not the log of any host\n")
    done = mind_skills("learn")
    assert (done.code, str(log) in done.err) == (1, True)


def test_learn_does_not_find_a_session_of_another_project(
    mind_skills: Run, log: Path, project: Path, apart: Path
) -> None:
    other = apart / "elsewhere"
    other.mkdir()
    assert mind_skills("learn", "--project", other, "--json").json["session"] == ""
    assert resolve_project(project_folder=str(project)).root == str(project)
