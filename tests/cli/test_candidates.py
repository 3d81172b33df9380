"""The commands about candidates: pending, show, accept, dismiss, undo, status, and the options of replay that stage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.testkit.paths import DEMO

Run = Callable[..., Any]


@pytest.fixture
def staged(mind_skills: Run, project: Path) -> str:
    """The id of the only candidate of the bundled session, pending in the project."""
    (project / ".git").mkdir()
    done = mind_skills("replay", DEMO, "--stage", "--project", project)
    assert (done.code, done.err) == (0, f"{project}: 1 new, 0 seen before, 0 decided before; 1 on the list.\n")
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    return str(candidate["id"])


def test_a_name_that_is_not_valid_unicode_is_an_unknown_id(mind_skills: Run, staged: str) -> None:
    done = mind_skills("show", f"{staged}\udcff", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "unknown_id")


@pytest.mark.parametrize("reason", ["", " \n\t", "\x1b[31m"])
def test_dismissing_with_an_empty_reason_is_refused(mind_skills: Run, staged: str, reason: str) -> None:
    done = mind_skills("dismiss", staged, "--reason", reason, "--json")
    assert (done.code, done.json["error"]["message"]) == (
        2,
        "Invalid value for '--reason': give a short reason; it is stored for later reference",
    )
    assert mind_skills("why", staged, "--json").json["state"] == "pending"


def test_a_secret_in_a_reason_is_not_stored(mind_skills: Run, staged: str, apart: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    mind_skills("dismiss", staged, "--reason", f"uses {secret}")
    assert secret not in mind_skills("show", staged).out
    assert not any(secret.encode() in path.read_bytes() for path in (apart / "state").rglob("*") if path.is_file())


def test_status_without_a_home_folder_is_an_error(mind_skills: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MIND_SKILLS_HOME")
    monkeypatch.delenv("HOME")
    done = mind_skills("status", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "state_folder")


@pytest.mark.parametrize(("columns", "is_below"), [("99", True), ("250", False)])
def test_a_title_is_printed_below_its_row_unless_the_terminal_is_wide_enough(
    mind_skills: Run, staged: str, monkeypatch: pytest.MonkeyPatch, columns: str, is_below: bool
) -> None:
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    monkeypatch.setattr("mind_skills.output.text.is_interactive", lambda: True)
    monkeypatch.setenv("COLUMNS", columns)
    rows = mind_skills("pending").out.splitlines()
    row = next(number for number, text in enumerate(rows) if staged in text)
    below = " ".join(" ".join(rows[row + 1 :]).split())
    assert (candidate["title"] in below, candidate["title"] in rows[row]) == (is_below, not is_below)
    assert max(map(len, rows)) <= int(columns)


def test_the_sessions_of_a_candidate_are_printed_whole_on_a_narrow_terminal(
    mind_skills: Run, staged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = [each["sessionId"] for each in mind_skills("why", staged, "--json").json["seen"]]
    monkeypatch.setattr("mind_skills.output.text.is_interactive", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    shown = mind_skills("why", staged).out.partition("Noticed in\n")[2].splitlines()
    assert [row.split()[0] for row in shown[1:2]] == sessions
