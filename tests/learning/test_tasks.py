"""Plans and outcomes are stored by project and task, and kinds of strategies resolve to strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mind_skills.learning import storage as module
from mind_skills.learning.storage import SCHEMA, TaskOutcome, TaskPlan, TaskStorage
from mind_skills.learning.strategies import KINDS, STRATEGIES, resolve_strategy
from mind_skills.store.database import Database

OUTCOME = TaskOutcome(
    project="p",
    task_id="shop-12",
    reported_by="agent",
    session="s1",
    success=True,
    duration_ms=9,
    error_count=1,
    retry_count=2,
    files_touched=("a.py", "b.py"),
    strategy="file-based",
    strategies=("Split by file type",),
    failure_mode="",
    failure_details="",
    agent_name="worker",
    summary="done",
    type="helpful",
    score=0.9,
    reasoning="Fast",
    at=5,
)


@pytest.fixture
def tasks(tmp_path: Path) -> Iterator[TaskStorage]:
    with Database.open(tmp_path / "state", SCHEMA) as database:
        yield TaskStorage(database)


def test_a_later_outcome_replaces_the_one_of_the_same_task_in_the_same_project(tasks: TaskStorage) -> None:
    other = replace(OUTCOME, project="q")
    later = replace(OUTCOME, success=False, session="s2", at=7)
    for outcome in (OUTCOME, other, later):
        tasks.put_outcome(outcome)
    assert (tasks.get_outcome("p", "shop-12"), tasks.get_outcome("q", "shop-12")) == (later, other)
    assert (tasks.list_outcomes("p"), tasks.list_outcomes_by_session("s1"), tasks.list_outcomes_by_session("")) == (
        [later],
        [other],
        [],
    )


def test_an_outcome_from_an_agent_never_replaces_one_from_a_person(tasks: TaskStorage) -> None:
    person, again = replace(OUTCOME, reported_by="user"), replace(OUTCOME, reported_by="user", success=False)
    for outcome in (OUTCOME, person, OUTCOME):
        tasks.put_outcome(outcome)
    assert tasks.get_outcome("p", "shop-12") == person
    tasks.put_outcome(again)
    assert tasks.get_outcome("p", "shop-12") == again


def test_a_plan_is_found_by_its_task_and_by_the_id_under_which_it_was_finished(tasks: TaskStorage) -> None:
    plan = TaskPlan("p", "task-1", "Add a cart", "in the shop", "s1", has_explicit_id=False, at=1)
    tasks.put_plan(plan)
    assert (tasks.get_plan("p", "shop-12"), tasks.get_open_plan_without_id("p", "s1")) == (None, plan)
    done = replace(plan, completed_task_id="shop-12")
    tasks.put_plan(done)
    assert (
        tasks.get_plan("p", "shop-12"),
        tasks.get_plan("p", "task-1"),
        tasks.get_open_plan_without_id("p", "s1"),
    ) == (done, done, None)


def test_a_plan_completed_under_its_own_id_is_not_open_until_the_task_is_planned_again(tasks: TaskStorage) -> None:
    plan = TaskPlan("p", "task-1", "Add a cart", session="s1", has_explicit_id=False, at=5)
    tasks.put_plan(plan)
    tasks.put_outcome(replace(OUTCOME, project="q", task_id="task-1", at=7))
    assert tasks.get_open_plan_without_id("p", "s1") == plan
    tasks.put_outcome(replace(OUTCOME, project="p", task_id="task-1", at=7))
    assert tasks.get_open_plan_without_id("p", "s1") is None
    tasks.put_plan(replace(plan, at=8))
    assert tasks.get_open_plan_without_id("p", "s1") == replace(plan, at=8)


def test_the_open_plan_of_a_session_is_its_latest_unnamed_one(tasks: TaskStorage) -> None:
    tasks.put_plan(TaskPlan("p", "shop-1", "Named", session="s1", at=3))
    tasks.put_plan(TaskPlan("p", "task-1", "Of nobody", has_explicit_id=False, at=4))
    last = TaskPlan("p", "task-2", "The last", session="s1", has_explicit_id=False, at=6)
    for plan in (last, TaskPlan("p", "task-3", "Before", session="s1", has_explicit_id=False, at=2)):
        tasks.put_plan(plan)
    assert (tasks.get_open_plan_without_id("p", "s1"), tasks.get_open_plan_without_id("p", "")) == (last, None)


def test_the_oldest_outcomes_are_removed_above_the_limit(tasks: TaskStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 3)
    for number in (5, 1, 4, 2, 3):
        tasks.put_outcome(replace(OUTCOME, task_id=str(number), at=number))
    assert [outcome.task_id for outcome in tasks.list_outcomes("p")] == ["3", "4", "5"]


def test_a_strategy_is_resolved_from_its_kind_its_name_or_a_description() -> None:
    assert [resolve_strategy(kind) for kind in KINDS] == [
        ["Split by file type"],
        ["Split by feature"],
        ["Order by risk"],
        ["Research first"],
    ]
    assert [resolve_strategy(name) for name in STRATEGIES] == [[name] for name in STRATEGIES]
    assert resolve_strategy("  FILE_BASED ") == ["Split by file type"]
    assert resolve_strategy("split by feature, and one file per task") == ["Split by feature", "One file per subtask"]
    assert (resolve_strategy("we did not split by feature"), resolve_strategy("hope"), resolve_strategy("")) == (
        [],
        [],
        [],
    )
