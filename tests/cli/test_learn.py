"""`mind-skills learn`: a checkpoint of the running session, on request."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import register_start
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

Run = Callable[..., Any]
AT = 1_700_000_000_000


@pytest.fixture(autouse=True)
def _nobodys_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)


@pytest.fixture
def log(apart: Path, project: Path) -> Path:
    """The log of a session that a hook has told of."""
    copy = apart / "running.jsonl"
    copy.write_bytes(DEMO.read_bytes())
    register_start(str(apart / "state"), Moment("claude-code", "running", str(project), str(copy), AT))
    return copy


def test_the_session_that_runs_is_looked_at_and_what_it_taught_waits_for_others(
    mind_skills: Run, log: Path, project: Path
) -> None:
    done = mind_skills("learn", "--json")
    assert (done.code, done.err) == (0, "")
    report = done.json
    (candidate,) = report["candidates"]
    assert (report["session"], report["host"], report["project"]) == ("running", "claude-code", str(project))
    assert (candidate["sessions"], candidate["injectedAt"]) == (["running"], None)
    assert mind_skills("pending", "--json").json["candidates"] == [candidate]
    assert mind_skills("learn", "--json").json == report


def test_the_session_goes_on(mind_skills: Run, apart: Path, log: Path) -> None:
    mind_skills("learn")
    with Ledger.open(apart / "state") as ledger:
        assert [seen.session_id for seen in ledger.list_unfinished()] == ["running"]


def test_for_people_it_is_a_table(mind_skills: Run, log: Path) -> None:
    done = mind_skills("learn")
    assert done.out.splitlines()[0] == "id\tconfidence\tkind\ttitle"
    assert done.err == "Run `mind-skills show ID` for the evidence.\n"


def test_the_one_that_its_host_names_comes_before_the_one_seen_last(
    mind_skills: Run, apart: Path, log: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    register_start(str(apart / "state"), Moment("claude-code", "later", str(project), "", AT + 1))
    assert mind_skills("learn", "--json").json["session"] == "later"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "running")
    assert mind_skills("learn", "--json").json["session"] == "running"
    assert mind_skills("learn", "--session", "later", "--json").json["session"] == "later"


def test_what_others_taught_is_not_shown(mind_skills: Run, apart: Path, log: Path, project: Path) -> None:
    mind_skills("learn")
    register_start(str(apart / "state"), Moment("claude-code", "later", str(project), "", AT + 1))
    done = mind_skills("learn", "--session", "later")
    assert done.out == "Nothing was noticed in this session yet.\n"


def test_without_a_session_there_is_nothing_and_that_is_no_error(mind_skills: Run, project: Path) -> None:
    done = mind_skills("learn")
    assert (done.code, done.out) == (0, f"No hook has reported a running session in {project}.\n")


def test_a_session_that_no_hook_told_of_is_an_error_that_says_where_to_look(
    mind_skills: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "nobody")
    done = mind_skills("learn")
    assert (done.code, "no hook has reported the session nobody" in done.err, "doctor" in done.err) == (1, True, True)


def test_a_log_that_cannot_be_read_is_an_error_with_its_name(mind_skills: Run, log: Path) -> None:
    log.write_text("not the log of any host\n")
    done = mind_skills("learn")
    assert (done.code, str(log) in done.err) == (1, True)


def test_the_project_is_known_by_its_folder(mind_skills: Run, log: Path, project: Path, apart: Path) -> None:
    other = apart / "elsewhere"
    other.mkdir()
    assert mind_skills("learn", "--project", other, "--json").json["session"] == ""
    assert resolve_project(named=str(project)).root == str(project)
