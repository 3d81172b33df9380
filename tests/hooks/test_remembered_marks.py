"""Records of the memory are tainted if they rest on text that anybody may have written."""

from __future__ import annotations

import pytest

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.learning.storage import SCHEMA, Reporter, TaskOutcome, TaskStorage
from mind_skills.memory.model import Record, build_agent_source, build_task_record_id
from mind_skills.memory.store import open_memory
from mind_skills.observations.model import Observation
from mind_skills.staging.analyse import EpisodeCollector
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World
from tests.hooks.remembered import end_session, memory, run_session, with_outcome


def report_task(world: World, reporter: Reporter, session: str = "A") -> str:
    """Reports what was done in a task; returns the id of its record."""
    project = resolve_project(str(world.project)).id
    outcome = TaskOutcome(
        *(project, "t", reporter, session, True, 0, 0, 0, (), "", (), "", "", "", "it works", "helpful", 1.0, "", 1)
    )
    with Database.open(world.home, SCHEMA) as database:
        TaskStorage(database).put_outcome(outcome)
    record = build_task_record_id(project, "t")
    with open_memory(world.home) as store:
        store.store(Record(record, "learning", "it works", project=project))
    return record


@pytest.mark.parametrize(
    ("tool", "reporter", "taint"),
    [
        ("WebFetch", "agent", "web"),
        ("mcp__tracker__get", "agent", "mcp"),
        ("mcp__mind-skills__recall", "agent", ""),
        ("Bash", "agent", ""),
        ("WebFetch", "user", ""),
    ],
)
def test_a_task_reported_by_an_agent_takes_over_the_taint_of_its_session(
    world: World, tool: str, reporter: Reporter, taint: str
) -> None:
    record = report_task(world, reporter)
    run_session(world, "A", tool=tool)
    end_session(world, "A", with_outcome("helpful"))
    assert {each.id: each.taint for each in memory(world)}[record] == taint


def test_a_task_record_is_tainted_by_its_own_session_alone_and_only_once(world: World) -> None:
    record = report_task(world, "agent", "B")
    run_session(world, "A", tool="WebFetch")
    end_session(world, "A", with_outcome("helpful"))
    assert {each.id: each.taint for each in memory(world)}[record] == ""
    for _ in range(2):
        run_session(world, "B", tool="WebFetch")
        end_session(world, "B", with_outcome("helpful"))
        assert {each.id: each.taint for each in memory(world)}[record] == "web"


@pytest.mark.parametrize("is_fork", [False, True])
def test_a_record_that_an_agent_added_takes_over_the_taint_of_its_session(world: World, *, is_fork: bool) -> None:
    project = resolve_project(str(world.project)).id
    with open_memory(world.home) as store:
        for id_, source, scope in (
            ("mine", "command line", project),
            ("agents", build_agent_source("A"), project),
            ("everywhere", build_agent_source("A"), ""),
            ("elsewhere", build_agent_source("A"), "another-project"),
            ("of-another", build_agent_source("B"), project),
        ):
            store.store(Record(id_, "learning", f"it works {id_}", project=scope, source=source))
    run_session(world, "A", tool="WebFetch")
    if is_fork:
        SessionMarkers(world.home, "A").forked.write("1")
    end_session(world, "A", with_outcome("helpful"))
    taints = {each.id: each.taint for each in memory(world)}
    ids = ("mine", "agents", "everywhere", "elsewhere", "of-another")
    assert [taints[id_] for id_ in ids] == ["", "web", "web", "web", ""]


@pytest.mark.parametrize("name", ["mcp__mind-skills__recall", "mcp_mind-skills_plan", "mind-skills_plan"])
def test_tools_of_mind_skills_pass_on_the_taint_of_the_records_they_show(name: str) -> None:
    marks = []
    for text in ("- [learned] x", "- [learned, unverified: rests on web] x", "- [tried, unverified: rests on mcp] y"):
        meter = EpisodeCollector()
        meter.feed(Observation("tool", 1, text=text, source="mcp", tool=name))
        marks.append(meter.episode.taint)
    assert marks == [set(), {"web"}, {"mcp"}]
