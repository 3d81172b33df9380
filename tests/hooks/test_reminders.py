"""Open errors of a task come back where its session is resumed, and nowhere else."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.hooks import recover as recovering
from mind_skills.hooks import start as starting
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.reminders import PREFACE, WatchedErrorStorage, update_reminders
from mind_skills.hooks.retention import prune
from mind_skills.learning.storage import SCHEMA, ErrorAccumulator
from mind_skills.staging import start_files
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World


def record(world: World, message: str, session: str = "", task: str = "shop-12") -> str:
    project = resolve_project(str(world.project)).id
    with Database.open(world.home, SCHEMA) as database:
        errors = WatchedErrorStorage(database)
        entry = ErrorAccumulator(errors, project=project, session=session).record(
            task, "timeout", message, at=world.now
        )
    update_reminders(world.home, errors.touched)
    return entry.id


def resolve(world: World, error_id: str) -> None:
    with Database.open(world.home, SCHEMA) as database:
        errors = WatchedErrorStorage(database)
        assert errors.resolve(error_id)
    update_reminders(world.home, errors.touched)


def begins(world: World, session: str, source: str = "startup", host: str = "claude-code", pid: int = 0) -> str:
    """A start of a session, with all that a start does."""
    world.now += 1_000
    moment = world.moment(session, source)
    moment.host, moment.pid = host, pid
    told = starting.handle_session_start(world.home, moment) or ""
    recovering.register_start(world.home, moment)
    return told


def messages(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("- **")]


def test_a_session_that_is_resumed_is_told_what_is_open_of_its_task_once(world: World) -> None:
    begins(world, "A")
    record(world, "the build took too long", "A")
    assert begins(world, "B") == ""
    told = begins(world, "A", "resume")
    assert told.startswith(f"{PREFACE}\n\n## Previous Errors\n")
    assert messages(told) == ["- **the build took too long**"]
    assert "  - Context: shop-12\n" in told
    assert begins(world, "A", "resume") == ""


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "fork"])
def test_no_other_start_is_told(world: World, source: str) -> None:
    begins(world, "A")
    record(world, "it broke", "A")
    record(world, "it broke too")
    assert begins(world, "A", source) == ""
    assert begins(world, "C", source) == ""


def test_errors_of_another_session_stay_with_it_and_those_of_nobody_are_for_all(world: World) -> None:
    for session in "AB":
        begins(world, session)
    record(world, "of A", "A")
    record(world, "of nobody")
    record(world, "of one that no hook has told of", "connection 7")
    assert [messages(begins(world, session, "resume")) for session in "ABC"] == [
        ["- **of A**", "- **of nobody**", "- **of one that no hook has told of**"],
        ["- **of nobody**", "- **of one that no hook has told of**"],
        ["- **of nobody**", "- **of one that no hook has told of**"],
    ]


def test_what_was_resolved_is_told_no_more_and_leaves_nothing(world: World) -> None:
    begins(world, "A")
    first, second = record(world, "first", "A"), record(world, "second")
    resolve(world, first)
    assert messages(begins(world, "A", "resume")) == ["- **second**"]
    resolve(world, second)
    assert begins(world, "A", "resume") == ""
    assert list(Path(world.home, start_files.REMINDERS_FOLDER).iterdir()) == []


def test_what_is_new_is_told_at_the_next_resumption(world: World) -> None:
    begins(world, "A")
    record(world, "first", "A")
    begins(world, "A", "resume")
    record(world, "second", "A")
    assert messages(begins(world, "A", "resume")) == ["- **first**", "- **second**"]


def test_it_stands_behind_what_waits(world: World) -> None:
    world.tell("A starts\nA answers\nA ends\nB starts\nB learns x\nB ends")
    record(world, "it broke", "A")
    told = begins(world, "A", "resume")
    assert (world.names(told), told.count("## Previous Errors"), told.index(PREFACE) > told.index("</openception")) == (
        "x",
        1,
        True,
    )


def test_another_project_is_told_nothing(world: World, tmp_path: object) -> None:
    begins(world, "A")
    record(world, "it broke")
    other = world.project.parent / "other"
    (other / ".git").mkdir(parents=True)
    moment = Moment("claude-code", "Z", str(other), "", world.now, "resume")
    assert starting.handle_session_start(world.home, moment) is None


def test_a_host_that_calls_every_start_the_same_is_told_where_the_session_comes_back(world: World) -> None:
    """OpenCode keeps nothing of what it is told, so what is told stays the same as long as it runs."""
    assert begins(world, "A", host="opencode", pid=os.getpid()) == ""
    record(world, "it broke", "A")
    assert begins(world, "A", host="opencode", pid=os.getpid()) == ""  # the same process asks again
    assert begins(world, "B", host="opencode", pid=os.getpid()) == ""
    parent = os.getppid()
    assert messages(begins(world, "A", host="opencode", pid=parent)) == ["- **it broke**"]
    world.ends("A")
    assert messages(begins(world, "A", host="opencode", pid=parent)) == ["- **it broke**"]


def test_both_copies_of_a_hook_hold_back_the_same(world: World) -> None:
    """Gemini CLI takes the text with the first prompt; the last copy that asks decides what that is."""
    from mind_skills.hooks.session_state import defer_offer, take_deferred_offer

    begins(world, "A", host="gemini")
    record(world, "it broke", "A")
    moment = world.moment("A", "resume")
    moment.host = "gemini"
    for _ in range(2):
        defer_offer(world.home, moment, starting.handle_session_start(world.home, moment))
    assert messages(take_deferred_offer(world.home, moment) or "") == ["- **it broke**"]


def test_a_reminder_is_short_whatever_was_recorded(world: World) -> None:
    begins(world, "A")
    for number in range(30):
        record(world, f"{number} " + "é" * 500, "A")
    told = begins(world, "A", "resume")
    assert (len(told.encode()) < start_files.MAX_REMINDER_BYTES, told.endswith("patterns across error types?\n")) == (
        True,
        True,
    )
    assert len(messages(told)) <= 5


def test_a_session_is_reminded_in_its_project_wherever_its_agent_stood(world: World) -> None:
    begins(world, "A")
    with Database.open(world.home, SCHEMA) as database:
        errors = WatchedErrorStorage(database)
        elsewhere = ErrorAccumulator(errors, project="elsewhere", session="A")
        entry = elsewhere.record("t", "timeout", "it broke", at=world.now)
    update_reminders(world.home, errors.touched)
    assert messages(begins(world, "A", "resume")) == ["- **it broke**"]
    resolve(world, entry.id)
    assert list(Path(world.home, start_files.REMINDERS_FOLDER).iterdir()) == []


def test_what_is_forgotten_is_not_reminded_of(world: World) -> None:
    begins(world, "A")
    record(world, "long ago", "A")
    world.now += 1_000
    record(world, "lately", "A")
    assert prune(world.home, world.now, dry_run=True)["task_errors"] == 1
    prune(world.home, world.now)
    assert messages(begins(world, "A", "resume")) == ["- **lately**"]
    prune(world.home, world.now + 10_000)
    assert list(Path(world.home, start_files.REMINDERS_FOLDER).iterdir()) == []


def test_errors_from_before_this_was_kept_belong_to_nobody(world: World) -> None:
    with Database.open(world.home, SCHEMA) as database:
        errors = WatchedErrorStorage(database)
        entry = ErrorAccumulator(errors).record("t", "timeout", "old", at=1)
        errors.store(replace(entry, id="x"))
    update_reminders(world.home, errors.touched)
    assert begins(world, "A", "resume") == ""
