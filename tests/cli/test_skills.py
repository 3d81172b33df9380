"""`mind-skills skills`: the skills that can be loaded, and how the sessions that loaded them went."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.output.state import read_clock
from mind_skills.plugin.cli import run
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.project import Project, resolve_project

FINE = Outcome("helpful", 0.9, True, 60_000, 0, 0, "succeeded")
SKILL = ".claude/skills/exact-decimals/SKILL.md"


@pytest.fixture(autouse=True)
def _two_skills(repository: Path) -> None:
    for name in ("exact-decimals", "idle"):
        skill = repository / ".claude/skills" / name / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(f"---\nname: {name}\ndescription: Use when {name}.\n---\nBody.\n", encoding="utf-8")


def record_session(place: Path, name: str, outcome: OutcomeType, at: int) -> None:
    """Record a finished session that loaded the skill."""
    where = resolve_project(str(place))
    with Ledger.open(str(place.parent / "state")) as ledger:
        ledger.register_session(name, "claude-code", where, "", at)
        seen = ledger.find_session(name)
        assert seen is not None
        use = SkillUseRecord("exact-decimals", str(place / SKILL), "tool", at)
        ledger.store_analysis(seen, [use], replace(FINE, type=outcome, at=at), at)
        ledger.finish_session(name, at)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code = run(["skills", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_helpful_sessions_raise_a_skill_from_candidate_to_established_to_proven(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at, states = read_clock(), list[tuple[int, str, float]]()
    for number in range(6):
        record_session(project, f"s{number}", "helpful", at)
        (skill,) = [each for each in call(capsys, "list")[1]["skills"] if each["name"] == "exact-decimals"]
        states.append((skill["loads"], skill["state"], skill["multiplier"]))
    assert states == [
        (1, "candidate", 0.5),
        (2, "candidate", 0.5),
        (3, "established", 1.0),
        (4, "established", 1.0),
        (5, "proven", 1.5),
        (6, "proven", 1.5),
    ]


def test_the_list_shows_every_vote_and_also_skills_that_were_never_used(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = read_clock()
    for name, outcome in (("a", "helpful"), ("b", "harmful"), ("c", "unknown")):
        record_session(project, name, outcome, at)  # type: ignore[arg-type]
    code, report = call(capsys, "list")
    used, idle = report["skills"]
    assert (code, used["name"], used["helpful"], used["harmful"], used["confidence"]) == (
        0,
        "exact-decimals",
        1,
        1,
        0.5,
    )
    assert [(vote["session"], vote["outcome"], vote["counts"]) for vote in used["votes"]] == [
        ("a", "helpful", True),
        ("b", "harmful", True),
        ("c", "unknown", False),
    ]
    assert (used["low"], used["high"]) == (0.095, 0.905)
    assert (idle["name"], idle["loads"], idle["confidence"], idle["state"]) == ("idle", 0, None, "candidate")


def test_a_deleted_skill_is_listed_as_not_installed_with_its_sessions(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record_session(project, "a", "helpful", read_clock())
    (project / SKILL).unlink()
    (known,) = [each for each in call(capsys, "list")[1]["skills"] if each["name"] == "exact-decimals"]
    assert (known["installed"], known["loads"]) == (False, 1)


def test_the_list_and_show_print_a_table_of_skills_and_votes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_session(project, "a", "helpful", read_clock())
    assert run(["skills", "list"]) == run(["why", "exact-decimals"]) == 0
    text = capsys.readouterr().out
    assert "not used" in text
    assert "a\thelpful\t" in text


def test_a_skill_loaded_in_a_worktree_counts_as_the_projects_skill(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record_session(project, "a", "helpful", read_clock())
    where, tree = resolve_project(str(project)), tmp_path / "worktree"
    with Ledger.open(str(tmp_path / "state")) as ledger:
        ledger.register_session(
            "b", "claude-code", Project(str(tree), where.id, where.name, where.git_folder), "", read_clock()
        )
        seen = ledger.find_session("b")
        assert seen is not None
        ledger.store_analysis(
            seen,
            [SkillUseRecord("exact-decimals", str(tree / SKILL), "tool", read_clock())],
            replace(FINE, at=read_clock()),
            read_clock(),
        )
        ledger.finish_session("b", read_clock())
    _, report = call(capsys, "list")
    used, _ = report["skills"]
    assert (used["loads"], used["helpful"], used["path"]) == (2, 2, str(project / SKILL))


def test_a_skill_in_the_home_folder_is_separate_from_the_projects_skill_of_that_name(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_the_home = home / SKILL
    of_the_home.parent.mkdir(parents=True)
    of_the_home.write_bytes((project / SKILL).read_bytes())
    record_session(project, "a", "helpful", read_clock())
    alike = [each for each in call(capsys, "list")[1]["skills"] if each["name"] == "exact-decimals"]
    assert sorted((each["path"], each["loads"]) for each in alike) == sorted(
        [(str(of_the_home), 0), (str(project / SKILL), 1)]
    )
