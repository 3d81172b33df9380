"""How a task came out: scored, kept, and one vote of it on each strategy that it followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, cast

from pydantic import Field

from mind_skills.hooks.credit import advise
from mind_skills.learning.accumulator import ErrorAccumulator
from mind_skills.learning.credit import Standing
from mind_skills.learning.failure_modes import FailureMode, classify
from mind_skills.learning.scoring import OutcomeSignals, OutcomeType, score_implicit_feedback
from mind_skills.learning.strategy_kinds import named
from mind_skills.learning.tasks import TaskOutcome
from mind_skills.plugin.errors import MindSkillsError
from mind_skills.plugin.rules import rules
from mind_skills.plugin.tools.caller import Caller
from mind_skills.plugin.tools.given import Count, Given, Id, Line, Paths, Text
from mind_skills.plugin.tools.open_tasks import OpenTasks, opened
from mind_skills.plugin.tools.outcome_report import OutcomeRecordReport, fields


class OutcomeInput(Given):
    """What can be said of a finished task."""

    bead_id: Annotated[Id, Field(description="The task's id.")]
    success: Annotated[bool, Field(description="Whether it reached what it was after.")]
    duration_ms: Annotated[Count | None, Field(description="Default: since its plan.")] = None
    error_count: Annotated[Count | None, Field(description="Default: what record_error was told.")] = None
    retry_count: Count = 0
    files_touched: Annotated[Paths, Field(default_factory=list)]
    strategy: Annotated[
        Text,
        Field(description="file-based, feature-based, risk-based, research-based, or the plan in words."),
    ] = ""
    failure_mode: Annotated[FailureMode | None, Field(description="Default: told from failure_details.")] = None
    failure_details: Text = ""
    project_key: Annotated[Line, Field(description="The project's folder, if it is not the current one.")] = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An outcome as it stands now, where its strategies stand by it, and whether it has ``voted``.

    ``kept``: it is not what was said just now, but what a person had said before.
    """

    outcome: TaskOutcome
    standings: Sequence[Standing]
    voted: bool
    kept: bool = False


def record_outcome(given: OutcomeInput, caller: Caller) -> OutcomeRecordReport:
    """Score a task by what is known of it. Repeated, it changes nothing; said otherwise, it replaces what was said.

    Raises MindSkillsError, StoreError.
    """
    with opened(caller) as tasks:
        done = recorded(tasks, given, caller, named(given.strategy))
    return OutcomeRecordReport.of(fields(done.outcome) | {"voted": done.voted, "kept": done.kept})


def recorded(
    tasks: OpenTasks, given: OutcomeInput, caller: Caller, strategies: Sequence[str], *, by: str = "", summary: str = ""
) -> Recorded:
    """Keep an outcome and let it vote; ``by`` and ``summary`` are what `complete` knows beside it.

    Raises MindSkillsError, StoreError.
    """
    before = tasks.storage.outcome(caller.project.id, given.bead_id)
    if before is not None and before.said_by == "user" and caller.kind == "agent":
        return Recorded(before, _standing(tasks, before), _counts(before, before.strategies), kept=True)
    outcome = replace(_judged(tasks, given, caller, before, strategies), agent_name=by, summary=summary)
    if before is not None and replace(outcome, at=before.at, session=before.session) == before:
        outcome = before
    # The votes come first: who is killed in between says it all again, and what it said before is still known.
    counted = _voted(tasks, outcome, before, caller)
    tasks.storage.put_outcome(outcome)
    return Recorded(outcome, _standing(tasks, outcome), _counts(outcome, counted))


def _judged(
    tasks: OpenTasks, given: OutcomeInput, caller: Caller, before: TaskOutcome | None, strategies: Sequence[str]
) -> TaskOutcome:
    mode = given.failure_mode or (classify(given.failure_details) if given.failure_details else "unknown")
    if given.success and (given.failure_mode or given.failure_details):
        raise MindSkillsError(
            "invalid_arguments",
            "failure_mode and failure_details: a task that succeeded has none",
            "Leave them out, or say that it failed.",
        )
    duration, errors = given.duration_ms, given.error_count
    if duration is None:
        duration = tasks.since_plan(given.bead_id, caller.now) if before is None else before.duration_ms
    if errors is None:
        errors = ErrorAccumulator(tasks.errors).stats(given.bead_id).total
    signals = OutcomeSignals(given.bead_id, duration, errors, given.retry_count, given.success, caller.now)
    scored = score_implicit_feedback(signals, rules(caller.project.root).learning, now=caller.now)
    return TaskOutcome(
        project=caller.project.id,
        task_id=given.bead_id,
        said_by=caller.kind,
        session=caller.session,
        success=given.success,
        duration_ms=duration,
        error_count=errors,
        retry_count=given.retry_count,
        files_touched=tuple(given.files_touched),
        strategy=given.strategy,
        strategies=tuple(strategies),
        failure_mode="" if given.success else mode,
        failure_details=given.failure_details,
        agent_name="",
        summary="",
        type=scored.type,
        score=scored.raw,
        reasoning=scored.reasoning,
        at=caller.now,
    )


def _voted(tasks: OpenTasks, outcome: TaskOutcome, before: TaskOutcome | None, caller: Caller) -> list[str]:
    """One vote a task, whoever speaks of it and how often; what it no longer says it followed loses it. Returns on what.

    Where the log of the session has had its word on a strategy, its agent's counts no more (hooks/credit.py).
    """
    source, project = f"task {outcome.task_id}", outcome.project
    agent = outcome.said_by == "agent"
    counted = [name for name in outcome.strategies if not (agent and tasks.has_voted(outcome.session, name))]
    dropped = [name for name in (before.strategies if before else ()) if name not in counted]
    tasks.credit.vote(project, source, dropped, "unknown", at=outcome.at, now=caller.now)
    kind = cast("OutcomeType", outcome.type)
    anew = caller.kind == "user"  # what a person took back, a person may say again
    tasks.credit.vote(project, source, counted, kind, at=outcome.at, now=caller.now, anew=anew)
    if dropped or counted:
        advise(tasks.home, project, tasks.credit, caller.now)
    return counted


def _counts(outcome: TaskOutcome, strategies: Sequence[str]) -> bool:
    return bool(strategies) and outcome.type != "neutral"


def _standing(tasks: OpenTasks, outcome: TaskOutcome) -> list[Standing]:
    known = {each.pattern.content: each for each in tasks.credit.standings(outcome.project, now=outcome.at)}
    return [known[name] for name in outcome.strategies if name in known]
