"""What an agent reports of its tasks and what the log of its session shows are votes on the same work: one counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.hooks import end as ending
from mind_skills.learning.credit import build_strategy_id
from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.storage import SCHEMA, MaturityStorage, Reporter, TaskOutcome, TaskStorage
from mind_skills.staging.analyse import Analysis
from mind_skills.store.database import Database
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, lessons

FEATURE, LAYER = "Split by feature", "Split by layer (UI/logic/data)"


def report_task(world: World, reporter: Reporter, *strategies: str) -> None:
    """Reports a task of session A as successful."""
    project = resolve_project(str(world.project)).id
    outcome = TaskOutcome(
        *(project, "t", reporter, "A", True, 0, 0, 0, (), "", strategies, "", "", "", "", "helpful", 1.0, "", world.now)
    )
    with Database.open(world.home, SCHEMA) as database:
        TaskStorage(database).put_outcome(outcome)


def end_session(world: World, outcome: OutcomeType) -> None:
    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type=outcome)
        return found

    world.starts("A")
    world.line("A", "user", "please do it")
    world.line("A", "assistant", "I will split by feature here.")
    world.now += 1_000
    assert ending.handle_session_end(world.home, world.make_call("A", "other"), analyse_log=read) == []


def list_votes(world: World, strategy: str) -> list[tuple[str, str]]:
    with Database.open(world.home, SCHEMA) as database:
        found = MaturityStorage(database).list_votes(
            build_strategy_id(resolve_project(str(world.project)).id, strategy)
        )
    return [(vote.source, vote.type) for vote in found]


@pytest.mark.parametrize(
    ("reporter", "log", "counts"),
    [
        ("agent", "harmful", "harmful"),
        ("agent", "helpful", "helpful"),
        ("agent", "unknown", "helpful"),
        ("agent", "neutral", "helpful"),
        ("user", "harmful", "helpful"),
    ],
)
def test_a_session_has_one_vote_and_a_user_outranks_its_log_and_its_log_outranks_its_agent(
    world: World, reporter: Reporter, log: OutcomeType, counts: OutcomeType
) -> None:
    report_task(world, reporter, FEATURE, LAYER)
    end_session(world, log)
    assert (list_votes(world, FEATURE), list_votes(world, LAYER)) == ([("A", counts)], [("A", counts)])


def test_a_reported_task_counts_again_when_the_outcome_of_its_session_is_no_longer_clear(world: World) -> None:
    report_task(world, "agent", FEATURE)
    steps: tuple[OutcomeType, ...] = ("harmful", "neutral", "neutral", "helpful", "unknown")
    seen = []
    for outcome in steps:
        end_session(world, outcome)
        seen.append(list_votes(world, FEATURE))
        world.now += 120_000
    assert seen == [[("A", kind)] for kind in ("harmful", "helpful", "helpful", "helpful", "helpful")]


def test_a_task_reported_for_another_project_casts_no_vote_in_this_one(world: World) -> None:
    report_task(world, "agent", LAYER)
    with Database.open(world.home, SCHEMA) as database:
        (reported,) = TaskStorage(database).list_outcomes_by_session("A")
        TaskStorage(database).put_outcome(
            replace(reported, project="0" * 16, task_id="u", strategies=("Order by risk",))
        )
    end_session(world, "helpful")
    assert [list_votes(world, name) for name in (LAYER, "Order by risk")] == [[("A", "helpful")], []]
