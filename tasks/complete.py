"""After a task: how it came out is kept and counted, and what was done can be recalled.

The documents' steps: record the outcome, extract the strategies from the summary, the session's vote on each, turn what keeps failing
into a warning, store all of it in the memory with the text of the task. Repeated, nothing is counted or stored twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.errors import FailureMode
from mind_skills.learning.strategies import extract_strategies, resolve_strategy
from mind_skills.tasks import standing
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.given import Count, Given, Id, Line, Paths, Text
from mind_skills.tasks.open_tasks import OpenTasks, opened
from mind_skills.tasks.outcome_report import TaskOutcomeReport, fields
from mind_skills.tasks.plan import derived
from mind_skills.tasks.plan_report import CompleteReport
from mind_skills.tasks.record_outcome import OutcomeInput, Recorded, recorded
from mind_skills.tasks.remembering import remember


class CompleteInput(Given):
    """What can be said of a task that is over. The documents' fields, and those of its outcome."""

    bead_id: Annotated[Id, Field(description="The task's id, as plan gave it.")]
    summary: Annotated[Text, Field(description="What was done and how, for whoever has a similar task.")]
    project_key: Annotated[Line, Field(description="The project's folder, if it is not the current one.")] = ""
    agent_name: Annotated[Line, Field(description="Who did it.")] = ""
    files_touched: Annotated[Paths, Field(default_factory=list)]
    success: Annotated[bool, Field(description="Whether it reached what it was after.")] = True
    duration_ms: Annotated[Count | None, Field(description="Default: since its plan.")] = None
    error_count: Annotated[Count | None, Field(description="Default: what record_error was told.")] = None
    retry_count: Count = 0
    strategy: Annotated[
        Text, Field(description="file-based, feature-based, risk-based, research-based, or the plan in words.")
    ] = ""
    failure_mode: Annotated[FailureMode | None, Field(description="Default: told from failure_details.")] = None
    failure_details: Text = ""


def complete(given: CompleteInput, caller: Caller) -> CompleteReport:
    """Record a finished task and learn from it. Raises MindSkillsError, StoreError."""
    with opened(caller) as tasks:
        task = _adopted(tasks, given.bead_id, caller)
        strategies = list(dict.fromkeys([*resolve_strategy(given.strategy), *extract_strategies(given.summary)]))
        said = OutcomeInput.model_validate(given.model_dump(exclude={"summary", "agent_name"}))
        done = recorded(tasks, said, caller, strategies, by=given.agent_name, summary=given.summary)
        inverted = _inverted(tasks, done, caller)
        if done.outcome.success and not done.kept:
            for entry in tasks.errors.by_task(given.bead_id):
                if not entry.resolved:
                    tasks.errors.resolve(entry.id)
        open_errors = sum(not entry.resolved for entry in tasks.errors.by_task(given.bead_id))
    stored = 0 if done.kept else remember(done, inverted, task, caller)
    return CompleteReport(
        project=caller.project.root,
        bead_id=given.bead_id,
        outcome=TaskOutcomeReport.of(fields(done.outcome)),
        voted=done.voted,
        kept=done.kept,
        patterns=standing.strategies(done.standings),
        inversions=standing.warnings(inverted),
        memory_stored=stored > 0,
        open_errors=open_errors,
    )


def _adopted(tasks: OpenTasks, bead_id: str, caller: Caller) -> str:
    """The text of the task: of its own plan, of the one in the same words, or of the one that the session made last."""
    storage, project = tasks.storage, caller.project.id
    plan = storage.plan(project, bead_id) or storage.plan(project, derived(bead_id))
    plan = plan or storage.open_plan(project, caller.conversation)
    if plan is None or (plan.task_id != bead_id and plan.done_as not in ("", bead_id)):
        return ""
    if plan.task_id != bead_id and not plan.done_as:
        storage.put_plan(replace(plan, done_as=bead_id))
    return f"{plan.task}\n{plan.context}".strip()


def _inverted(tasks: OpenTasks, done: Recorded, caller: Caller) -> Sequence[DecompositionPattern]:
    """The warnings that strategies of this task have become."""
    wanted = {each.pattern.inverted_to for each in done.standings} - {""}
    return [each for each in tasks.credit.warnings(caller.project.id) if each.id in wanted]
