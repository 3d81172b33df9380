"""A clock that was a year ahead or behind is corrected: nothing dated by it waits for a year or is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.hooks.recover import recover_sessions
from mind_skills.hooks.session_state import UNANSWERED, list_markers
from mind_skills.learning import storage as votes
from mind_skills.learning.storage import SCHEMA
from mind_skills.memory.model import Record
from mind_skills.memory.records import SCHEMA as MEMORY
from mind_skills.memory.records import delete_expired
from mind_skills.memory.store import open_memory
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World

YEAR = 365 * 86_400_000
NOW = 1_800_000_000_000


def test_a_session_dated_in_the_future_is_finished_once_it_has_been_silent(world: World) -> None:
    world.now += YEAR
    world.tell("A starts\n A learns x\n A idles\n A learns y")
    world.now -= YEAR
    world.tell("B starts")
    assert sorted(world.unfinished()) == ["A", "B"]
    world.tell("next day C starts")
    assert (world.pending(), world.unfinished()) == ({"x": False, "y": False}, ["C"])


def test_an_offer_dated_in_the_future_is_made_again_if_its_session_never_registered(world: World) -> None:
    world.tell("A learns x\n A ends")
    with Ledger.open(world.home) as ledger:
        claim_offer(ledger.home, resolve_project(str(world.project)), "B", world.now + YEAR)
    recover_sessions(world.home, world.now, analyse_log=world.read)
    assert world.tell("next day C starts") == ["-"]  # its worker frees the offer only after its start
    assert world.tell("D starts") == ["x"]


def test_a_start_corrects_the_date_of_an_unanswered_offer_dated_in_the_future(world: World) -> None:
    world.tell("A learns x\n A ends\n B starts")
    (path,) = list_markers(world.home, UNANSWERED, resolve_project(str(world.project)).id)
    ahead = (world.now + 10 * YEAR) / 1000
    os.utime(path, (ahead, ahead))
    world.tell("C starts")
    assert Path(path).stat().st_mtime < ahead


def test_an_offer_answered_while_its_date_is_corrected_does_not_prevent_the_next_offer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tell("A learns x\n A ends\n B starts\n D learns y\n D ends")
    (path,) = list_markers(world.home, UNANSWERED, resolve_project(str(world.project)).id)
    ahead, date = (world.now + 10 * YEAR) / 1000, os.utime
    date(path, (ahead, ahead))

    def answered(path: str) -> None:
        Path(path).unlink()
        date(path)

    monkeypatch.setattr(os, "utime", answered)
    assert world.tell("C starts") == ["y"]


def test_a_session_that_resumes_after_an_end_dated_in_the_future_is_read_on(world: World) -> None:
    world.tell("A starts\n A learns x")
    world.now += YEAR
    world.tell("A ends")
    world.now -= YEAR
    world.tell("A starts, resume\n A learns y\n later A idles")
    assert (set(world.pending()), world.unfinished()) == ({"x", "y"}, ["A"])


def test_a_checkpoint_dated_in_the_future_does_not_prevent_the_next_one(world: World) -> None:
    world.tell("A starts")
    world.now += YEAR
    world.tell("A learns x\n A idles")
    world.now -= YEAR
    world.tell("A learns y\n later A idles")
    assert set(world.pending()) == {"x", "y"}


@pytest.mark.parametrize("by", [-YEAR, -500])
def test_an_answer_dated_before_its_offer_counts_as_an_answer(world: World, by: int) -> None:
    world.tell("A learns x\n A ends\n B learns y\n B idles\n later B starts, resume")
    world.now += by - 1_000
    world.tell("B answers\n B idles")
    world.now -= by - 1_000
    assert world.tell("B ends\n C starts") == ["y"]
    assert world.history() == {"x": "ignored"}


def test_a_new_episode_dated_in_the_past_by_a_wrong_clock_does_not_expire(tmp_path: Path) -> None:
    home = str(tmp_path)
    with open_memory(home) as store:
        for name, at in (("old", NOW - 2 * YEAR), ("new", NOW), ("behind", NOW - 2 * YEAR)):
            store.store(Record(f"episode-{name}", "episode", "Asked: x", at=at))
    with Database.open(home, MEMORY) as database, database.writing() as sql:
        assert delete_expired(sql, NOW - YEAR) == {"episodes": 1}


def test_a_new_vote_dated_in_the_past_by_a_wrong_clock_does_not_expire(tmp_path: Path) -> None:
    with Database.open(str(tmp_path), SCHEMA) as database, database.writing() as sql:
        for at in (NOW - 2 * YEAR, NOW, NOW - 2 * YEAR):
            sql.execute(
                "INSERT INTO maturity_feedback (pattern_id, type, at, weight, source) VALUES ('p', 'helpful', ?, 1, '')",
                (at,),
            )
        assert votes.delete_expired(sql, NOW - YEAR)["maturity_feedback"] == 1
        assert [at for (at,) in sql.execute("SELECT at FROM maturity_feedback ORDER BY n")] == [NOW, NOW - 2 * YEAR]
