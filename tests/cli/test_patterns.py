"""`mind-skills patterns`: what it lists, and what a person may change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.credit import Credit
from mind_skills.learning.storage import SCHEMA
from mind_skills.output.state import read_clock
from mind_skills.plugin.cli import run
from mind_skills.staging import start_files
from mind_skills.staging.session_votes import update_advice
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project

FEATURE, LAYER = "Split by feature", "Split by layer (UI/logic/data)"


@pytest.fixture(autouse=True)
def _voted(repository: Path, state: Path) -> None:
    """Three sessions that failed with one strategy, five that went well with another."""
    at = read_clock()
    with Database.open(state, SCHEMA) as database:
        credit = Credit(database)
        place = resolve_project(str(repository)).id
        for name in "abc":
            credit.vote(place, name, [FEATURE], "harmful", at=at, now=at)
        for name in "defgh":
            credit.vote(place, name, [LAYER], "helpful", at=at, now=at)
        update_advice(str(state), place, credit)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code = run(["patterns", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def summarize(document: Any) -> list[tuple[str, str, str]]:
    return [(each["id"], each["state"], each["content"]) for each in document["patterns"]]


WARNING = "AVOID: Split by feature. Failed 3/3 times (100% failure rate)"


def test_warnings_are_listed_first_then_the_most_trusted_strategies(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, listed = call(capsys, "list")
    assert (code, summarize(listed)) == (
        0,
        [
            ("anti-split-by-feature", "deprecated", WARNING),
            ("split-by-layer-ui-logic-data", "proven", LAYER),
            ("split-by-feature", "deprecated", FEATURE),
        ],
    )
    warning, layer, feature = listed["patterns"]
    names = ("text", "multiplier", "helpful", "harmful", "decayedHarmful")
    assert warning["text"] == "[DEPRECATED - 100% harmful, avoid using]"
    assert [warning[name] for name in names] == [feature[name] for name in names]
    assert (layer["helpful"], layer["harmful"], layer["multiplier"], layer["text"]) == (
        5,
        0,
        1.5,
        "[PROVEN - 100% helpful from 5 observations]",
    )


@pytest.mark.parametrize("name", ["split-by-feature", "anti-split-by-feature"])
def test_a_reset_strategy_is_no_longer_warned_about(state: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    place = resolve_project(".").id
    assert WARNING in start_files.read_advice(str(state), place)
    assert summarize(call(capsys, "reset", name)[1]) == [("split-by-feature", "candidate", FEATURE)]
    assert "AVOID" not in start_files.read_advice(str(state), place)
    assert "PROVEN" in start_files.read_advice(str(state), place)


def test_a_deprecated_strategy_is_not_recommended(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "split-by-layer-ui-logic-data"
    assert summarize(call(capsys, "deprecate", name, "--reason", "we are one team")[1]) == [(name, "deprecated", LAYER)]
    assert "PROVEN" not in start_files.read_advice(str(state), resolve_project(".").id)


def test_an_unknown_pattern_is_an_error(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, error = call(capsys, "reset", "none")
    assert (code, error["error"]["code"]) == (1, "unknown_pattern")


def test_a_project_without_strategies_says_so(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["patterns", "list", "--project", str(tmp_path)]) == 0
    assert "No session" in capsys.readouterr().out


def test_deprecating_with_a_reason_of_control_characters_is_refused(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, error = call(capsys, "deprecate", "split-by-feature", "--reason", " \x1b ")
    assert (code, error["error"]["code"]) == (2, "usage")
