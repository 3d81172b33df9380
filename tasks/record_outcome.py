"""How a task came out: scored, kept, and the vote of its session on each strategy that it followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.credit import CLEAR, advise, cast
from mind_skills.learning.accumulator import ErrorAccumulator
from mind_skills.learning.credit import Standing
from mind_skills.learning.errors import FailureMode, classify_failure
from mind_skills.learning.rules import rules_of
from mind_skills.learning.scoring import OutcomeSignals, score_implicit_feedback
from mind_skills.learning.strategies import resolve_strategy
from mind_skills.learning.tasks import TaskOutcome
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.given import Count, Given, Id, Line, Paths, Text
from mind_skills.tasks.open_tasks import OpenTasks, opened
from mind_skills.tasks.outcome_report import OutcomeRecordReport, fields


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
        done = recorded(tasks, given, caller, resolve_strategy(given.strategy))
    return OutcomeRecordReport.of(fields(done.outcome) | {"voted": done.voted, "kept": done.kept})


def recorded(
    tasks: OpenTasks, given: OutcomeInput, caller: Caller, strategies: Sequence[str], *, by: str = "", summary: str = ""
) -> Recorded:
    """Keep an outcome and let it vote; ``by`` and ``summary`` are what `complete` knows beside it.

    Raises MindSkillsError, StoreError.
    """
    before = tasks.storage.outcome(caller.project.id, given.bead_id)
    if before is not None and before.said_by == "user" and caller.kind == "agent":
        return Recorded(before, _standing(tasks, before), _counts(tasks, before), kept=True)
    outcome = replace(_judged(tasks, given, caller, before, strategies), agent_name=by, summary=summary)
    if before is not None and replace(outcome, at=before.at, session=before.session) == before:
        outcome = before
    # The votes come first: who is killed in between says it all again, and what it said before is still known.
    voted = _voted(tasks, outcome, before, caller)
    tasks.storage.put_outcome(outcome)
    return Recorded(outcome, _standing(tasks, outcome), voted)


def _judged(
    tasks: OpenTasks, given: OutcomeInput, caller: Caller, before: TaskOutcome | None, strategies: Sequence[str]
) -> TaskOutcome:
    mode = given.failure_mode or (classify_failure(given.failure_details) if given.failure_details else "unknown")
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
    scored = score_implicit_feedback(signals, rules_of(caller.project.root).learning, now=caller.now)
    return TaskOutcome(
        project=caller.project.id,
        task_id=given.bead_id,
        said_by=caller.kind,
        # A person who corrects what an agent said of a task speaks of that agent's session.
        session=before.session if before is not None and caller.kind == "user" else caller.session,
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


def _voted(tasks: OpenTasks, outcome: TaskOutcome, before: TaskOutcome | None, caller: Caller) -> bool:
    """Let the session of an outcome vote on what it followed; says whether what was said of this task is that vote.

    One vote a session and strategy (hooks/credit.py), and none of a session that was not seen: what was said by hand, or by
    the agent of a host whose hooks are not installed, is kept and remembered. What it no longer says it followed, and the
    session that said so before, lose the vote that came of it.
    """
    moved = before is not None and before.session != outcome.session
    told = {name: None for each in (outcome, before) if each is not None for name in each.strategies}
    for said in (before if moved else None, outcome):
        voter = None if said is None else tasks.voter(said)
        if voter is None:
            continue
        others = [each for each in voter.tasks if each.task_id != outcome.task_id]
        now_said = [*others, outcome] if said is outcome else others
        claimed = {name for each in now_said for name in each.strategies}
        names = [name for name in told if name in claimed or voter.log not in CLEAR]
        anew = caller.kind == "user"  # what a person took back, a person may say again
        cast(tasks.credit, voter.seen, names, voter.log, now_said, at=outcome.at, now=caller.now, anew=anew)
    if told:
        advise(tasks.home, outcome.project, tasks.credit, caller.now)
    return _counts(tasks, outcome)


def _counts(tasks: OpenTasks, outcome: TaskOutcome) -> bool:
    """Whether what was said of a task is a vote."""
    if not outcome.strategies or outcome.type == "neutral":
        return False
    voter = tasks.voter(outcome)
    return voter is not None and (outcome.said_by == "user" or voter.log not in CLEAR)


def _standing(tasks: OpenTasks, outcome: TaskOutcome) -> list[Standing]:
    known = {each.pattern.content: each for each in tasks.credit.standings(outcome.project, now=outcome.at)}
    return [known[name] for name in outcome.strategies if name in known]
