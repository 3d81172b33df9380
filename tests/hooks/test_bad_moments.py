"""Bad moments in the life of a session, as stories: nothing that was observed is lost once conditions are normal."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mind_skills.errors import LogError, UnusableDatabaseError
from mind_skills.hooks.recover import recover_sessions
from mind_skills.staging.ledger import Ledger
from tests.hooks.lifecycle_world import World

DAY = 86_400_000


def test_a_log_that_lags_behind_the_end_is_read_to_its_end_at_the_next_start(world: World) -> None:
    world.tell("A starts\n A answers\n A ends\n A learns x")
    assert world.pending() == {}
    assert world.tell("B starts\n B answers\n B ends") == ["-"]
    assert world.pending() == {"x": False}
    reads = list(world.reads)
    assert world.tell("C starts") == ["x"]
    assert (world.reads, world.unfinished()) == (reads, ["C"])


def test_a_log_that_appears_only_after_the_end_is_read_at_the_next_start(world: World) -> None:
    world.tell("A starts\n A ends\n A learns x\n B starts")
    assert world.pending() == {"x": False}


def test_a_log_in_an_unknown_format_is_not_tried_again_at_later_starts(world: World) -> None:
    world.tell("A starts\n A answers")

    def unreadable(path: Path) -> object:
        raise LogError("unknown_format", "no", "")

    reports = [recover_sessions(world.home, world.now + DAY // 2 + n, analyse_log=unreadable) for n in range(3)]  # type: ignore[arg-type]
    assert [len(problems) for problems in reports] == [1, 0, 0]


def test_a_log_that_grew_a_day_after_the_end_is_read_only_if_its_session_resumes(world: World) -> None:
    world.tell("A starts\n A answers\n A ends\n next day A learns x\n B starts")
    assert world.pending() == {}
    world.tell("A starts, resume\n A ends")
    assert world.pending() == {"x": False}


def test_sessions_learn_and_receive_offers_after_the_clock_was_set_back(world: World) -> None:
    world.tell("A starts\n A learns x\n A ends")
    world.now -= 3_600_000
    assert world.tell("B starts\n B learns y\n B idles\n later B ends\n C starts\n C answers\n C ends") == ["x", "y"]
    assert (world.history(), world.unfinished()) == ({"x": "ignored", "y": "ignored"}, [])


def test_an_answer_that_the_clock_dates_before_the_offer_counts_if_the_session_has_a_past(world: World) -> None:
    story = "B starts\n B answers\n B idles\n B ends\n A learns x\n A ends\n later B starts, resume"
    assert world.tell(story) == ["-", "x"]
    world.now -= 3_600_000
    entry = {"type": "assistant", "uuid": "late", "sessionId": "B", "cwd": str(world.project)}
    entry["timestamp"] = datetime.fromtimestamp(world.now / 1000, UTC).isoformat()
    with world.log("B").open("a") as log:
        log.write(
            json.dumps({**entry, "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}})
            + "\n"
        )
    assert (world.tell("B idles\n B ends\n C starts"), world.history()) == (["-"], {"x": "ignored"})


def test_a_session_resumed_after_the_clock_was_set_back_loses_nothing(world: World) -> None:
    world.tell("A starts\n A learns x\n A ends")
    world.now -= 3_600_000
    world.tell("A starts, resume\n A learns y\n later A idles\n A ends\n B starts")
    assert world.pending() == {"x": True, "y": False}


@pytest.mark.parametrize("moment", ["idles", "ends"])
def test_a_session_is_learned_from_although_the_state_folder_was_deleted(world: World, moment: str) -> None:
    world.tell("A starts\n A learns x\n A idles\n A learns y")
    shutil.rmtree(world.home)
    world.tell(f"later A {moment}")
    assert world.pending() == {"x": False, "y": False}
    assert world.tell("B starts") == ["x y"]


def test_a_session_is_learned_from_although_the_database_was_deleted(world: World) -> None:
    world.tell("A starts\n A learns x\n A idles")
    for path in Path(world.home).glob("mind-skills.db*"):
        path.unlink()
    world.tell("later A ends")
    assert world.pending() == {"x": False}


def test_a_project_that_cannot_be_written_is_reported_and_its_sessions_receive_offers(world: World) -> None:
    (world.project / ".claude").write_text("a file in the place of the folder")
    world.tell("A starts\n A learns x\n A ends")
    with Ledger.open(world.home) as ledger:
        ledger.update_pending_file(next(seen.project for seen in ledger.list_finished_since(0)), world.now)
        assert ledger.problems != []
    assert world.tell("B starts") == ["x"]


@pytest.mark.parametrize("word", ["startup", "resume", "clear"])
def test_a_session_that_holds_an_offer_receives_nothing_new_however_it_continues(world: World, word: str) -> None:
    world.tell("A learns x\n A ends\n B starts\n B answers")
    world.tell(f"B starts, {word}\n B starts, compact\n B starts, fork")
    assert len(set(world.received["B"])) == 1
    assert world.tell("C starts") == ["-"]


def test_a_session_whose_project_folder_was_moved_is_finished(world: World) -> None:
    world.tell("A starts\n A learns x")
    world.project.rename(world.project.with_name("moved"))
    world.tell("A idles\n later A ends")
    assert world.unfinished() == []


def test_every_new_session_receives_what_was_learned_since_the_last_offer(world: World) -> None:
    story = "A starts\nA learns x\nA ends\nB starts\nB learns y\nB ends\nC starts\nC learns z\nC ends\nD starts"
    assert world.tell(story) == ["-", "x", "y", "z"]


def test_a_start_that_cannot_read_the_database_does_not_use_up_the_offer(world: World) -> None:
    world.tell("A learns x\nA ends")
    database = Path(world.home) / "mind-skills.db"
    away = database.rename(f"{database}.away")
    database.mkdir()
    with pytest.raises(UnusableDatabaseError):
        world.tell("B starts")
    database.rmdir()
    away.rename(database)
    assert world.tell("B starts") == ["x"]


def test_candidates_that_another_session_staged_after_an_offer_are_not_cleared_at_idle(world: World) -> None:
    world.tell(
        "A learns x\nA ends\nB starts\nB answers\nC starts\nC learns y\nC ends\nB idles\nlater B answers\nB idles"
    )
    assert world.pending() == {"x": True, "y": False}
    world.tell("B ends")
    assert (world.pending(), world.history()) == ({"y": False}, {"x": "ignored"})
