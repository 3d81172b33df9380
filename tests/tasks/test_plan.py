"""`mind-skills task plan` and `mind-skills task complete`: a plan recalls by meaning what earlier tasks taught, and marks warnings."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.start import find_command
from mind_skills.output import state
from mind_skills.tasks import memories
from mind_skills.tasks.caller import SESSION_VARIABLE
from mind_skills.tasks.mcp.tools import Connection, call

NOW = 1_800_000_000_000
MINUTE = 60_000
FAILED = ("--failed", "--errors", "4", "--retries", "2", "--summary", "We split by file type and it broke")


def say_nothing(task: str) -> str:
    """The text of a plan about which nothing is known."""
    return (
        "Nothing is known about this task yet.\n\nWhen the task is finished, record its outcome: run "
        f"`{find_command()} task complete {task} --summary TEXT` (if it failed, with --failed), or call the tool complete with"
        f" bead_id {task}."
    )


@pytest.fixture(autouse=True)
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SESSION_VARIABLE, raising=False)
    set_clock(monkeypatch, 0)


def set_clock(monkeypatch: pytest.MonkeyPatch, minutes: int) -> None:
    monkeypatch.setattr(state, "read_clock", lambda: NOW + minutes * MINUTE)


def test_a_plan_without_earlier_work_says_that_nothing_is_known(mind_skills: Callable[..., Any], project: Path) -> None:
    ran = mind_skills("task", "plan", "Add a discount to the cart", "--task-id", "shop-12", "--json")
    assert (ran.code, ran.json) == (
        0,
        {
            "version": 1,
            "project": str(project),
            "task": "Add a discount to the cart",
            "bead_id": "shop-12",
            "text": say_nothing("shop-12"),
            "memory_queried": True,
            "patterns_found": 0,
            "recalled": [],
            "patterns": [],
            "anti_patterns": [],
            "open_errors": 0,
        },
    )


def test_completing_a_task_stores_its_outcome_its_vote_and_its_summary(
    mind_skills: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    project: Path,
    session: Callable[[str], None],
) -> None:
    session("session-1")
    mind_skills("task", "plan", "Add a discount to the cart", "--task-id", "shop-12")
    mind_skills("task", "errors", "record", "shop-12", "price is not a number")
    set_clock(monkeypatch, 4)
    line = (
        "task",
        "complete",
        "shop-12",
        "--summary",
        "Split by feature; prices are Decimals",
        "--files-touched",
        "cart.py",
    )
    ran = mind_skills(*line, "--agent-name", "worker-1", "--json")
    outcome = {
        "task": "shop-12",
        "type": "helpful",
        "score": 0.92,
        "reasoning": "Fast completion (240s), 1 errors, 0 retries, succeeded",
        "success": True,
        "duration_ms": 4 * MINUTE,
        "error_count": 1,
        "retry_count": 0,
        "files_touched": ["cart.py"],
        "strategy": "",
        "strategies": ["Split by feature"],
        "failure_mode": None,
        "failure_details": "",
        "agent_name": "worker-1",
        "summary": "Split by feature; prices are Decimals",
        "said_by": "agent",
        "at": NOW + 4 * MINUTE,
    }
    pattern = {
        "id": "split-by-feature",
        "content": "Split by feature",
        "state": "candidate",
        "multiplier": 0.5,
        "helpful": 1,
        "harmful": 0,
        "text": "[LIMITED DATA - 1 observation]",
    }
    whole = {
        "version": 1,
        "project": str(project),
        "bead_id": "shop-12",
        "outcome": outcome,
        "voted": True,
        "kept": False,
        "patterns": [pattern],
        "inversions": [],
        "memory_stored": True,
        "open_errors": 0,
    }
    assert (ran.code, ran.json) == (0, whole)
    set_clock(monkeypatch, 30)
    assert mind_skills(*line, "--agent-name", "worker-1", "--json").json == whole
    assert list_records() == {
        ("learning", "Split by feature; prices are Decimals", "Add a discount to the cart"),
        (
            "pattern",
            "Split by feature",
            "Add a discount to the cart\nSplit by feature; prices are Decimals",
        ),
    }


def list_records() -> set[tuple[str, str, str]]:
    with memories.open_memory("") as memory:
        return {(each.kind, each.content, each.task) for each in memory.store.list_all()}


def test_a_plan_warns_against_a_strategy_that_failed_three_times(
    mind_skills: Callable[..., Any], session: Callable[[str], None]
) -> None:
    for number in range(3):
        session(f"session-{number}")
        last = mind_skills("task", "complete", f"shop-{number}", *FAILED, "--json").json
    warning = {
        "id": "anti-split-by-file-type",
        "pattern": "split-by-file-type",
        "content": "AVOID: Split by file type. Failed 3/3 times (100% failure rate)",
        "reason": "Failed 3/3 times (100% failure rate)",
    }
    assert (last["inversions"], last["patterns"][0]["state"]) == ([warning], "deprecated")
    planned = mind_skills("task", "plan", "Split the work by the type of its files", "--json").json
    assert (planned["anti_patterns"], planned["patterns"]) == ([warning], [])
    assert planned["text"].startswith("## Anti-Patterns to Avoid\n")
    assert planned["text"].count(warning["content"]) == 1
    kinds = {(each["kind"], each["is_negative"]) for each in planned["recalled"]}
    assert (("anti_pattern", True) in kinds, ("pattern", False) in kinds) == (True, False)


def test_a_plan_lists_a_proven_strategy_and_never_a_deprecated_one(
    mind_skills: Callable[..., Any], session: Callable[[str], None]
) -> None:
    for number in range(6):
        session(f"session-{number}")
        mind_skills("task", "complete", f"shop-{number}", "--summary", "One file per subtask")
    planned = mind_skills("task", "plan", "Rename a column", "--json").json
    assert [(each["id"], each["state"]) for each in planned["patterns"]] == [("one-file-per-subtask", "proven")]
    assert "- One file per subtask [PROVEN - 100% helpful from 6 observations]" in planned["text"]
    mind_skills("patterns", "deprecate", "one-file-per-subtask", "--reason", "we are one team")
    again = mind_skills("task", "plan", "One file per subtask", "--json").json
    assert (again["patterns"], "PROVEN" in again["text"]) == ([], False)
    assert "pattern" not in {each["kind"] for each in again["recalled"]}


def test_a_plan_lists_the_open_errors_of_its_own_task_only(mind_skills: Callable[..., Any]) -> None:
    mind_skills("task", "errors", "record", "shop-12", "price is not a number", "--type", "validation")
    planned = mind_skills("task", "plan", "Add a discount", "--task-id", "shop-12", "--json").json
    assert (planned["open_errors"], planned["text"].startswith("## Previous Errors\n")) == (1, True)
    other = mind_skills("task", "plan", "Add a discount", "--task-id", "shop-13", "--json").json
    assert (other["open_errors"], other["text"]) == (0, say_nothing("shop-13"))
    failed = mind_skills("task", "complete", "shop-12", "--failed", "--summary", "no luck", "--json").json
    assert (failed["open_errors"], failed["outcome"]["error_count"]) == (1, 1)
    assert mind_skills("task", "complete", "shop-12", "--summary", "it works now", "--json").json["open_errors"] == 0


def test_a_task_without_an_id_is_completed_by_its_text(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = mind_skills("task", "plan", "Add a discount", "--json").json
    set_clock(monkeypatch, 10)
    by_words = mind_skills("task", "complete", "add  a DISCOUNT", "--summary", "done so", "--json").json
    assert (planned["bead_id"][:5], by_words["outcome"]["duration_ms"]) == ("task-", 10 * MINUTE)
    assert list_records() == {("learning", "done so", "Add a discount")}


def test_errors_recorded_under_the_id_of_a_plan_are_counted_and_resolved_by_completing_its_text(
    mind_skills: Callable[..., Any],
) -> None:
    planned = mind_skills("task", "plan", "Add a discount", "--json").json
    mind_skills("task", "errors", "record", planned["bead_id"], "price is not a number")
    failed = mind_skills("task", "complete", "Add a discount", "--failed", "--summary", "no luck", "--json").json
    assert (failed["outcome"]["error_count"], failed["open_errors"]) == (1, 1)
    done = mind_skills("task", "complete", "Add a discount", "--summary", "it works now", "--json").json
    assert (done["outcome"]["error_count"], done["open_errors"]) == (1, 0)
    assert mind_skills("task", "plan", "Add a discount", "--json").json["open_errors"] == 0
    recorded = mind_skills("task", "outcome", "record", "Add a discount", "--success", "--json").json
    assert recorded["error_count"] == 1


def test_completing_a_task_under_an_id_of_its_own_counts_and_resolves_no_errors_of_the_open_plan(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SESSION_VARIABLE, "session-1")
    planned = mind_skills("task", "plan", "Fix the login page", "--json").json
    mind_skills("task", "errors", "record", planned["bead_id"], "the form is empty")
    for _ in range(2):  # the first links the task to the plan
        done = mind_skills("task", "complete", "other-99", "--summary", "Renamed a variable", "--json").json
        assert (done["outcome"]["error_count"], done["outcome"]["type"], done["open_errors"]) == (0, "helpful", 0)
    assert mind_skills("task", "plan", "Fix the login page", "--json").json["open_errors"] == 1


@pytest.mark.parametrize("text", [f"Add {'a discount and ' * 20}a test", "Call +49 30 901820 about the discount"])
def test_a_text_that_is_no_valid_id_completes_its_plan(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    planned = mind_skills("task", "plan", text, "--json").json
    set_clock(monkeypatch, 10)
    done = mind_skills("task", "complete", text, "--summary", "done so", "--json").json
    assert done["outcome"]["duration_ms"] == 10 * MINUTE
    assert list_records() == {("learning", "done so", planned["task"])}
    for name in (text, done["bead_id"]):
        (shown,) = mind_skills("task", "outcome", "show", name, "--json").json["outcomes"]
        assert shown == done["outcome"]


def test_a_record_is_recalled_although_many_tasks_with_one_summary_match_better(
    mind_skills: Callable[..., Any],
) -> None:
    for number in range(13):
        mind_skills("task", "complete", f"shop-{number}", "--summary", "The server holds the port")
    mind_skills("task", "complete", "shop-99", "--summary", "Another process used the same port as the server of shop")
    planned = mind_skills("task", "plan", "The server holds the port", "--json").json
    assert [each["content"] for each in planned["recalled"]] == [
        "The server holds the port",
        "Another process used the same port as the server of shop",
    ]
    recalled = call("recall", {"query": "The server holds the port", "limit": 2}, Connection("", "mcp-1")).document
    assert [each["id"] for each in recalled["results"]] == [each["id"] for each in planned["recalled"]]


def test_an_outcome_is_shown_by_the_id_as_it_was_typed(mind_skills: Callable[..., Any]) -> None:
    recorded = mind_skills("task", "outcome", "record", " shop  12", "--success", "--json").json
    shown = mind_skills("task", "outcome", "show", " shop  12", "--json")
    assert (shown.code, [each["task"] for each in shown.json["outcomes"]]) == (0, [recorded["task"]])


def test_each_attempt_at_a_task_lasts_from_its_own_plan(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    durations: list[int] = []
    for start, end in ((0, 5), (60, 80)):
        set_clock(monkeypatch, start)
        mind_skills("task", "plan", "Add a discount", "--task-id", "shop-12")
        for minutes in (end, end + 7):  # the second time, the outcome is only corrected
            set_clock(monkeypatch, minutes)
            ran = mind_skills("task", "complete", "shop-12", "--summary", f"at {minutes}", "--json")
            durations.append(ran.json["outcome"]["duration_ms"] // MINUTE)
    assert durations == [5, 5, 20, 20]


def test_a_session_completes_the_task_that_it_planned_last(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SESSION_VARIABLE, "session-1")
    mind_skills("task", "plan", "Add a discount")
    monkeypatch.setenv(SESSION_VARIABLE, "session-2")
    other = mind_skills("task", "complete", "shop-1", "--summary", "of another session", "--json").json
    monkeypatch.setenv(SESSION_VARIABLE, "session-1")
    set_clock(monkeypatch, 2)
    own = mind_skills("task", "complete", "shop-2", "--summary", "of this session", "--json").json
    next_one = mind_skills("task", "complete", "shop-3", "--summary", "unplanned", "--json").json
    assert [each["outcome"]["duration_ms"] for each in (other, own, next_one)] == [0, 2 * MINUTE, 0]


@pytest.mark.parametrize(("minutes", "expected"), [(0, 0), (719, 719), (721, 0)])
def test_a_task_planned_more_than_twelve_hours_ago_has_no_duration(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, minutes: int, expected: int
) -> None:
    mind_skills("task", "plan", "Add a discount", "--task-id", "shop-12")
    set_clock(monkeypatch, minutes)
    done = mind_skills("task", "complete", "shop-12", "--summary", "x", "--json").json
    assert done["outcome"]["duration_ms"] == expected * MINUTE


def test_a_task_that_is_planned_twice_began_at_the_first_plan(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def complete_at(minutes: int) -> int:
        set_clock(monkeypatch, minutes)
        found: int = mind_skills("task", "complete", "shop-12", "--summary", f"at {minutes}", "--json").json["outcome"][
            "duration_ms"
        ]
        return found // MINUTE

    for minutes in (0, 5):
        set_clock(monkeypatch, minutes)
        mind_skills("task", "plan", "Add a discount", "--task-id", "shop-12")
    assert complete_at(9) == 9
    assert complete_at(12) == 9, "a different report about the same work"
    set_clock(monkeypatch, 60)
    mind_skills("task", "plan", "Add a discount", "--task-id", "shop-12")
    assert complete_at(63) == 3, "the same task, done again"


def test_an_agent_cannot_complete_a_task_that_a_person_recorded_as_failed(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mind_skills("task", "outcome", "record", "shop-12", "--failed")
    mind_skills("task", "errors", "record", "shop-12", "it broke")
    monkeypatch.setenv(SESSION_VARIABLE, "session-1")
    done = mind_skills("task", "complete", "shop-12", "--summary", "It works. Split by feature.", "--json").json
    assert (done["kept"], done["outcome"]["success"], done["memory_stored"], done["open_errors"]) == (
        True,
        False,
        False,
        1,
    )
    assert list_records() == set()


def test_the_documented_fields_are_options_of_complete(
    mind_skills: Callable[..., Any], tmp_path: Path, apart: Path
) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    line = (
        "task",
        "complete",
        "shop-1",
        "--summary",
        "s",
        "--project-key",
        other,
        "--agent-name",
        "w",
        "--files-touched",
        "a.py",
    )
    done = mind_skills(*line, "--json").json
    assert (done["project"], done["outcome"]["agent_name"], done["outcome"]["files_touched"]) == (
        str(other),
        "w",
        ["a.py"],
    )


def test_complete_prints_the_outcome_the_strategy_and_the_warning(
    mind_skills: Callable[..., Any], session: Callable[[str], None]
) -> None:
    for number in range(3):
        session(f"session-{number}")
        output = mind_skills("task", "complete", f"shop-{number}", *FAILED).out
    assert output == (
        "shop-2: harmful (0.3). Slow completion (0s), 4 errors, 2 retries, failed\n"
        "Split by file type [DEPRECATED - 100% harmful, avoid using]\n"
        "AVOID: Split by file type. Failed 3/3 times (100% failure rate)\n"
        "Stored in the memory.\n"
    )


@pytest.mark.process
def test_a_paraphrase_finds_what_another_process_completed(
    apart: Path, project: Path, session: Callable[[str], None]
) -> None:
    def run_process(*arguments: str, by: str = "session-0") -> Any:
        program = "from mind_skills.plugin.cli import main; main()"
        environment = {"HOME": str(apart / "home"), "MIND_SKILLS_HOME": str(apart / "state"), "PATH": "/usr/bin:/bin"}
        environment |= {SESSION_VARIABLE: by}
        line = [sys.executable, "-c", program, *arguments, "--json"]
        done = subprocess.run(line, cwd=project, env=environment, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    run_process("task", "plan", "The service eats all the memory of the machine", "--task-id", "shop-1")
    run_process(
        "task", "complete", "shop-1", "--summary", "The cache grew without a limit; an LRU with a bound mended the leak"
    )
    for number in range(3):
        run_process("task", "plan", "Rewrite the checkout page", "--task-id", f"page-{number}")
        session(f"session-{number}")
        run_process("task", "complete", f"page-{number}", *FAILED, by=f"session-{number}")
    found = run_process("task", "plan", "our worker runs out of RAM and is killed")
    assert [each["content"] for each in found["recalled"]][:1] == [
        "The cache grew without a limit; an LRU with a bound mended the leak"
    ]
    page = run_process("task", "plan", "The page of the checkout needs a rewrite")
    (marked,) = [each for each in page["recalled"] if each["is_negative"]]
    assert marked["content"] == "AVOID: Split by file type. Failed 3/3 times (100% failure rate)"


def test_a_plan_is_not_padded_with_records_of_other_matters(mind_skills: Callable[..., Any]) -> None:
    for text in (
        "Decimal prices are rounded half up in the cart, because the bank does it",
        "The container has no tzdata, so set TZ in the image",
        "Rebase before you push, or the protected branch refuses the merge commit",
    ):
        mind_skills("memory", "add", text)
    planned = mind_skills("task", "plan", "Round the prices of the cart", "--json").json
    assert [each["content"][:14] for each in planned["recalled"]] == ["Decimal prices"]
