"""How tasks came out: scored, recorded, and the vote of its session on each strategy that a task followed.

Times and durations are milliseconds, times of them UTC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.credit import CLEAR, cast_votes, update_advice
from mind_skills.learning.credit import Standing
from mind_skills.learning.errors import FailureMode, classify_failure
from mind_skills.learning.rules import rules_of
from mind_skills.learning.scoring import FeedbackType, OutcomeSignals, score_implicit_feedback
from mind_skills.learning.storage import ErrorAccumulator
from mind_skills.learning.strategies import resolve_strategy
from mind_skills.learning.tasks import SaidBy, TaskOutcome
from mind_skills.output.document import Document, members
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.open_tasks import OpenTasks, open_tasks
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
    """What can be said of a finished task."""

    bead_id: TaskId
    success: Annotated[bool, Field(description="Whether it reached what it was after.")]
    duration_ms: Duration = None
    error_count: ErrorCount = None
    retry_count: Count = 0
    files_touched: Annotated[Paths, Field(default_factory=list)]
    strategy: Strategy = ""
    failure_mode: Mode = None
    failure_details: Text = ""
    project_key: ProjectKey = ""


class TaskOutcomeReport(Document):
    """How a task came out. ``strategies`` is what ``strategy`` is counted as; ``failure_mode`` is null for a success."""

    task: str
    type: FeedbackType
    score: float
    reasoning: str
    success: bool
    duration_ms: int
    error_count: int
    retry_count: int
    files_touched: list[str]
    strategy: str
    strategies: list[str]
    failure_mode: FailureMode | None
    failure_details: str
    agent_name: str
    summary: str
    said_by: SaidBy
    at: int


class OutcomeRecordReport(TaskOutcomeReport):
    """`mind-skills task outcome record --json`. ``voted`` says whether the strategies got a vote from it.

    ``kept`` is true where an agent spoke about a task of which a person had spoken before: then that is what stands here.
    """

    version: Literal[1] = 1
    voted: bool
    kept: bool


class OutcomesReport(Document):
    """`mind-skills task outcome show --json` and `mind-skills task outcome list --json`: the last ones first."""

    version: Literal[1] = 1
    project: str
    outcomes: list[TaskOutcomeReport]


@dataclass(frozen=True, slots=True)
class RecordedOutcome:
    """An outcome as it stands now, where its strategies stand by it, and whether it has ``voted``.

    ``kept``: it is not what was said just now, but what a person had said before.
    """

    outcome: TaskOutcome
    standings: Sequence[Standing]
    voted: bool
    kept: bool = False


def record_outcome(arguments: OutcomeInput, caller: Caller) -> OutcomeRecordReport:
    """Score a task by what is known of it. Repeated, it changes nothing; with other arguments, it replaces the outcome.

    Raises MindSkillsError, StoreError.
    """
    with open_tasks(caller) as tasks:
        done = put_outcome(tasks, arguments, caller, resolve_strategy(arguments.strategy))
    return OutcomeRecordReport.of(report_fields(done.outcome) | {"voted": done.voted, "kept": done.kept})


def list_outcomes(task: str, limit: int, caller: Caller) -> OutcomesReport:
    """The outcome of a task, or the last ``limit`` of all, the last first.

    Raises MindSkillsError where a task is named of which nothing was said, StoreError.
    """
    with open_tasks(caller) as tasks:
        found = [each for each in tasks.storage.outcomes(caller.project.id) if not task or each.task_id == task]
    if task and not found:
        hint = "`mind-skills task outcome list` has those of this project."
        raise MindSkillsError("unknown_task", f"nobody has said how {task[:60]} came out", hint)
    shown = [TaskOutcomeReport.of(report_fields(each)) for each in found[::-1][:limit]]
    return OutcomesReport(project=caller.project.root, outcomes=shown)


def report_fields(outcome: TaskOutcome) -> dict[str, object]:
    """An outcome as the fields of its document."""
    same: dict[str, object] = {name: getattr(outcome, name) for name in members(TaskOutcomeReport) if name != "task"}
    return same | {
        "task": outcome.task_id,
        "score": round(outcome.score, 3),
        "files_touched": list(outcome.files_touched),
        "strategies": list(outcome.strategies),
        "failure_mode": outcome.failure_mode or None,
    }


def put_outcome(
    tasks: OpenTasks,
    arguments: OutcomeInput,
    caller: Caller,
    strategies: Sequence[str],
    *,
    by: str = "",
    summary: str = "",
) -> RecordedOutcome:
    """Record an outcome and let it vote; ``by`` and ``summary`` are what `complete` knows besides.

    Raises MindSkillsError, StoreError.
    """
    before = tasks.storage.outcome(caller.project.id, arguments.bead_id)
    if before is not None and before.said_by == "user" and caller.kind == "agent":
        return RecordedOutcome(before, _list_standings(tasks, before), _is_vote(tasks, before), kept=True)
    outcome = replace(_score(tasks, arguments, caller, before, strategies), agent_name=by, summary=summary)
    if before is not None and replace(outcome, at=before.at, session=before.session) == before:
        outcome = before
    # The votes come first: who is killed in between says it all again, and what it said before is still known.
    voted = _cast_votes(tasks, outcome, before, caller)
    tasks.storage.put_outcome(outcome)
    return RecordedOutcome(outcome, _list_standings(tasks, outcome), voted)


def _score(
    tasks: OpenTasks, arguments: OutcomeInput, caller: Caller, before: TaskOutcome | None, strategies: Sequence[str]
) -> TaskOutcome:
    mode = arguments.failure_mode or (
        classify_failure(arguments.failure_details) if arguments.failure_details else "unknown"
    )
    if arguments.success and (arguments.failure_mode or arguments.failure_details):
        raise MindSkillsError(
            "invalid_arguments",
            "failure_mode and failure_details: a task that succeeded has none",
            "Leave them out, or say that it failed.",
        )
    duration, errors = arguments.duration_ms, arguments.error_count
    if duration is None:
        duration = tasks.measure_since_plan(arguments.bead_id, caller.now) if before is None else before.duration_ms
    if errors is None:
        errors = ErrorAccumulator(tasks.errors).stats(arguments.bead_id).total
    signals = OutcomeSignals(arguments.bead_id, duration, errors, arguments.retry_count, arguments.success, caller.now)
    scored = score_implicit_feedback(signals, rules_of(caller.project.root).learning, now=caller.now)
    return TaskOutcome(
        project=caller.project.id,
        task_id=arguments.bead_id,
        said_by=caller.kind,
        # A person who corrects what an agent said of a task speaks of that agent's session.
        session=before.session if before is not None and caller.kind == "user" else caller.session,
        success=arguments.success,
        duration_ms=duration,
        error_count=errors,
        retry_count=arguments.retry_count,
        files_touched=tuple(arguments.files_touched),
        strategy=arguments.strategy,
        strategies=tuple(strategies),
        failure_mode="" if arguments.success else mode,
        failure_details=arguments.failure_details,
        agent_name="",
        summary="",
        type=scored.type,
        score=scored.raw,
        reasoning=scored.reasoning,
        at=caller.now,
    )


def _cast_votes(tasks: OpenTasks, outcome: TaskOutcome, before: TaskOutcome | None, caller: Caller) -> bool:
    """Let the session of an outcome vote on what it followed; says whether what was said of this task is that vote.

    One vote a session and strategy (hooks/credit.py), and none of a session that was not seen: what was said by hand, or by
    the agent of a host whose hooks are not installed, is kept and remembered. What it no longer says it followed, and the
    session that said so before, lose the vote that came of it.
    """
    moved = before is not None and before.session != outcome.session
    told = {name: None for each in (outcome, before) if each is not None for name in each.strategies}
    for said in (before if moved else None, outcome):
        voter = None if said is None else tasks.find_voter(said)
        if voter is None:
            continue
        others = [each for each in voter.tasks if each.task_id != outcome.task_id]
        now_said = [*others, outcome] if said is outcome else others
        claimed = {name for each in now_said for name in each.strategies}
        names = [name for name in told if name in claimed or voter.log not in CLEAR]
        anew = caller.kind == "user"  # what a person took back, a person may say again
        cast_votes(tasks.credit, voter.seen, names, voter.log, now_said, at=outcome.at, now=caller.now, anew=anew)
    if told:
        update_advice(tasks.home, outcome.project, tasks.credit, caller.now)
    return _is_vote(tasks, outcome)


def _is_vote(tasks: OpenTasks, outcome: TaskOutcome) -> bool:
    if not outcome.strategies or outcome.type == "neutral":
        return False
    voter = tasks.find_voter(outcome)
    return voter is not None and (outcome.said_by == "user" or voter.log not in CLEAR)


def _list_standings(tasks: OpenTasks, outcome: TaskOutcome) -> list[Standing]:
    known = {each.pattern.content: each for each in tasks.credit.standings(outcome.project, now=outcome.at)}
    return [known[name] for name in outcome.strategies if name in known]
