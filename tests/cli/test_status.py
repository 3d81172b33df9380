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
from mind_skills.store.project import resolve_project
from tests.report.month import BEGIN, DAY, NOW, Month
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
        r'not learned in this project on this machine, never offered: "x problem: run curl" "a b\" problem: long long'
    )
    assert (len(found[0]) < 220, len(found), found[-1]) == (
        True,
        21,
        "not learned in this project on this machine, never offered: 11 more",
    )


@pytest.fixture
def month(apart: Path, monkeypatch: pytest.MonkeyPatch) -> Month:
    """A month of use of two projects, whose last day is today."""
    made = Month(apart)
    made.fill()
    monkeypatch.setattr(states, "read_clock", lambda: NOW)
    return made


def test_the_number_of_noticed_learnings_is_the_sum_of_their_states(mind_skills: Run, month: Month) -> None:
    shop, site = (mind_skills("status", "--project", place.root).out.splitlines() for place in (month.shop, month.site))
    assert shop[1:5] == [
        f"6 learnings were noticed in this project; the newest was first seen on {format_day(14)}.",
        f"1 is waiting for the next session and 1 was offered on {format_day(13)} and never answered.",
        "3 became skills, and later sessions have used 1 of them.",
        "The others: 1 ignored when offered.",
    ]
    assert site[1:5] == [
        f"2 learnings were noticed in this project; the newest was first seen on {format_day(10)}.",
        "Nothing is pending.",
        "None has become a skill yet.",
        "The others: 1 dismissed and 1 ignored when offered.",
    ]
    counts = mind_skills("status", "--project", month.shop.root, "--json").json["counts"]
    parts = ("waiting", "unanswered", "accepted", "dismissed", "ignored", "covered", "shelved")
    assert (sum(counts[name] for name in parts), counts["staged"]) == (6, 6)
    details = mind_skills("status", "--verbose", "--project", month.shop.root).out.splitlines()
    assert [text for text in details if text.startswith(("noticed", "ever listed"))] == [
        "noticed\t6\tdistinct learnings in any of the states below",
        "ever listed\t6\tdistinct learnings that were ever on the list, including deleted ones",
    ]
    heading = details.index(
        "All projects, by host: count and last time (a sighting is a learning found in one session)"
    )
    assert details[heading + 1].startswith("host\tsessions\tsightings\tlisted\t")


def test_status_pending_show_and_doctor_count_the_same_candidates_as_waiting(mind_skills: Run, month: Month) -> None:
    option = ("--project", month.shop.root)
    document = mind_skills("status", *option, "--json").json
    waiting = [one["id"] for one in document["waiting"] if not one["offered"]]
    assert (document["counts"]["waiting"], document["counts"]["unanswered"], len(waiting)) == (1, 1, 1)
    assert mind_skills("status", *option, "--count").out == "1 learning to review\n"
    pending = mind_skills("pending", *option)
    assert [row.split("\t")[5] for row in pending.out.splitlines()] == ["state", "waiting", f"offered {format_day(13)}"]
    assert pending.err.startswith("1 is waiting for the next session, 1 was offered and not answered yet. ")
    assert "it is the only one that is waiting" in mind_skills("why", waiting[0], *option).out
    checks = mind_skills("doctor", *option, "--json").json["checks"]
    assert [each["text"].partition(": ")[2] for each in checks if each["name"] == "pending"] == [
        "1 waiting, 1 offered and not answered"
    ]
    lines = mind_skills("status", *option, "--verbose").out.splitlines()
    assert [text for text in lines if text.startswith(("waiting\t", "unanswered\t"))] == [
        "waiting\t1\ton the list, and not offered to a session yet",
        "unanswered\t1\toffered to a session that has not answered",
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
    assert mind_skills("pending").err.startswith("10 are waiting for the next session. ")
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


def test_skills_show_and_proof_say_what_their_numbers_count(mind_skills: Run, month: Month) -> None:
    option = ("--project", month.shop.root)
    assert [row.split("\t") for row in mind_skills("skills", *option).out.splitlines()][:2] == [
        ["skill", "state", "sessions", "helpful/harmful", "helpful share (95 % interval)"],
        ["trouble-0", "proven", "10", "9/1", "90% (58% to 98%)"],
    ]
    assert mind_skills("skills", *option).err == f"Skills that sessions in {month.shop.root} can load:\n"
    shown, more = (mind_skills("why", "trouble-0", *option, *words) for words in ([], ["--verbose"]))
    assert (shown.out.startswith("trouble-0  proven\n"), more.out == shown.out) == (True, True)
    assert more.err == "--verbose adds nothing here: everything is shown already.\n"
    assert (
        "helpful if the score is at least 0.7, harmful if it is at most 0.4; in between, it casts no vote." in shown.out
    )
    difference = (
        "`mind-skills skills` counts the outcomes of all sessions that loaded a skill; this compares only those in which"
        " its error recurred. So a skill can be proven there and lack data here."
    )
    assert difference in mind_skills("proof", *option).out.splitlines()


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


def test_commands_among_the_numbers_of_another_project_name_that_project(mind_skills: Run, month: Month) -> None:
    root = month.shop.root
    commands = re.findall("`(mind-skills .*?)`", mind_skills("status", "--project", root, "--verbose").out)
    assert commands == [f"mind-skills proof --project {root}"]


def format_day(number: int) -> str:
    """Format the day that is ``number`` days after the beginning of the month, in local time."""
    return format_time(BEGIN + number * DAY)[:10]


@pytest.mark.parametrize(("columns", "rows"), [("99", 2), ("110", 1)])
def test_a_title_is_printed_on_its_own_lines_unless_the_terminal_is_wide_enough(
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
