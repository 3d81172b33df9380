"""Retention prunes once a day, and never because a clock jumped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.hooks import retention
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.learning.credit import Credit
from mind_skills.learning.storage import SCHEMA
from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from mind_skills.staging import start_files
from mind_skills.staging.ledger import Ledger
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project

DAY = retention.DAY
NOW = 1_800_000_000_000
NONE = {
    "receipts": 0,
    "sightings": 0,
    "candidates": 0,
    "offers": 0,
    "skills_used": 0,
    "errors_met": 0,
    "reminders": 0,
    "outcomes": 0,
    "digests": 0,
    "sessions": 0,
    "maturity_feedback": 0,
    "feedback": 0,
    "task_errors": 0,
    "task_plans": 0,
    "task_outcomes": 0,
    "episodes": 0,
    "traces": 0,
}


@pytest.fixture
def aged(tmp_path: Path) -> str:
    """A state folder with a session, a vote and records of 400 days ago, and the same of yesterday."""
    place, root = str(tmp_path / "state"), tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    with Ledger.open(place) as ledger:
        for name, at in (("old", NOW - 400 * DAY), ("new", NOW - DAY)):
            ledger.register_session(name, "claude-code", resolve_project(str(root)), "", at)
            ledger.finish_session(name, at)
            SessionMarkers(place, name).forked.write("x")
            os.utime(SessionMarkers(place, name).forked.path, (at / 1000, at / 1000))
            start_files.set_flag(start_files.get_session_flag_path(place, name), is_set=True)
            os.utime(start_files.get_session_flag_path(place, name), (at / 1000, at / 1000))
    with Database.open(place, SCHEMA) as database:
        credit = Credit(database)
        for name, at in (("old", NOW - 400 * DAY), ("new", NOW - DAY)):
            credit.vote("p", name, ["Split by feature"], "helpful", at=at, now=at)
    with open_memory(place) as store:
        for name, at in (("old", NOW - 400 * DAY), ("new", NOW - DAY)):
            store.store(Record(f"episode-{name}", "episode", "Asked: x", at=at))
            store.store(Record(f"learning-{name}", "learning", "x", at=at))
    return place


def list_records(aged: str) -> list[str]:
    with open_memory(aged) as store:
        return [record.id for record in store.list_all()]


def list_known_sessions(aged: str) -> list[str]:
    with Ledger.open(aged) as ledger:
        return [name for name in ("old", "new") if ledger.find_session(name) is not None]


def test_an_old_session_is_pruned_with_its_vote_its_episode_and_its_markers(aged: str) -> None:
    expected = NONE | {"sessions": 1, "maturity_feedback": 1, "episodes": 1, "traces": 2}
    assert retention.prune(aged, NOW - 365 * DAY, dry_run=True) == expected
    assert list_known_sessions(aged) == ["old", "new"]
    assert retention.prune(aged, NOW - 365 * DAY) == expected
    assert list_known_sessions(aged) == ["new"]
    assert list_records(aged) == ["learning-old", "episode-new", "learning-new"]
    assert SessionMarkers(aged, "new").forked.read() == "x"
    assert [Path(start_files.get_session_flag_path(aged, name)).exists() for name in ("old", "new")] == [False, True]
    assert retention.prune(aged, NOW - 365 * DAY) == NONE


def test_markers_of_projects_that_never_start_again_are_deleted_too(aged: str) -> None:
    for name, at in (("old", NOW - 400 * DAY), ("new", NOW - DAY)):
        markers = SessionMarkers(aged, name, "0123456789abcdef")
        for marker in (markers.receipt, markers.unanswered, markers.ending):
            marker.write("x")
            os.utime(marker.path, (at / 1000, at / 1000))
    expected = NONE | {"sessions": 1, "maturity_feedback": 1, "episodes": 1, "traces": 5}
    assert retention.prune(aged, NOW - 365 * DAY, dry_run=True) == expected
    assert retention.prune(aged, NOW - 365 * DAY) == expected
    for name, is_there in (("old", False), ("new", True)):
        markers = SessionMarkers(aged, name, "0123456789abcdef")
        assert {marker.exists() for marker in (markers.receipt, markers.unanswered, markers.ending)} == {is_there}


def test_no_more_episodes_are_stored_than_the_setting_allows(aged: str) -> None:
    with open_memory(aged) as store:
        store.store_all(Record(f"episode-{n}", "episode", "Asked: x", at=NOW - n) for n in range(5))
    retention.prune_daily(aged, NOW - DAY, 3_000, 3)
    retention.prune_daily(aged, NOW, 3_000, 3)
    assert [each for each in list_records(aged) if "episode" in each] == ["episode-0", "episode-1", "episode-2"]


def test_daily_pruning_runs_once_a_day_and_not_on_the_first_day(aged: str) -> None:
    retention.prune_daily(aged, NOW - DAY, 365)
    retention.prune_daily(aged, NOW - 1, 365)
    assert list_known_sessions(aged) == ["old", "new"]
    retention.prune_daily(aged, NOW, 365)
    assert list_known_sessions(aged) == ["new"]


@pytest.mark.parametrize("jumped", [NOW + 4_000 * DAY, NOW - 4_000 * DAY])
def test_a_clock_jump_prunes_nothing_that_day(aged: str, jumped: int) -> None:
    retention.prune_daily(aged, NOW, 3_000)
    retention.prune_daily(aged, jumped, 3_000)
    retention.prune_daily(aged, NOW + 5, 3_000)
    assert list_known_sessions(aged) == ["old", "new"]


def test_compaction_after_pruning_shrinks_the_database_file(aged: str) -> None:
    path = Path(aged) / "mind-skills.db"
    with Ledger.open(aged) as ledger:
        for number in range(3_000):
            ledger.register_session(f"s{number}", "claude-code", resolve_project("/"), "", NOW - 400 * DAY)
            ledger.finish_session(f"s{number}", NOW - 400 * DAY)
    retention.compact(aged)
    full = path.stat().st_size
    retention.prune(aged, NOW - 365 * DAY)
    retention.compact(aged)
    assert path.stat().st_size < 0.6 * full  # an empty one has a page for each table and index
