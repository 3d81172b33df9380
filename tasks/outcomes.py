"""Outcomes of tasks: scores and records them, and casts the session's vote on each strategy that a task followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from mind_skills.errors import MindSkillsError
from mind_skills.learning.credit import Standing, build_strategy_id
from mind_skills.learning.errors import classify_failure
from mind_skills.learning.rules import load_rules
from mind_skills.learning.scoring import OutcomeSignals, score_implicit_feedback
from mind_skills.learning.storage import TaskOutcome
from mind_skills.learning.strategies import resolve_strategy
from mind_skills.staging.session_votes import DECISIVE_OUTCOMES, cast_votes, find_deciding_task, update_advice
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.open_tasks import OpenTasks, TaskOutcomeReport, open_tasks, report_outcome
from mind_skills.tasks.tool_input import (
    Count,
    Duration,
    ErrorCount,
    Mode,
    Paths,
    ProjectKey,
    Strategy,
    TaskId,
    Text,
    ToolInput,
)


class OutcomeInput(ToolInput):
    """The outcome of a finished task."""

    bead_id: TaskId
    success: Annotated[bool, Field(description="Whether the task succeeded.")]
    duration_ms: Duration = None
    error_count: ErrorCount = None
    retry_count: Count = 0
    files_touched: Annotated[Paths, Field(default_factory=list)]
    strategy: Strategy = ""
    failure_mode: Mode = None
    failure_details: Text = ""
    project_key: ProjectKey = ""


class OutcomeRecordReport(TaskOutcomeReport):
    """`mind-skills task outcome record --json`. ``voted`` is whether the outcome determines the session's vote.

    ``kept`` is true if an agent tried to replace an outcome recorded by a person; that outcome is returned unchanged.
    """

    version: Literal[1] = 1
    voted: bool
    kept: bool


@dataclass(frozen=True, slots=True)
class RecordedOutcome:
    """The stored outcome and the standings of its strategies."""

    outcome: TaskOutcome
    standings: Sequence[Standing]
    voted: bool
    is_unchanged: bool = False


def record_outcome(arguments: OutcomeInput, caller: Caller) -> OutcomeRecordReport:
    """Score a task and record its outcome. Raises MindSkillsError, StoreError."""
    with open_tasks(caller) as tasks:
        recorded = put_outcome(tasks, arguments, caller, resolve_strategy(arguments.strategy))
    return report_outcome(OutcomeRecordReport, recorded.outcome, voted=recorded.voted, kept=recorded.is_unchanged)


def put_outcome(
    tasks: OpenTasks,
    arguments: OutcomeInput,
    caller: Caller,
    strategies: Sequence[str],
    *,
    agent_name: str = "",
    summary: str = "",
) -> RecordedOutcome:
    """Record an outcome and cast the session's votes. Raises MindSkillsError, StoreError."""
    before = tasks.storage.get_outcome(caller.project.id, arguments.bead_id)
    if before is not None and before.reported_by == "user" and caller.kind == "agent":
        return RecordedOutcome(
            before, _list_standings(tasks, before, caller.now), _determines_vote(tasks, before), is_unchanged=True
        )
    outcome = _build_outcome(tasks, arguments, caller, before, strategies, agent_name, summary)
    if before is not None and replace(outcome, at=before.at, session=before.session) == before:
        outcome = before
    # Votes first: if this is interrupted, a retry finds the previous outcome unchanged, and casts the votes again.
    voted = _cast_votes(tasks, outcome, before, caller)
    tasks.storage.put_outcome(outcome)
    return RecordedOutcome(outcome, _list_standings(tasks, outcome, caller.now), voted)


def _build_outcome(
    tasks: OpenTasks,
    arguments: OutcomeInput,
    caller: Caller,
    before: TaskOutcome | None,
    strategies: Sequence[str],
    agent_name: str,
    summary: str,
) -> TaskOutcome:
    mode = arguments.failure_mode or (
        classify_failure(arguments.failure_details) if arguments.failure_details else "unknown"
    )
    if arguments.success and (arguments.failure_mode or arguments.failure_details):
        raise MindSkillsError(
            "invalid_arguments",
            "failure_mode and failure_details are not allowed for a task that succeeded",
            "Omit them, or set success to false.",
        )
    duration, errors = arguments.duration_ms, arguments.error_count
    if duration is None:
        duration = tasks.measure_duration(arguments.bead_id, caller.now, before)
    if errors is None:
        errors = len(tasks.list_errors(arguments.bead_id))
    signals = OutcomeSignals(arguments.bead_id, duration, errors, arguments.retry_count, arguments.success, caller.now)
    has_duration = arguments.duration_ms is not None or duration > 0
    score = score_implicit_feedback(
        signals, load_rules(caller.project.root).learning, now=caller.now, has_duration=has_duration
    )
    given = {name: getattr(arguments, name) for name in ("success", "retry_count", "strategy", "failure_details")}
    return TaskOutcome(
        project=caller.project.id,
        task_id=arguments.bead_id,
        reported_by=caller.kind,
        # A person who corrects an outcome recorded by an agent refers to that agent's session.
        session=before.session if before is not None and caller.kind == "user" else caller.session,
        duration_ms=duration,
        error_count=errors,
        files_touched=tuple(arguments.files_touched),
        strategies=tuple(strategies),
        failure_mode="" if arguments.success else mode,
        agent_name=agent_name,
        summary=summary,
        type=score.type,
        score=score.raw,
        reasoning=score.reasoning,
        at=caller.now,
        **given,
    )


def _cast_votes(tasks: OpenTasks, outcome: TaskOutcome, before: TaskOutcome | None, caller: Caller) -> bool:
    """Let the session of an outcome vote on its strategies, if hooks reported it and, for an agent's outcome, it runs;
    return whether this outcome decides. Votes on strategies that no task names any more are withdrawn, unless the
    log is decisive; an earlier session votes again without this task.
    """
    has_moved = before is not None and before.session != outcome.session
    strategies = {name: None for each in (outcome, before) if each is not None for name in each.strategies}
    for voting_outcome in (before if has_moved else None, outcome):
        voter = None if voting_outcome is None else tasks.find_voter(voting_outcome)
        if voter is None:
            continue
        other_tasks = [each for each in voter.tasks if each.task_id != outcome.task_id]
        session_tasks = [*other_tasks, outcome] if voting_outcome is outcome else other_tasks
        claimed = {name for each in session_tasks for name in each.strategies}
        names = [name for name in strategies if name in claimed or voter.log_outcome not in DECISIVE_OUTCOMES]
        is_person = caller.kind == "user"  # who may restore what a person withdrew
        times = {"at": outcome.at, "now": caller.now}
        cast_votes(
            tasks.credit, voter.session, names, voter.log_outcome, session_tasks, **times, recast_undone=is_person
        )
    if strategies:
        update_advice(tasks.home, outcome.project, tasks.credit, caller.now)
    return _determines_vote(tasks, outcome)


def _determines_vote(tasks: OpenTasks, outcome: TaskOutcome) -> bool:
    voter = tasks.find_voter(outcome)
    if voter is None or outcome.type == "neutral":
        return False
    session_tasks = [*(each for each in voter.tasks if each.task_id != outcome.task_id), outcome]
    return any(
        find_deciding_task(name, voter.log_outcome, session_tasks) is outcome
        and outcome.session not in tasks.credit.list_undone_sessions(build_strategy_id(outcome.project, name))
        for name in outcome.strategies
    )


def _list_standings(tasks: OpenTasks, outcome: TaskOutcome, now: int) -> list[Standing]:
    by_content = {each.pattern.content: each for each in tasks.credit.list_standings(outcome.project, now=now)}
    return [by_content[name] for name in outcome.strategies if name in by_content]
