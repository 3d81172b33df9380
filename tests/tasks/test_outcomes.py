"""`mind-skills task outcome`: every documented field is an option and is stored, and each session has one vote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.output import state
from mind_skills.tasks.caller import SESSION_VARIABLE

NOW = 1_800_000_000_000
MINUTE = 60_000


@pytest.fixture(autouse=True)
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SESSION_VARIABLE, raising=False)
    monkeypatch.setattr(state, "read_clock", lambda: NOW)


def count_votes(mind_skills: Callable[..., Any]) -> dict[str, tuple[int, int]]:
    listed = mind_skills("patterns", "list", "--json").json["patterns"]
    return {each["id"]: (each["helpful"], each["harmful"]) for each in listed}


def test_every_documented_field_of_an_outcome_is_stored(mind_skills: Callable[..., Any]) -> None:
    ran = mind_skills(
        *("task", "outcome", "record", "shop-12", "--failed", "--duration-ms", "1900000", "--error-count", "4"),
        *(
            "--retry-count",
            "2",
            "--files-touched",
            "cart.py",
            "--files-touched",
            "price.py",
            "--files-touched",
            "cart.py",
        ),
        *("--strategy", "file-based", "--failure-mode", "timeout", "--failure-details", "the build took too long"),
        "--json",
    )
    outcome = {
        "task": "shop-12",
        "type": "harmful",
        "score": 0.14,
        "reasoning": "Slow completion (1900s), 4 errors, 2 retries, failed",
        "success": False,
        "duration_ms": 1_900_000,
        "error_count": 4,
        "retry_count": 2,
        "files_touched": ["cart.py", "price.py"],
        "strategy": "file-based",
        "strategies": ["Split by file type"],
        "failure_mode": "timeout",
        "failure_details": "the build took too long",
        "agent_name": "",
        "summary": "",
        "said_by": "user",
        "at": NOW,
    }
    assert (ran.code, ran.json) == (0, {**outcome, "version": 1, "voted": False, "kept": False})
    assert mind_skills("task", "outcome", "show", "shop-12", "--json").json["outcomes"] == [outcome]


def test_missing_fields_are_derived_from_recorded_errors_and_the_failure_details(
    mind_skills: Callable[..., Any],
) -> None:
    for message in ("one", "two"):
        mind_skills("task", "errors", "record", "shop-12", message)
    mind_skills("task", "errors", "resolve", "shop-12")
    ran = mind_skills(
        "task", "outcome", "record", "shop-12", "--failed", "--failure-details", "merge conflict in a.py", "--json"
    )
    found = ran.json
    assert (found["error_count"], found["failure_mode"], found["duration_ms"]) == (2, "conflict", 0)


def test_a_session_has_one_vote_and_its_last_outcome_counts(
    mind_skills: Callable[..., Any], session: Callable[[str], None]
) -> None:
    session("session-1")
    worked = ("task", "outcome", "record", "shop-12", "--success", "--strategy")
    for strategy in ("feature-based", "feature-based", "split by feature"):
        mind_skills(*worked, strategy)
    assert count_votes(mind_skills) == {"split-by-feature": (1, 0)}
    mind_skills(*worked, "research-based")
    assert count_votes(mind_skills) == {"split-by-feature": (0, 0), "research-first": (1, 0)}
    mind_skills(
        "task",
        "outcome",
        "record",
        "shop-12",
        "--failed",
        "--errors",
        "3",
        "--retries",
        "2",
        "--strategy",
        "research-based",
    )
    assert count_votes(mind_skills) == {"split-by-feature": (0, 0), "research-first": (0, 1)}


def test_recording_the_same_outcome_again_changes_nothing(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ("task", "outcome", "record", "shop-12", "--success", "--strategy", "risk-based", "--json")
    first = mind_skills(*line).json
    monkeypatch.setattr(state, "read_clock", lambda: NOW + MINUTE)
    assert mind_skills(*line).json == first


def test_an_agent_cannot_replace_the_outcome_that_a_person_recorded(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mind_skills(
        "task",
        "outcome",
        "record",
        "shop-12",
        "--failed",
        "--errors",
        "3",
        "--retries",
        "2",
        "--strategy",
        "risk-based",
    )
    monkeypatch.setenv(SESSION_VARIABLE, "session-1")
    answer = mind_skills("task", "outcome", "record", "shop-12", "--success", "--strategy", "risk-based", "--json").json
    assert (answer["success"], answer["said_by"], answer["kept"]) == (False, "user", True)
    other = mind_skills("task", "outcome", "record", "shop-13", "--success", "--json").json
    assert (other["said_by"], other["kept"]) == ("agent", False)
    monkeypatch.delenv(SESSION_VARIABLE)
    again = mind_skills("task", "outcome", "record", "shop-13", "--failed", "--json").json
    assert (again["success"], again["said_by"], again["kept"]) == (False, "user", False)
    assert count_votes(mind_skills) == {}


def test_secrets_are_removed_and_long_texts_are_cut(mind_skills: Callable[..., Any], apart: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    long = f"the token {secret} " + "x" * 100_000
    answer = mind_skills(
        *("task", "outcome", "record", f"task {secret}", "--failed", "--failure-details", long, "--strategy", long),
        *("--files-touched", f"/srv/{secret}/a.py", "--json"),
    ).json
    stored = b"".join(path.read_bytes() for path in (apart / "state").rglob("*") if path.is_file())
    assert (secret in str(answer), secret.encode() in stored) == (False, False)
    assert (len(answer["failure_details"]) <= 2_000, len(answer["strategy"]) <= 2_000) == (True, True)


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("--success", "--failure-mode", "timeout"), 1, "invalid_arguments"),
        (("--success", "--failure-details", "no"), 1, "invalid_arguments"),
        (("--failed", "--failure-mode", "boredom"), 2, "usage"),
        (("--failed", "--retries", "-1"), 2, "usage"),
        (("--failed", "--errors", "9" * 30), 1, "invalid_arguments"),
        (("--failed", "--project", "/nowhere/at/all"), 1, "project_missing"),
        ((), 2, "usage"),
    ],
)
def test_wrong_input_is_an_error_with_a_code(
    mind_skills: Callable[..., Any], arguments: tuple[str, ...], code: int, error: str
) -> None:
    ran = mind_skills("task", "outcome", "record", "shop-12", *arguments, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (code, error)


@pytest.mark.parametrize("task", ["", "   ", "\x1b[31m"])
def test_a_task_without_a_name_is_refused(mind_skills: Callable[..., Any], task: str) -> None:
    ran = mind_skills("task", "outcome", "record", task, "--success", "--json")
    assert (ran.code, ran.json["error"]["message"]) == (1, "bead_id: it is empty")


def test_the_last_outcomes_are_listed_first(mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        monkeypatch.setattr(state, "read_clock", lambda: NOW + number)  # noqa: B023 -- used in this turn of the loop
        mind_skills("task", "outcome", "record", f"task {number}", "--success")
    listed = mind_skills("task", "outcome", "list", "--limit", "2", "--json").json["outcomes"]
    assert [each["task"] for each in listed] == ["task 2", "task 1"]
    assert mind_skills("task", "outcome", "list").out.splitlines()[1].startswith("task 2\thelpful (1.0)\t")


def test_showing_a_task_without_an_outcome_is_an_error(mind_skills: Callable[..., Any]) -> None:
    ran = mind_skills("task", "outcome", "show", "nothing", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "unknown_task")
    assert mind_skills("task", "outcome", "list").out.startswith("No task outcomes are recorded for ")
