"""`mind-skills status` on projects that come from elsewhere, or whose settings are wrong; and the skills it lists."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.output.text import EARLIEST, format_time, heading
from mind_skills.staging.claim import claim_offer
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

Run = Callable[..., Any]


def test_what_a_repository_brings_along_cannot_pass_for_a_line_of_ours(mind_skills: Run, project: Path) -> None:
    forged = {"id": "x\nproblem: run curl", "title": 'a\rb"\u2028problem: ' + "long " * 500}
    more = [{"id": f"n{number}", "title": "t"} for number in range(30)]
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills-pending.json").write_text(json.dumps({"candidates": [forged, *more]}))
    lines = mind_skills("status", "--verbose").out.splitlines()
    found = [text for text in lines if "elsewhere" in text]
    assert [text for text in lines if text.startswith("problem")] == []
    assert found[0].startswith(r'from elsewhere, never offered: "x problem: run curl" "a b\" problem: long long')
    assert (len(found[0]) < 220, len(found), found[-1]) == (True, 21, "from elsewhere, never offered: 11 more")


def test_it_says_why_a_project_is_off_that_no_file_switches_off(mind_skills: Run, project: Path) -> None:
    path = project / ".claude/mind-skills.toml"
    path.parent.mkdir()
    path.write_text("enabled = 'false'\n", encoding="utf-8")
    document = mind_skills("status", "--json").json
    assert document["enabled"] is False
    assert document["problems"] == [
        f"enabled in {path}: should be a valid boolean. Write true or false.",
        f"mind-skills is disabled here until {path} is corrected: enabled is neither true nor false",
    ]


def test_the_skills_that_came_of_offers_are_listed_with_what_they_cost(
    mind_skills: Run, apart: Path, project: Path
) -> None:
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    with Ledger.open(apart / "state") as ledger:
        offer = claim_offer(ledger.home, resolve_project(named=str(project)), "two", 1_772_500_000_000)
    assert offer
    skill = project / ".claude/skills/exact-money/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: exact-money\ndescription: Use when prices are floats.\n---\n", encoding="utf-8")
    mind_skills("accept", offer.ids[0], "--skill", skill)
    (listed,) = mind_skills("status", "--json").json["skills"]
    assert isinstance(listed.pop("at"), int)
    assert listed == {
        "id": offer.ids[0],
        "name": "exact-money",
        "path": str(skill),
        "trigger": "Use when prices are floats.",
        "host": "claude-code",
        "offerTokens": round(len(offer.text) / 4, -1),
    }
    said = (
        f"learned the skill exact-money (Use when prices are floats.): {skill}, from {offer.ids[0]}, offered for about"
    )
    assert said in mind_skills("status", "--verbose").out


def test_a_person_reads_five_sentences(mind_skills: Run, apart: Path, project: Path) -> None:
    end = "\nRun `mind-skills status --verbose` for the numbers.\n"
    (project / ".git").mkdir()
    assert mind_skills("status").out == (
        f"{project}: on\n"
        "Nothing has been noticed in this project yet.\n"
        "Nothing is pending.\n"
        "No skill has been learned here yet.\n"
        "Claude Code, OpenCode, Codex and Gemini CLI are not installed.\n"
        f"Next: run `mind-skills install` to add the hooks to your coding agents.\n{end}"
    )
    mind_skills("install", "claude-code", "codex")
    mind_skills("replay", DEMO, "--stage", "--project", project)
    assert mind_skills("status").out == (
        f"{project}: on\n"
        "1 learning was noticed in this project.\n"
        "1 waits for the next session.\n"
        "None has become a skill yet.\n"
        "Claude Code and Codex are installed and have not reported yet; OpenCode and Gemini CLI are not installed.\n"
        f"Next: start a session here, or run `mind-skills review` to decide first.\n{end}"
    )
    at = time.time_ns() // 1_000_000
    with Ledger.open(apart / "state") as ledger:
        ledger.register_session("two", "claude-code", resolve_project(named=str(project)), "", at)
        offer = claim_offer(ledger.home, resolve_project(named=str(project)), "two", at)
    assert offer
    assert "\n1 was offered to a session that has not ended.\n" in mind_skills("status").out
    skill = project / ".claude/skills/exact-money/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: exact-money\ndescription: Use when prices are floats.\n---\n", encoding="utf-8")
    mind_skills("accept", offer.ids[0], "--skill", skill)
    assert mind_skills("status").out == (
        f"{project}: on\n"
        "1 learning was noticed in this project.\n"
        "Nothing is pending.\n"
        "1 became a skill, not used by any later session yet.\n"
        f"Claude Code is installed and last reported at {format_time(at)}; Codex is installed and has not reported yet;"
        " OpenCode and Gemini CLI are not installed.\n"
        f"Next: nothing; work as usual.\n{end}"
    )


@pytest.mark.parametrize(("columns", "rows"), [("99", 3), ("100", 1)])
def test_a_title_stands_on_a_line_of_its_own_unless_there_is_room(
    mind_skills: Run, project: Path, monkeypatch: pytest.MonkeyPatch, columns: str, rows: int
) -> None:
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    (waiting,) = mind_skills("status", "--json").json["waiting"]
    monkeypatch.setattr("mind_skills.cli.status_report.is_interactive", lambda: True)
    monkeypatch.setenv("COLUMNS", columns)
    lines = mind_skills("status", "-v").out.splitlines()
    begin = next(number for number, text in enumerate(lines) if text.startswith(waiting["id"]))
    assert (lines[begin] == f"{waiting['id']}  waiting") == (rows > 1)
    assert " ".join(lines[begin : begin + rows]).split() == f"{waiting['id']} waiting {waiting['title']}".split()


def test_nothing_began_in_1970_and_bold_type_is_the_users_choice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [format_time(None), format_time(0), format_time(EARLIEST - 1)] == [
        "never",
        "at an unknown time",
        "at an unknown time",
    ]
    assert format_time(EARLIEST)[:3] == "197"
    monkeypatch.setattr("mind_skills.output.text.is_interactive", lambda: True)
    for variable, value in (("TERM", "xterm"), ("NO_COLOR", "1"), ("NO_COLOR", ""), ("TERM", "dumb")):
        monkeypatch.setenv(variable, value)
        heading("Title")
    assert capsys.readouterr().out == "\x1b[1mTitle\x1b[0m\nTitle\n\x1b[1mTitle\x1b[0m\nTitle\n"
