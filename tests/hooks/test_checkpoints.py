"""A checkpoint reads what is new and some context; in the end the candidates are those of one read of the whole log."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import idle as idling
from mind_skills.hooks import session_state
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.idle import run_checkpoint
from mind_skills.hooks.redact_again import redact_files
from mind_skills.hooks.retention import prune
from mind_skills.hooks.session_state import LOG_STATE, SessionMarkers
from mind_skills.observations import incremental
from mind_skills.observations.incremental import SavedState
from mind_skills.staging.analyse import Analysis, analyse, analyse_growing_log
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables import schema
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World

MOST = 60
LESSONS = {0: "orders", 1: "prices", 6: "taxes", 11: "stock"}
"""Names of learnings by the round of work in which they occur."""


@pytest.fixture(autouse=True)
def _few_observations_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "MAX_OBSERVATIONS", MOST)


class Log:
    """A transcript that grows by whole turns."""

    def __init__(self, path: Path, project: Path) -> None:
        self.path, self.project, self.lines = path, project, 0

    def say(self, role: str, *blocks: dict[str, Any]) -> None:
        self.lines += 1
        row = {
            "type": role,
            "uuid": f"{self.path.name}-{self.lines}",
            "sessionId": self.path.stem,
            "cwd": str(self.project),
            "timestamp": f"2026-01-01T{self.lines // 3600:02d}:{self.lines // 60 % 60:02d}:{self.lines % 60:02d}Z",
            "message": {"role": role, "content": list(blocks)},
        }
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def call(self, name: str, given: dict[str, str], output: str, *, failed: bool = False) -> None:
        id_ = f"call-{self.lines}"
        self.say("assistant", {"type": "tool_use", "id": id_, "name": name, "input": given})
        self.say("user", {"type": "tool_result", "tool_use_id": id_, "content": output, "is_error": failed})

    def quiet(self, turns: int = 20) -> None:
        """Work from which nothing is learned."""
        self.say("user", {"type": "text", "text": "Please look through these files as well, all of them."})
        for _ in range(turns):
            self.call("Read", {"file_path": f"{self.project}/src/{self.lines}.py"}, "text " * 200)

    def lesson(self, name: str) -> None:
        """A test that fails, its cause in words, its cure, and the same test passing."""
        test = {"command": f"pytest tests/test_{name}.py"}
        self.say("user", {"type": "text", "text": f"The {name} test fails, please find out why and fix it."})
        failed = f"Exit code 1\nE   ValueError: the {name} total is rounded twice"
        self.call("Bash", test, failed, failed=True)
        cause = f"Root cause: the {name} total is rounded once for each line and once more at the end."
        self.say("assistant", {"type": "text", "text": cause})
        edit = {"file_path": f"{self.project}/src/{name}.py", "old_string": "round(x)", "new_string": "x"}
        self.call("Edit", edit, "The file has been updated.")
        self.call("Bash", test, "1 passed")


def staged(world: World) -> list[tuple[str, list[int]]]:
    """Title and evidence lines of everything that session A has staged."""
    with Ledger.open(world.home) as ledger:
        found = ledger.list_staged_by(resolve_project(str(world.project)), "A")
    return sorted((each.title, [part.line for part in each.evidence]) for each in found)


def read_whole(path: Path) -> list[tuple[str, list[int]]]:
    return sorted((each.title, [part.line for part in each.evidence]) for each in analyse(path).candidates)


def counting(sizes: list[int]) -> Callable[[Path, SavedState | None], Analysis]:
    """Reads on in a log, and records how many observations were analysed."""

    def analyse_and_count(path: Path, state: SavedState | None) -> Analysis:
        found = analyse_growing_log(path, state)
        sizes.append(found.observation_count)
        return found

    return analyse_and_count


def checkpoint(world: World, sizes: list[int]) -> None:
    """A checkpoint; records how many observations it analysed."""
    world.now += 1_000

    assert run_checkpoint(world.home, world.make_call("A"), interval=0, analyse_increment=counting(sizes)) == []


@pytest.mark.process
def test_a_checkpoint_of_a_long_session_analyses_only_what_is_new_and_some_context(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    for number in range(12):
        log.quiet()
        if number in LESSONS:
            log.lesson(LESSONS[number])
        checkpoint(world, sizes)
        assert staged(world) == read_whole(log.path)
    assert max(sizes) <= MOST + sizes[0] + 6  # and not a dozen times as many
    world.now += 1_000
    assert handle_session_end(world.home, world.make_call("A")) == []
    assert staged(world) == read_whole(log.path)
    assert list(Path(world.home, LOG_STATE).iterdir()) == []


def test_a_checkpoint_analyses_nothing_if_the_log_did_not_grow(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    log.quiet()
    for _ in range(3):
        checkpoint(world, sizes)
    assert len(sizes) == 1


def state_path(world: World) -> Path:
    return Path(SessionMarkers(world.home, "A").log_state.path)


@pytest.mark.process
@pytest.mark.parametrize(
    "how", ["rewritten", "lost", "damaged", "of another log", "of a newer version", "half written"]
)
def test_a_log_is_read_whole_if_its_saved_state_does_not_fit(world: World, how: str) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    for _ in range(6):
        log.quiet()
    checkpoint(world, sizes)
    data = state_path(world).read_bytes()
    assert state_path(world).stat().st_mode & 0o777 == 0o600
    if how == "rewritten":
        log.path.write_text("{}\n" + log.path.read_text())  # shifts every byte, whatever the paths are
    elif how == "lost":
        state_path(world).unlink()
    elif how == "of another log":
        other = Log(world.log("B"), world.project)
        other.quiet()
        state = analyse_growing_log(other.path).resume_state
        assert state is not None
        state_path(world).write_bytes(state.dump())
    else:
        newer = data.replace(b"so far 1", b"so far 2")
        state_path(world).write_bytes({"damaged": data[:-9] + b"somewhere", "half written": data[:999]}.get(how, newer))
    log.lesson("orders")
    checkpoint(world, sizes)
    assert (sizes[1] > sizes[0], is_staged_as_whole(world, log)) == (True, True)
    log.quiet(2)
    checkpoint(world, sizes)
    assert (sizes[2] < sizes[0], is_staged_as_whole(world, log)) == (True, True)


def is_staged_as_whole(world: World, log: Log) -> bool:
    return staged(world) == read_whole(log.path)


def test_a_full_disk_leaves_the_saved_state_as_it_was_and_loses_no_candidate(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    log.quiet()
    checkpoint(world, sizes)
    before = state_path(world).read_bytes()

    replace = os.replace

    def full(source: str, *rest: Any, **more: Any) -> None:
        if source.endswith(session_state._TEMP_SUFFIX):
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, *rest, **more)

    log.lesson("orders")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        world.now += 1_000
        problems = run_checkpoint(world.home, world.make_call("A"), interval=0)
    assert problems == ["could not save how far a log was read: [Errno 28] No space left on device"]
    assert (state_path(world).read_bytes(), is_staged_as_whole(world, log)) == (before, True)
    log.lesson("prices")
    checkpoint(world, sizes)
    assert (state_path(world).read_bytes() != before, is_staged_as_whole(world, log)) == (True, True)


@pytest.mark.parametrize("where", ["stage", "store_analysis", "set_checkpoint", "save_log_state"])
def test_a_checkpoint_killed_at_any_step_is_made_up_for_by_the_next_one(
    world: World, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    log.quiet()
    checkpoint(world, sizes)
    log.lesson("orders")

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(idling if where == "save_log_state" else Ledger, where, dies)
        world.now += 1_000
        with pytest.raises(KeyboardInterrupt):
            run_checkpoint(world.home, world.make_call("A"), interval=0)
    log.lesson("prices")
    checkpoint(world, sizes)
    assert is_staged_as_whole(world, log)


def test_the_saved_state_is_removed_by_retention_and_by_repeated_redaction(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    log.quiet()
    checkpoint(world, sizes)
    prune(world.home, state_path(world).stat().st_mtime_ns // 1_000_000 - 1)
    assert state_path(world).exists()
    prune(world.home, state_path(world).stat().st_mtime_ns // 1_000_000 + 1)
    assert not state_path(world).exists()
    log.quiet()
    checkpoint(world, sizes)
    assert state_path(world).exists()
    with Database.open(world.home, schema.SCHEMA) as database:
        redact_files(world.home, database)
    assert not state_path(world).exists()


def test_the_digest_of_a_session_after_its_checkpoints_is_that_of_one_read(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    for number in range(12):
        log.quiet()
        if number in LESSONS:
            log.lesson(LESSONS[number])
        checkpoint(world, sizes)
    with Ledger.open(world.home) as ledger:
        digest = ledger.find_digest("A")
    assert digest is not None
    assert [(each.first_line, each.last_line) for each in digest.episodes] == [
        (each.first_line, each.last_line) for each in analyse(log.path).digest.episodes
    ]


def test_an_episode_is_staged_once_even_if_the_saved_observations_begin_in_its_middle(world: World) -> None:
    """The user says nothing more, so the saved observations begin in the middle of the episode."""
    log, sizes = Log(world.log("A"), world.project), list[int]()
    log.lesson("orders")
    for number in range(120):
        log.call("Bash", {"command": "pytest tests/test_orders.py"}, "1 passed")
        log.call("Read", {"file_path": f"{world.project}/src/{number}.py"}, "text " * 200)
        if number % 10 == 0:
            checkpoint(world, sizes)
    assert (sizes[-1] < 200, staged(world)) == (True, read_whole(log.path))


def test_all_checkpoints_of_a_session_stage_no_more_candidates_than_the_setting_allows(world: World) -> None:
    log, found = Log(world.log("A"), world.project), list[int]()

    def one(analysis: Analysis) -> Analysis:
        analysis.max_candidates = 1
        return analysis

    for number in range(12):
        log.quiet()
        if number in LESSONS:
            log.lesson(LESSONS[number])
        world.now += 1_000
        read_on = lambda path, state: one(analyse_growing_log(path, state))  # noqa: E731
        assert run_checkpoint(world.home, world.make_call("A"), interval=0, analyse_increment=read_on) == []
        with Ledger.open(world.home) as ledger:
            found.append(len(ledger.list_pending(resolve_project(str(world.project)))))
    assert found == [1] * 12


def test_the_end_reads_the_whole_log_even_if_nothing_came_after_the_last_checkpoint(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    for _ in range(4):
        log.quiet()
        checkpoint(world, sizes)
    world.now += 1_000
    ends = list[int]()
    assert (
        handle_session_end(world.home, world.make_call("A"), analyse_log=lambda path: counting(ends)(path, None)) == []
    )
    assert ends == [analyse(log.path).observation_count]
