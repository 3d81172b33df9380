"""Open errors of a task are shown again when its session is resumed, and nowhere else."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.hooks import recover as recovering
from mind_skills.hooks import start as starting
from mind_skills.hooks.open_errors import PREFACE, TrackingErrorStorage, update_open_errors
from mind_skills.hooks.retention import prune
from mind_skills.hooks.session_state import HookCall
from mind_skills.learning.storage import SCHEMA, ErrorAccumulator
from mind_skills.staging import start_files
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World


def record(world: World, message: str, session: str = "", task: str = "shop-12") -> str:
    project = resolve_project(str(world.project)).id
    with Database.open(world.home, SCHEMA) as database:
        errors = TrackingErrorStorage(database)
        entry = ErrorAccumulator(errors, project_id=project, session_id=session).record(
            task, "timeout", message, at=world.now
        )
    update_open_errors(world.home, errors.touched)
    return entry.id


def resolve(world: World, error_id: str) -> None:
    with Database.open(world.home, SCHEMA) as database:
        errors = TrackingErrorStorage(database)
        assert errors.resolve(error_id)
    update_open_errors(world.home, errors.touched)


def start_session(world: World, session: str, source: str = "startup", host: str = "claude-code", pid: int = 0) -> str:
    """Starts a session and registers it; returns the text of the hook."""
    world.now += 1_000
    call = world.make_call(session, source)
    call.host, call.pid = host, pid
    text = starting.handle_session_start(world.home, call) or ""
    recovering.register_start(world.home, call)
    return text


def messages(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("- **")]


def test_a_resumed_session_is_shown_once_the_open_errors_of_its_task(world: World) -> None:
    start_session(world, "A")
    record(world, "the build took too long", "A")
    assert start_session(world, "B") == ""
    text = start_session(world, "A", "resume")
    assert text.startswith(f"{PREFACE}\n\n## Previous Errors\n")
    assert messages(text) == ["- **the build took too long**"]
    assert "  - Context: shop-12\n" in text
    assert start_session(world, "A", "resume") == ""


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "fork"])
def test_a_start_other_than_a_resume_shows_none(world: World, source: str) -> None:
    start_session(world, "A")
    record(world, "it broke", "A")
    record(world, "it broke too")
    assert start_session(world, "A", source) == ""
    assert start_session(world, "C", source) == ""


def test_errors_of_a_session_are_shown_to_it_alone_and_errors_of_no_session_to_all(world: World) -> None:
    for session in "AB":
        start_session(world, session)
    record(world, "of A", "A")
    record(world, "of nobody")
    record(world, "of one that no hook has told of", "connection 7")
    assert [messages(start_session(world, session, "resume")) for session in "ABC"] == [
        ["- **of A**", "- **of nobody**", "- **of one that no hook has told of**"],
        ["- **of nobody**", "- **of one that no hook has told of**"],
        ["- **of nobody**", "- **of one that no hook has told of**"],
    ]


def test_a_resolved_error_is_not_shown_again_and_leaves_no_file(world: World) -> None:
    start_session(world, "A")
    first, second = record(world, "first", "A"), record(world, "second")
    resolve(world, first)
    assert messages(start_session(world, "A", "resume")) == ["- **second**"]
    resolve(world, second)
    assert start_session(world, "A", "resume") == ""
    assert list(Path(world.home, start_files.OPEN_ERRORS_FOLDER).iterdir()) == []


def test_a_new_error_is_shown_at_the_next_resume(world: World) -> None:
    start_session(world, "A")
    record(world, "first", "A")
    start_session(world, "A", "resume")
    record(world, "second", "A")
    assert messages(start_session(world, "A", "resume")) == ["- **first**", "- **second**"]


def test_the_open_errors_come_after_the_offer(world: World) -> None:
    world.tell("A starts\nA answers\nA ends\nB starts\nB learns x\nB ends")
    record(world, "it broke", "A")
    text = start_session(world, "A", "resume")
    assert (world.names(text), text.count("## Previous Errors"), text.index(PREFACE) > text.index("</openception")) == (
        "x",
        1,
        True,
    )


def test_a_session_of_another_project_is_not_shown_them(world: World, tmp_path: object) -> None:
    start_session(world, "A")
    record(world, "it broke")
    other = world.project.parent / "other"
    (other / ".git").mkdir(parents=True)
    call = HookCall("claude-code", "Z", str(other), "", world.now, "resume")
    assert starting.handle_session_start(world.home, call) is None


def test_an_opencode_session_is_shown_them_when_it_starts_in_another_process(world: World) -> None:
    """OpenCode calls every start the same and stores no text of hooks, so the text is the same as long as its process runs."""
    assert start_session(world, "A", host="opencode", pid=os.getpid()) == ""
    record(world, "it broke", "A")
    assert start_session(world, "A", host="opencode", pid=os.getpid()) == ""  # the same process asks again
    assert start_session(world, "B", host="opencode", pid=os.getpid()) == ""
    parent = os.getppid()
    assert messages(start_session(world, "A", host="opencode", pid=parent)) == ["- **it broke**"]
    world.ends("A")
    assert messages(start_session(world, "A", host="opencode", pid=parent)) == ["- **it broke**"]


def test_two_copies_of_a_hook_defer_the_same_text(world: World) -> None:
    """Gemini CLI takes the text with the first prompt; the copy that asks last decides what it is."""
    from mind_skills.hooks.session_state import defer_offer, take_deferred_offer

    start_session(world, "A", host="gemini")
    record(world, "it broke", "A")
    call = world.make_call("A", "resume")
    call.host = "gemini"
    for _ in range(2):
        defer_offer(world.home, call, starting.handle_session_start(world.home, call))
    assert messages(take_deferred_offer(world.home, call) or "") == ["- **it broke**"]


def test_the_text_has_a_bounded_length_whatever_was_recorded(world: World) -> None:
    start_session(world, "A")
    for number in range(30):
        record(world, f"{number} " + "é" * 500, "A")
    text = start_session(world, "A", "resume")
    assert (
        len(text.encode()) < start_files.MAX_OPEN_ERRORS_BYTES,
        text.endswith("patterns across error types?\n"),
    ) == (True, True)
    assert len(messages(text)) <= 5


def test_a_session_is_shown_in_its_own_project_errors_recorded_in_another(world: World) -> None:
    start_session(world, "A")
    with Database.open(world.home, SCHEMA) as database:
        errors = TrackingErrorStorage(database)
        elsewhere = ErrorAccumulator(errors, project_id="elsewhere", session_id="A")
        entry = elsewhere.record("t", "timeout", "it broke", at=world.now)
    update_open_errors(world.home, errors.touched)
    assert messages(start_session(world, "A", "resume")) == ["- **it broke**"]
    resolve(world, entry.id)
    assert list(Path(world.home, start_files.OPEN_ERRORS_FOLDER).iterdir()) == []


def test_a_pruned_error_is_not_shown_and_leaves_no_file(world: World) -> None:
    start_session(world, "A")
    record(world, "long ago", "A")
    world.now += 1_000
    record(world, "lately", "A")
    assert prune(world.home, world.now, dry_run=True)["task_errors"] == 1
    prune(world.home, world.now)
    assert messages(start_session(world, "A", "resume")) == ["- **lately**"]
    prune(world.home, world.now + 10_000)
    assert list(Path(world.home, start_files.OPEN_ERRORS_FOLDER).iterdir()) == []


def test_errors_without_a_project_and_a_session_are_shown_to_no_session(world: World) -> None:
    with Database.open(world.home, SCHEMA) as database:
        errors = TrackingErrorStorage(database)
        entry = ErrorAccumulator(errors).record("t", "timeout", "old", at=1)
        errors.store(replace(entry, id="x"))
    update_open_errors(world.home, errors.touched)
    assert start_session(world, "A", "resume") == ""
