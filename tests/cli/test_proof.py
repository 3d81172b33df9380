"""`mind-skills proof`: what sessions in which an error recurs show of its skill."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mind_skills.plugin.cli import run
from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

SKILL = ".claude/skills/exact-decimals/SKILL.md"
HOUR = 3_600_000


@pytest.fixture(autouse=True)
def _learned(repository: Path, state: Path) -> None:
    """A project with a skill made from a candidate of the session that first met the error."""
    place = repository
    (place / SKILL).parent.mkdir(parents=True)
    (place / SKILL).write_text("---\nname: exact-decimals\ndescription: x\n---\nBody.\n", encoding="utf-8")
    found, where = analyse(DEMO), resolve_project(str(place))
    record_session(place, "learned", 0)
    with Ledger.open(state) as ledger:
        (id_,) = ledger.stage(where, "learned", "claude-code", found.candidates, 1).new
        ledger.accept(id_, str(place / SKILL), _at(1), where)


def _at(hours: int) -> int:
    """The time so many hours after the beginning of the demo's session."""
    return (analyse(DEMO).session.started or 0) + hours * HOUR


def record_session(place: Path, name: str, hours: int, *, solved: bool = True, line: int | None = None) -> None:
    """Record a session like the demo's, that many hours later; with `line`, it loaded the skill at that line of its log."""
    found, where, at = analyse(DEMO), resolve_project(str(place)), _at(hours)
    (met,) = found.errors
    met = replace(met, at=at, solved_line=met.solved_line if solved else 0)
    uses = [] if line is None else [SkillUseRecord("exact-decimals", str(place / SKILL), "tool", at, line=line)]
    with Ledger.open(place.parent / "state") as ledger:
        ledger.register_session(name, "claude-code", where, "", at)
        seen = ledger.find_session(name)
        assert seen is not None
        ledger.store_analysis(seen, uses, found.outcome, at, [met])
        ledger.finish_session(name, at)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code = run([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def count_solved(found: Any) -> tuple[int, int]:
    return found["n"], found["solved"]


def test_a_skill_with_few_sessions_has_not_enough_data(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_session(project, "a", 5, line=1)
    code, report = call(capsys, "proof")
    (skill,) = report["skills"]
    found = skill["comparison"]
    assert (
        code,
        skill["name"],
        count_solved(found["withSkill"]),
        count_solved(found["without"]),
        found["verdict"],
    ) == (
        0,
        "exact-decimals",
        (1, 1),
        (0, 0),
        "not_enough_data",
    )
    assert (found["difference"], found["withSkill"]["medianSteps"], found["withSkill"]["medianMs"]) == (
        None,
        7,
        118_000,
    )


def test_sessions_with_the_skill_are_compared_to_those_without(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(6):
        record_session(project, f"with{number}", 5 + number, line=1)
        record_session(project, f"without{number}", 5 + number, solved=number == 0)
    record_session(project, "late", 20, line=10_000)
    _, report = call(capsys, "proof", "exact-decimals")
    found = report["overall"]
    assert (count_solved(found["withSkill"]), count_solved(found["without"]), found["verdict"], found["net"]) == (
        (6, 6),
        (7, 2),
        "better",
        1,
    )
    assert (round(found["difference"], 2), 0 < found["low"] < found["high"] <= 1) == (0.71, True)
    assert call(capsys, "status")[1]["proof"] == found
    assert run(["proof"]) == run(["status", "-v"]) == 0
    text = capsys.readouterr().out
    assert "+71 points" in text
    assert "recurring errors: 6 of 6" in text


def test_recurrences_before_the_skill_existed_are_counted_apart(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Ledger.open(project.parent / "state") as ledger:
        where = resolve_project(str(project))
        assert ledger.undo(_at(2), where) is not None
        (candidate,) = ledger.list_pending(where)
        ledger.accept(candidate.id, str(project / SKILL), _at(9), where)
    record_session(project, "before", 5, solved=False)
    record_session(project, "after", 10)
    (skill,) = call(capsys, "proof")[1]["skills"]
    assert (count_solved(skill["before"]), count_solved(skill["comparison"]["without"])) == ((1, 0), (1, 1))


def test_recurrences_of_an_error_without_a_skill_are_counted_apart(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Ledger.open(project.parent / "state") as ledger:
        ledger.undo(_at(2), resolve_project(str(project)))
    record_session(project, "again", 5)
    report = call(capsys, "proof")[1]
    assert (report["skills"], report["known"], count_solved(report["unskilled"])) == ([], 1, (1, 1))
    assert run(["proof"]) == 0
    assert "recurred in 1 session" in capsys.readouterr().out


def test_proof_of_an_unknown_skill_is_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, error = call(capsys, "proof", "none")
    assert (code, error["error"]["code"]) == (1, "unknown_skill")
    assert call(capsys, "status")[1]["proof"] is None
