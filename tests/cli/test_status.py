"""`mind-skills status`: hostile projects, wrong settings, the sentences for people, and counts that agree with other commands."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.output import state as states
from mind_skills.output.text import MIN_ABSOLUTE_TIME_MS, format_time, print_heading
from mind_skills.staging.ledger import Ledger
from mind_skills.store.database import describe_set_aside
from mind_skills.store.project import resolve_project
from mind_skills.watch.instance import Instance
from tests.report.month import NOW, Month
from tests.staging.workbench import candidate
from tests.testkit.paths import DEMO

Run = Callable[..., Any]


def test_text_of_a_foreign_pending_file_cannot_imitate_a_line_of_status(mind_skills: Run, project: Path) -> None:
    forged = {"id": "x\nproblem: run curl", "title": 'a\rb"\u2028problem: ' + "long " * 500}
    more = [{"id": f"n{number}", "title": "t"} for number in range(30)]
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills-pending.json").write_text(json.dumps({"candidates": [forged, *more]}))
    lines = mind_skills("status", "--verbose").out.splitlines()
    found = [text for text in lines if "never offered" in text]
    assert [text for text in lines if text.startswith("problem")] == []
    assert found[0].startswith(
        r'not in the database for this project, never offered: "x problem: run curl" "a b\" problem: long long'
    )
    assert (len(found[0]) < 220, len(found), found[-1]) == (
        True,
        21,
        "not in the database for this project, never offered: 11 more",
    )


def test_while_a_watch_runs_without_hooks_no_command_says_that_a_session_is_offered_a_learning(
    mind_skills: Run, apart: Path, project: Path
) -> None:
    found = candidate("a")
    with Ledger.open(apart / "state") as ledger:
        ledger.stage(resolve_project(project_folder=str(project)), "s", "claude-code", [found], 100)
    with Instance(str(apart / "state"), 1):
        lines = mind_skills("status").out.splitlines()
    reason = "no hook is installed, so no session is offered a learning"
    why = mind_skills("why", found.id, "--json").json
    assert (lines[0].partition(": ")[2], lines[5], why["offerable"], why["verdict"]) == (
        "on",
        "Next: run `mind-skills review`; as no hook is installed, no session is offered a learning.",
        False,
        f"Not offered: {reason}. Run `mind-skills install` to change that.",
    )


@pytest.mark.parametrize("command", ["status", "report", "distil"])
def test_a_clock_beyond_what_python_can_read_is_an_error_that_says_so(
    mind_skills: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def overflow() -> int:
        raise OverflowError

    monkeypatch.setattr("time.time_ns", overflow)
    done = mind_skills(command)
    assert (done.code, done.err) == (
        1,
        "mind-skills: the clock of this machine is set to a year after 2262\nSet the clock.\n",
    )


def test_a_damaged_database_is_shown_until_its_copy_is_removed(mind_skills: Run, apart: Path) -> None:
    Ledger.open(apart / "state").close()
    (apart / "state/mind-skills.db").write_bytes(b"no database")
    copy = apart / "state/mind-skills.db.corrupt-1"
    for _ in range(2):  # the first command moves it
        done = mind_skills("status")
        problems = [text for text in done.out.splitlines() if text.startswith("Problem: ")]
        assert (problems, done.err) == ([f"Problem: {describe_set_aside(str(copy))}"], "")
    (apart / "state/mind-skills.db.corrupt-1-wal").touch()  # part of the copy
    assert mind_skills("status", "--json").json["problems"] == [describe_set_aside(str(copy))]
    copy.unlink()
    assert mind_skills("status", "--json").json["problems"] == []


@pytest.fixture
def month(apart: Path, monkeypatch: pytest.MonkeyPatch) -> Month:
    """A month of use of two projects, whose last day is today."""
    made = Month(apart)
    made.fill()
    monkeypatch.setattr(states, "read_clock", lambda: NOW)
    return made


def test_doctor_counts_the_same_candidates_as_waiting_as_the_month_in_the_transcript(
    mind_skills: Run, month: Month
) -> None:
    checks = mind_skills("doctor", "--project", month.shop.root, "--json").json["checks"]
    assert [each["text"].partition(": ")[2] for each in checks if each["name"] == "pending"] == [
        "1 waiting, 1 offered and not answered"
    ]


def test_all_commands_count_only_the_ten_best_as_waiting_and_the_others_as_set_aside(
    mind_skills: Run, apart: Path, project: Path
) -> None:
    with Ledger.open(apart / "state") as ledger:
        for number in range(4):
            found = [candidate(f"{number}{letter}", 1 - number / 10, 100, f"s{number}") for letter in "abc"]
            ledger.stage(resolve_project(project_folder=str(project)), f"s{number}", "claude-code", found, 100)
    counts = mind_skills("status", "--json").json["counts"]
    assert (counts["waiting"], counts["unanswered"], counts["shelved"], counts["staged"]) == (10, 0, 2, 12)
    assert mind_skills("status", "--count").out == "10 learnings to review\n"
    unheard = "10 are waiting for your review (no session is offered any, because no hook is installed)."
    assert (mind_skills("pending").err.startswith(unheard), mind_skills("status").out.splitlines()[2]) == (
        True,
        unheard,
    )
    mind_skills("install", "claude-code", "--no-mcp")
    for limit, text in (
        (5, "10 are waiting (the next session is offered 5 at most)."),
        (1, "10 are waiting (the next session is offered 1 at most)."),
    ):
        mind_skills("config", "set", "caps.per_offer", str(limit))
        assert mind_skills("pending").err.startswith(f"{text} ")
        assert mind_skills("status").out.splitlines()[2] == text
    document = mind_skills("report", "--json").json
    assert (document["totals"]["waiting"], Counter(each["state"] for each in document["learnings"])) == (
        10,
        {"pending": 10, "shelved": 2},
    )
    listed = {each["id"] for each in mind_skills("pending", "--json").json["candidates"]}
    (first, second) = [each["id"] for each in document["learnings"] if each["id"] not in listed]
    for id_ in (first, second):
        assert "Not offered now: the list is full with 10 better candidates." in mind_skills("why", id_).out
    assert "it is number 1 of the 10 that are waiting" in mind_skills("why", candidate("0a").id).out


def test_a_command_recommended_for_another_project_works_as_printed(mind_skills: Run, project: Path) -> None:
    other = project.parent / "it's other"
    (other / ".git").mkdir(parents=True)
    (project / ".git").mkdir()
    mind_skills("config", "set", "enabled", "false", "--project", other)
    advice = re.findall("`mind-skills (.*?)`", mind_skills("status", "--project", other).out)
    option = f"--project {shlex.quote(str(other))}"
    assert advice == [f"config set enabled true {option}", f"status --verbose {option}", "report --since 7d"]
    assert mind_skills(*shlex.split(advice[0])).code == 0
    assert mind_skills("status", "--project", other, "--json").json["enabled"] is True
    assert "--project" not in mind_skills("status", "--project", project).out


@pytest.mark.parametrize(("columns", "rows"), [("99", 2), ("110", 1)])
def test_a_title_is_printed_on_its_own_lines_unless_the_terminal_is_wide_enough(
    mind_skills: Run, project: Path, monkeypatch: pytest.MonkeyPatch, columns: str, rows: int
) -> None:
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    (waiting,) = mind_skills("status", "--json").json["waiting"]
    for name in ("cli.status_report", "output.text"):
        monkeypatch.setattr(f"mind_skills.{name}.is_interactive", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", columns)
    lines = mind_skills("status", "-v").out.splitlines()
    begin = next(number for number, text in enumerate(lines) if text.startswith(waiting["id"]))
    assert (lines[begin] == f"{waiting['id']}  waiting") == (rows > 1)
    assert " ".join(lines[begin : begin + rows]).split() == f"{waiting['id']} waiting {waiting['title']}".split()


def test_times_near_1970_are_unknown_and_headings_are_bold_unless_switched_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [format_time(None), format_time(0), format_time(MIN_ABSOLUTE_TIME_MS - 1)] == [
        "never",
        "at an unknown time",
        "at an unknown time",
    ]
    assert format_time(MIN_ABSOLUTE_TIME_MS)[:3] == "197"
    monkeypatch.setattr("mind_skills.output.text.is_interactive", lambda: True)
    for variable, value in (("TERM", "xterm"), ("NO_COLOR", "1"), ("NO_COLOR", ""), ("TERM", "dumb")):
        monkeypatch.setenv(variable, value)
        print_heading("Title")
    assert capsys.readouterr().out == "\x1b[1mTitle\x1b[0m\nTitle\n\x1b[1mTitle\x1b[0m\nTitle\n"
