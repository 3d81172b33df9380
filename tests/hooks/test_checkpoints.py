"""A checkpoint reads what is new and some context, and in the end nothing differs from one look at the whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import traces
from mind_skills.hooks.end import end
from mind_skills.hooks.idle import idle
from mind_skills.observations import marks, read
from mind_skills.observations.marks import Mark
from mind_skills.staging.analyse import Analysis, analyse, analyse_since
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import find
from tests.hooks.lifecycle_world import World

CONTEXT = 40_000
LESSONS = {0: "orders", 1: "prices", 6: "taxes", 11: "stock"}
"""Learnings by the turn in which they come."""


@pytest.fixture(autouse=True)
def short_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "STRIDE", 2_000)
    monkeypatch.setattr(marks, "HEAD", 500)
    monkeypatch.setattr(read, "CONTEXT", CONTEXT)


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


def kept(world: World) -> list[tuple[str, list[int]]]:
    """Title and evidence lines of everything that session A has staged."""
    with Ledger.open(world.home) as ledger:
        found = ledger.sightings(find(str(world.project)), "A")
    return sorted((each.title, [part.line for part in each.evidence]) for each in found)


def whole(path: Path) -> list[tuple[str, list[int]]]:
    return sorted((each.title, [part.line for part in each.evidence]) for each in analyse(path).found)


def counting(sizes: list[int], look: Callable[[], Analysis]) -> Analysis:
    found = look()
    sizes.append(found.observations)
    return found


def glance(world: World, sizes: list[int]) -> None:
    """A checkpoint; notes how many observations it judged."""
    world.now += 1_000

    def read_on(path: Path, mark: Mark) -> Analysis:
        return counting(sizes, partial(analyse_since, path, mark))

    problems = idle(
        world.home,
        world.moment("A"),
        interval=0,
        read=lambda path: counting(sizes, partial(analyse, path)),
        read_on=read_on,
    )
    assert problems == []


def test_a_checkpoint_of_a_long_session_judges_what_is_new_and_some_context(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    for number in range(12):
        log.quiet()
        if number in LESSONS:
            log.lesson(LESSONS[number])
        glance(world, sizes)
        assert kept(world) == whole(log.path)
    assert max(sizes) <= 3 * sizes[0]  # and not a dozen times as many
    world.now += 1_000
    assert end(world.home, world.moment("A")) == []
    assert kept(world) == whole(log.path)
    assert traces.read(world.home, traces.MARKS, "", "A") == ""


def test_nothing_new_is_not_looked_at_again(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    log.quiet()
    for _ in range(3):
        glance(world, sizes)
    assert len(sizes) == 1


@pytest.mark.parametrize("how", ["rewritten", "marks lost", "marks of another", "marks that are none"])
def test_where_the_marks_do_not_fit_the_log_is_read_as_a_whole(world: World, how: str) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    for _ in range(6):
        log.quiet()
    glance(world, sizes)
    if how == "rewritten":
        log.path.write_text("{}\n" + log.path.read_text())  # every byte is another one than before, whatever the paths
    elif how == "marks lost":
        traces.drop(world.home, traces.MARKS, "", "A")
    else:
        content = "5 900 00000000\n" if how == "marks of another" else "\0\n-1 -1 \n x y z\n9999999999999999999999 1"
        traces.put(world.home, traces.MARKS, "", "A", content)
    log.lesson("orders")
    glance(world, sizes)
    assert (sizes[1] > sizes[0], kept(world)) == (True, whole(log.path))
    log.quiet(2)
    glance(world, sizes)
    assert (sizes[2] < sizes[0], kept(world)) == (True, whole(log.path))


def test_an_episode_is_not_staged_a_second_time_from_its_end(world: World) -> None:
    """The user says nothing more, so that a mark lies in the middle of what was learned."""
    log, sizes = Log(world.log("A"), world.project), list[int]()
    log.lesson("orders")
    for number in range(120):
        log.call("Bash", {"command": "pytest tests/test_orders.py"}, "1 passed")
        log.call("Read", {"file_path": f"{world.project}/src/{number}.py"}, "text " * 200)
        if number % 10 == 0:
            glance(world, sizes)
    assert (sizes[-1] < 200, kept(world)) == (True, whole(log.path))


def test_a_session_has_no_more_candidates_in_all_its_parts_than_the_settings_allow(world: World) -> None:
    log, found = Log(world.log("A"), world.project), list[int]()

    def one(analysis: Analysis) -> Analysis:
        analysis.most = 1
        return analysis

    for number in range(12):
        log.quiet()
        if number in LESSONS:
            log.lesson(LESSONS[number])
        world.now += 1_000
        read_on = lambda path, mark: one(analyse_since(path, mark))  # noqa: E731
        assert (
            idle(world.home, world.moment("A"), interval=0, read=lambda path: one(analyse(path)), read_on=read_on) == []
        )
        with Ledger.open(world.home) as ledger:
            found.append(len(ledger.pending(find(str(world.project)))))
    assert found == [1] * 12


def test_the_end_looks_at_all_of_a_session_that_was_read_in_parts_even_if_nothing_came_after(world: World) -> None:
    log, sizes = Log(world.log("A"), world.project), list[int]()
    for _ in range(4):
        log.quiet()
        glance(world, sizes)
    world.now += 1_000
    ends = list[int]()
    assert end(world.home, world.moment("A"), read=lambda path: counting(ends, partial(analyse, path))) == []
    assert ends == [analyse(log.path).observations]
