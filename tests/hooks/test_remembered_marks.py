"""What goes into the memory is marked where it rests on what anybody may have written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mind_skills.learning.storage import SCHEMA
from mind_skills.learning.tasks import Reporter, TaskOutcome, TaskStorage
from mind_skills.memory.model import Record, build_task_record_id
from mind_skills.memory.store import open_memory
from mind_skills.observations.model import Observation
from mind_skills.staging.episode import EpisodeMeter
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World
from tests.hooks.remembered import judged, memory, over, works


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as made:
        yield made


def tells(world: World, said_by: Reporter, session: str = "A") -> str:
    """The id of the record of a task, of which somebody in a session has told what was done."""
    project = resolve_project(str(world.project)).id
    said = TaskOutcome(
        *(project, "t", said_by, session, True, 0, 0, 0, (), "", (), "", "", "", "it works", "helpful", 1.0, "", 1)
    )
    with Database.open(world.home, SCHEMA) as database:
        TaskStorage(database).put_outcome(said)
    record = build_task_record_id(project, "t")
    with open_memory(world.home) as store:
        store.store(Record(record, "learning", "it works", project=project))
    return record


@pytest.mark.parametrize(
    ("tool", "said_by", "taint"),
    [
        ("WebFetch", "agent", "web"),
        ("mcp__tracker__get", "agent", "mcp"),
        ("mcp__mind-skills__recall", "agent", ""),
        ("Bash", "agent", ""),
        ("WebFetch", "user", ""),
    ],
)
def test_what_an_agent_told_of_its_task_rests_on_what_it_read(
    world: World, tool: str, said_by: Reporter, taint: str
) -> None:
    record = tells(world, said_by)
    works(world, "A", tool=tool)
    over(world, "A", judged("helpful"))
    assert {each.id: each.taint for each in memory(world)}[record] == taint


def test_another_session_marks_nothing_and_the_same_nothing_twice(world: World) -> None:
    record = tells(world, "agent", "B")
    works(world, "A", tool="WebFetch")
    over(world, "A", judged("helpful"))
    assert {each.id: each.taint for each in memory(world)}[record] == ""
    for _ in range(2):
        works(world, "B", tool="WebFetch")
        over(world, "B", judged("helpful"))
        assert {each.id: each.taint for each in memory(world)}[record] == "web"


@pytest.mark.parametrize("name", ["mcp__mind-skills__recall", "mcp_mind-skills_plan", "mind-skills_plan"])
def test_our_own_tools_hand_on_the_marks_of_what_they_say(name: str) -> None:
    marks = []
    for text in ("- [learned] x", "- [learned, unverified: rests on web] x", "- [tried, unverified: rests on mcp] y"):
        meter = EpisodeMeter()
        meter.feed(Observation("tool", 1, text=text, source="mcp", tool=name))
        marks.append(meter.episode.taint)
    assert marks == [set(), {"web"}, {"mcp"}]
