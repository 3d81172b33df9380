"""A pending file that git tracks: it is not written, and `status` and `doctor` report it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import HookCall
from mind_skills.hooks.start import handle_session_start
from mind_skills.store.home import get_state_folder
from tests.testkit.paths import DEMO

Run = Callable[..., Any]
PENDING = ".claude/mind-skills-pending.json"


def git(folder: Path, *arguments: str) -> str:
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    line = ["git", *identity, *arguments]
    return subprocess.run(line, cwd=folder, env=environ, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tracked(project: Path) -> Path:
    """A repository that tracks a pending file."""
    git(project, "init", "-q")
    (project / ".claude").mkdir()
    (project / PENDING).write_text(json.dumps({"version": 1, "candidates": []}))
    git(project, "add", "-f", PENDING)
    git(project, "commit", "-qm", "first")
    return project


@pytest.fixture
def staged(mind_skills: Run, tracked: Path) -> str:
    """The id of the only candidate of the bundled session, pending in the project."""
    assert mind_skills("replay", DEMO, "--stage", "--project", tracked).code == 0
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    return str(candidate["id"])


def test_status_and_doctor_report_a_tracked_pending_file_and_how_to_untrack_it(
    tracked: Path, staged: str, mind_skills: Run
) -> None:
    text = f"{tracked / PENDING} is not written, and candidates are only stored in the state folder: git tracks it"
    mend = f"Run `git rm --cached {PENDING}` and commit, unless someone needs the file in the repository. It remains in older commits."
    status = mind_skills("status", "--json").json
    assert (status["pending"], status["problems"]) == (1, [f"{text}. {mend}"])
    assert read_pending_check(mind_skills) == ("note", text, mend)
    assert (git(tracked, "status", "--porcelain"), mind_skills("pending", "--json").json["candidates"][0]["id"]) == (
        "",
        staged,
    )
    git(tracked, "rm", "-q", "--cached", PENDING)
    git(tracked, "commit", "-qm", "without")
    assert mind_skills("status", "--json").json["problems"] == []
    assert json.loads((tracked / PENDING).read_text())["candidates"][0]["id"] == staged
    assert git(tracked, "status", "--porcelain") == ""


def read_pending_check(mind_skills: Run) -> tuple[str, str, str]:
    (check,) = [each for each in mind_skills("doctor", "--json").json["checks"] if each["name"] == "pending"]
    return check["state"], check["text"], check["mend"]


def test_doctor_no_longer_reports_a_problem_with_git_that_was_fixed_as_advised(project: Path, mind_skills: Run) -> None:
    git(project, "init", "-q")
    (project / ".gitignore").write_text("!**/mind-skills-pending.json\n")
    mind_skills("replay", DEMO, "--stage", "--project", project)
    state, text, mend = read_pending_check(mind_skills)
    assert (state, text.partition(": ")[2]) == ("note", "git does not ignore it because of line 1 of .gitignore")
    pattern = mend.split("`")[1]
    (project / ".gitignore").write_text(f"!**/mind-skills-pending.json\n{pattern}\n")
    missing = f"{project / PENDING} is missing; the database has 1 pending candidate"
    assert read_pending_check(mind_skills) == ("failed", missing, "Run `mind-skills pending` to update the file.")
    mind_skills("pending")
    assert read_pending_check(mind_skills)[0] == "ok"


def test_doctor_no_longer_reports_a_pending_file_that_git_no_longer_tracks(
    tracked: Path, staged: str, mind_skills: Run
) -> None:
    git(tracked, "rm", "-q", "--cached", PENDING)
    exclude = tracked / ".git/info/exclude"
    before = exclude.read_text() if exclude.exists() else ""
    text = f"{tracked / PENDING} and the database disagree about candidate {staged}"
    assert read_pending_check(mind_skills) == ("failed", text, "Run `mind-skills pending` to update the file.")
    assert (exclude.read_text() if exclude.exists() else "") == before
    mind_skills("pending")
    assert read_pending_check(mind_skills)[0] == "ok"


@pytest.mark.parametrize(("kind", "problem"), [("symbolic link", "is a symbolic link"), ("file", "is not a folder")])
def test_status_and_doctor_report_what_is_in_place_of_the_folder_until_it_is_replaced(
    project: Path, mind_skills: Run, kind: str, problem: str
) -> None:
    mind_skills("replay", DEMO, "--stage", "--project", project)
    folder = project / ".claude"
    folder.rename(project / "elsewhere")
    (project / "elsewhere" / "mind-skills-pending.json").unlink()
    if kind == "file":
        folder.touch()
    else:
        folder.symlink_to(project / "elsewhere")
    said = (
        f"the pending file was not updated ({folder} {problem}), and candidates are only stored in the state folder."
        " Replace it with a real folder."
    )
    assert mind_skills("status", "--json").json["problems"] == [said]
    mend = f"Replace the {kind} {folder} with a real folder, and run `mind-skills pending`."
    text = f"{project / PENDING} is missing; the database has 1 pending candidate"
    assert read_pending_check(mind_skills) == ("failed", text, mend)
    folder.unlink()
    folder.mkdir()
    mind_skills("pending")
    assert len(json.loads((project / PENDING).read_text())["candidates"]) == 1
    assert mind_skills("status", "--json").json["problems"] == []


def test_a_deleted_pending_file_is_written_again_by_pending_also_if_all_candidates_are_offered(
    project: Path, mind_skills: Run
) -> None:
    mind_skills("replay", DEMO, "--stage", "--project", project)
    handle_session_start(get_state_folder(), HookCall("claude-code", "next", str(project), "", 1, source="startup"))
    register_start(get_state_folder(), HookCall("claude-code", "next", str(project), "", 1, source="startup"))
    (project / PENDING).unlink()
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    (written,) = json.loads((project / PENDING).read_text())["candidates"]
    assert (written["id"], written["injectedAt"]) == (candidate["id"], 1)
