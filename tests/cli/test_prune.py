"""`mind-skills prune`: what it reports, what it deletes, and whose settings it follows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.retention import DAY
from mind_skills.output.state import read_clock
from mind_skills.plugin.cli import run
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import get_settings_path
from mind_skills.store.project import resolve_project


@pytest.fixture(autouse=True)
def _sessions(repository: Path, state: Path) -> None:
    (repository / ".claude").mkdir()
    with Ledger.open(state) as ledger:
        for name, days in (("ancient", 400), ("old", 100), ("new", 1)):
            ledger.register_session(
                name, "claude-code", resolve_project(str(repository)), "", read_clock() - days * DAY
            )
            ledger.finish_session(name, read_clock() - days * DAY)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["prune", *arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    gone = {name: number for name, number in document["forgotten"].items() if number}
    return document["days"], document["dryRun"], gone


def test_sessions_older_than_a_year_are_deleted_but_not_by_a_dry_run(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "--dry-run") == (365, True, {"sessions": 1})
    assert call(capsys) == (365, False, {"sessions": 1})
    assert call(capsys) == (365, False, {})
    for age in ("90", "90d", "1w"):
        assert call(capsys, "--older-than", age, "--dry-run") == (90 if "90" in age else 7, True, {"sessions": 1})
    assert call(capsys, "--older-than", "90d") == (90, False, {"sessions": 1})


def test_the_retention_period_is_read_from_the_users_file_and_not_from_the_repository(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(".claude/mind-skills.toml").write_text("retention_days = 30\n")
    assert call(capsys, "--dry-run") == (365, True, {"sessions": 1})
    own = Path(get_settings_path())
    own.parent.mkdir(parents=True)
    own.write_text("retention_days = 60\n")
    assert call(capsys, "--dry-run") == (60, True, {"sessions": 2})


def test_prune_prints_what_it_deleted_and_the_size_of_the_database(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prune", "--dry-run"]) == 0
    assert "to delete" in capsys.readouterr().out
    assert run(["prune"]) == 0
    assert "Database size: " in capsys.readouterr().out
    assert run(["prune"]) == 0
    assert capsys.readouterr().out == "There is no data older than 365 days to delete.\n"
    run(["prune", "--older-than", "1"])
    capsys.readouterr()
    assert run(["prune", "--older-than", "1"]) == 0
    assert capsys.readouterr().out == "There is no data older than 1 day to delete.\n"


@pytest.mark.parametrize("age", ["99999999999999999999", "36501", "0", "-1", "30x", "2026-01-01", ""])
def test_what_is_no_period_is_wrong_usage(state: Path, capsys: pytest.CaptureFixture[str], age: str) -> None:
    assert run(["prune", "--older-than", age]) == 2
    assert "use a period of at most 36500 days, such as 90d or 12w" in capsys.readouterr().err
