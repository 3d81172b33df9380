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


def test_recording_the_same_outcome_again_changes_nothing(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ("task", "outcome", "record", "shop-12", "--success", "--strategy", "risk-based", "--json")
    first = mind_skills(*line).json
    monkeypatch.setattr(state, "read_clock", lambda: NOW + MINUTE)
    assert mind_skills(*line).json == first


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


def test_what_one_argument_shows_to_be_a_secret_is_hidden_in_the_others(
    mind_skills: Callable[..., Any], apart: Path
) -> None:
    secret = "q7Rm2Wz9" * 3
    printed = mind_skills("task", "errors", "record", f"Log in with password {secret}", f"KeyError: '{secret}'").out
    stored = b"".join(path.read_bytes() for path in (apart / "state").rglob("*") if path.is_file())
    assert (secret in printed, secret.encode() in stored, "KeyError: '[redacted:secret]'" in printed) == (
        False,
        False,
        True,
    )
