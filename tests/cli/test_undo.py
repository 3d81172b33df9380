"""`mind-skills undo`: the newest decision of a project, be it about a candidate or about a strategy, and `pin`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.credit import Credit
from mind_skills.learning.statistics import DAY_MS
from mind_skills.learning.storage import SCHEMA
from mind_skills.output.state import read_clock
from mind_skills.staging import start_files
from mind_skills.staging.offer import claim_offer
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

FEATURE, NAME = "Split by feature", "split-by-feature"
Run = Callable[..., Any]


@pytest.fixture
def staged(mind_skills: Run, project: Path) -> str:
    """The id of the only candidate of the bundled session, pending in the project."""
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    return str(candidate["id"])


def record_votes(apart: Path, outcome: str, *sessions: str, at: int = 1_700_000_000_000) -> None:
    with Database.open(apart / "state", SCHEMA) as database:
        for session in sessions:
            Credit(database).vote(
                resolve_project(str(apart / "project")).id,
                session,
                [FEATURE],
                outcome,  # type: ignore[arg-type]
                at=at,
                now=at,
            )


def undo(mind_skills: Run, *more: str) -> Any:
    done = mind_skills("undo", *more, "--json")
    assert (done.code, done.err) == (0, "")
    found = done.json
    return found["done"], found["subject"], found["what"], found["id"], found["state"], found["session"]


def test_undo_reverts_the_newest_decision_about_a_candidate_or_a_strategy(
    mind_skills: Run, staged: str, apart: Path
) -> None:
    record_votes(apart, "harmful", "a", "b", "c")
    mind_skills("dismiss", staged, "--reason", "no")
    mind_skills("patterns", "reset", NAME)
    mind_skills("patterns", "pin", NAME)
    assert undo(mind_skills) == ("undone", "pattern", "pinned", NAME, "candidate", "")
    assert undo(mind_skills) == ("undone", "pattern", "reset", NAME, "deprecated", "")
    assert "AVOID: Split by feature" in start_files.read_advice(
        str(apart / "state"), resolve_project(str(apart / "project")).id
    )
    assert undo(mind_skills) == ("undone", "candidate", "dismissed", staged, "pending", "")
    assert undo(mind_skills) == ("undone", "pattern", "vote", NAME, "candidate", "c")
    assert start_files.read_advice(str(apart / "state"), resolve_project(str(apart / "project")).id) == ""
    assert undo(mind_skills) == ("undone", "pattern", "vote", NAME, "candidate", "b")
    assert undo(mind_skills) == ("undone", "pattern", "vote", NAME, "gone", "a")
    assert mind_skills("patterns", "--json").json["patterns"] == []
    record_votes(apart, "helpful", "z", at=1_700_000_000_001)
    assert mind_skills("undo").out.startswith(f"Undone: {NAME} is removed.\n  {FEATURE}\n")
    assert mind_skills("undo", "--json").json["error"]["code"] == "nothing_to_undo"


def test_undo_reports_the_state_that_the_remaining_votes_support_today(mind_skills: Run, apart: Path) -> None:
    record_votes(apart, "helpful", *"abcde", at=read_clock() - 120 * DAY_MS)
    record_votes(apart, "harmful", "f", at=read_clock())
    assert undo(mind_skills, "--dry-run") == ("would_undo", "pattern", "vote", NAME, "established", "f")
    assert undo(mind_skills) == ("undone", "pattern", "vote", NAME, "established", "f")
    assert [each["state"] for each in mind_skills("patterns", "--json").json["patterns"]] == ["established"]


def test_a_dry_run_of_undo_reports_the_decision_and_changes_nothing(mind_skills: Run, staged: str, apart: Path) -> None:
    record_votes(apart, "helpful", "a")
    mind_skills("patterns", "deprecate", NAME, "--reason", "we are one team")
    first = mind_skills("patterns", "--json").json
    for _ in range(2):
        assert undo(mind_skills, "--dry-run") == ("would_undo", "pattern", "deprecated", NAME, "candidate", "")
    assert mind_skills("undo", "--dry-run").out.startswith(
        f"Would undo: {NAME} would be candidate again.\n  Split by feature\n  deprecated, "
    )
    assert mind_skills("patterns", "--json").json == first
    mind_skills("undo")
    mind_skills("dismiss", staged, "--reason", "no")
    assert undo(mind_skills, "--dry-run") == ("would_undo", "candidate", "dismissed", staged, "pending", "")
    assert mind_skills("why", staged, "--json").json["state"] == "dismissed"


def test_a_dry_run_of_undo_reports_the_state_that_undo_restores_while_an_offer_is_open(
    mind_skills: Run, staged: str, apart: Path, project: Path
) -> None:
    assert claim_offer(str(apart / "state"), resolve_project(project_folder=str(project)), "two", 1_772_500_000_000)
    mind_skills("dismiss", staged, "--reason", "no")
    assert undo(mind_skills, "--dry-run") == ("would_undo", "candidate", "dismissed", staged, "offered", "")
    assert undo(mind_skills) == ("undone", "candidate", "dismissed", staged, "offered", "")


def test_an_undone_vote_of_a_session_is_not_cast_again(mind_skills: Run, apart: Path, project: Path) -> None:
    (project / ".git").mkdir()
    record_votes(apart, "helpful", "a", "b")
    mind_skills("undo")
    record_votes(apart, "helpful", "b")
    record_votes(apart, "harmful", "b")
    (pattern,) = mind_skills("patterns", "--json").json["patterns"]
    assert (pattern["helpful"], pattern["harmful"]) == (1, 0)


def test_undo_in_another_project_changes_nothing_here(
    mind_skills: Run, apart: Path, staged: str, tmp_path: Path
) -> None:
    record_votes(apart, "helpful", "a")
    (tmp_path / "other").mkdir()
    done = mind_skills("undo", "--project", tmp_path / "other", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "nothing_to_undo")
    assert len(mind_skills("patterns", "--json").json["patterns"]) == 1


def test_a_strategy_is_shown_as_pinned_until_it_is_unpinned_and_undo_pins_it_again(
    mind_skills: Run, apart: Path, project: Path
) -> None:
    (project / ".git").mkdir()
    record_votes(apart, "helpful", "a")
    pinned = [
        mind_skills("patterns", "pin", NAME, *more, "--json").json["patterns"][0]["pinned"] for more in ([], ["--off"])
    ]
    assert pinned == [True, False]
    assert undo(mind_skills)[2:5] == ("unpinned", NAME, "candidate")
    assert mind_skills("patterns", "--json").json["patterns"][0]["pinned"] is True


@pytest.mark.parametrize("group", ["patterns", "skills"])
def test_patterns_and_skills_without_a_subcommand_print_their_list(mind_skills: Run, group: str) -> None:
    assert mind_skills(group, "--json").json == mind_skills(group, "list", "--json").json
    assert mind_skills(group).out == mind_skills(group, "list").out
    shown = mind_skills(group, "--help").out
    assert (shown.startswith(f"Usage: mind-skills {group} [OPTIONS] COMMAND"), "list" in shown) == (True, True)
    assert mind_skills(group, "lst").code == 2
