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
