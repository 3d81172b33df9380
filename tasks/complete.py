"""After a task: how it came out is kept and counted, and what was done can be recalled.

The documents' steps: record the outcome, extract the strategies from the summary, the session's vote on each, turn what keeps failing
into a warning, store all of it in the memory with the text of the task. Repeated, nothing is counted or stored twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.strategies import extract_strategies, resolve_strategy
from mind_skills.learning.tasks import TaskOutcome
from mind_skills.memory.model import Record, record_of_pattern, task_record_id
from mind_skills.output.document import Document
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.memories import open_memory
from mind_skills.tasks.open_tasks import (
    AntiPatternReport,
    OpenTasks,
    StrategyReport,
    open_tasks,
    report_strategies,
    report_warnings,
)
from mind_skills.tasks.outcomes import OutcomeInput, RecordedOutcome, TaskOutcomeReport, put_outcome, report_fields
from mind_skills.tasks.plan import derive_task_id
from mind_skills.tasks.tool_input import (
    Count,
    Duration,
    ErrorCount,
    Id,
    Line,
    Mode,
    Paths,
    ProjectKey,
    Strategy,
    Text,
    ToolInput,
)


class CompleteInput(ToolInput):
    """What can be said of a task that is over. The documents' fields, and those of its outcome."""

    bead_id: Annotated[Id, Field(description="The task's id, as plan gave it.")]
    summary: Annotated[Text, Field(description="What was done and how, for whoever has a similar task.")]
    project_key: ProjectKey = ""
    agent_name: Annotated[Line, Field(description="Who did it.")] = ""
    files_touched: Annotated[Paths, Field(default_factory=list)]
    success: Annotated[bool, Field(description="Whether it reached what it was after.")] = True
    duration_ms: Duration = None
    error_count: ErrorCount = None
    retry_count: Count = 0
    strategy: Strategy = ""
    failure_mode: Mode = None
    failure_details: Text = ""


class CompleteReport(Document):
    """`mind-skills task complete --json`.

    ``patterns`` are the strategies that it followed, where they stand now; ``inversions`` those among them that are
    warnings by now. ``memory_stored`` says whether anything of it can be recalled; ``kept`` is true where a person had
    spoken of the task before, whose word stands. ``open_errors`` counts what is still unresolved of the task.
    """

    version: Literal[1] = 1
    project: str
    bead_id: str
    outcome: TaskOutcomeReport
    voted: bool
    kept: bool
    patterns: list[StrategyReport]
    inversions: list[AntiPatternReport]
    memory_stored: bool
    open_errors: int


def complete(arguments: CompleteInput, caller: Caller) -> CompleteReport:
    """Record a finished task and learn from it. Raises MindSkillsError, StoreError."""
    with open_tasks(caller) as tasks:
        task = _find_task_text(tasks, arguments.bead_id, caller)
        strategies = list(
            dict.fromkeys([*resolve_strategy(arguments.strategy), *extract_strategies(arguments.summary)])
        )
        outcome = OutcomeInput.model_validate(arguments.model_dump(exclude={"summary", "agent_name"}))
        done = put_outcome(tasks, outcome, caller, strategies, by=arguments.agent_name, summary=arguments.summary)
        inverted = _list_inverted(tasks, done, caller)
        if done.outcome.success and not done.kept:
            for entry in tasks.errors.by_task(arguments.bead_id):
                if not entry.resolved:
                    tasks.errors.resolve(entry.id)
        open_errors = sum(not entry.resolved for entry in tasks.errors.by_task(arguments.bead_id))
    stored = 0 if done.kept else _remember(done, inverted, task, caller)
    return CompleteReport(
        project=caller.project.root,
        bead_id=arguments.bead_id,
        outcome=TaskOutcomeReport.of(report_fields(done.outcome)),
        voted=done.voted,
        kept=done.kept,
        patterns=report_strategies(done.standings),
        inversions=report_warnings(inverted),
        memory_stored=stored > 0,
        open_errors=open_errors,
    )


def _find_task_text(tasks: OpenTasks, bead_id: str, caller: Caller) -> str:
    """The text of the task: of its own plan, of the one in the same words, or of the one that the session made last."""
    storage, project = tasks.storage, caller.project.id
    plan = storage.plan(project, bead_id) or storage.plan(project, derive_task_id(bead_id))
    plan = plan or storage.open_plan(project, caller.conversation)
    if plan is None or (plan.task_id != bead_id and plan.done_as not in ("", bead_id)):
        return ""
    if plan.task_id != bead_id and not plan.done_as:
        storage.put_plan(replace(plan, done_as=bead_id))
    return f"{plan.task}\n{plan.context}".strip()


def _list_inverted(tasks: OpenTasks, done: RecordedOutcome, caller: Caller) -> Sequence[DecompositionPattern]:
    """The warnings that strategies of this task have become."""
    wanted = {each.pattern.inverted_to for each in done.standings} - {""}
    return [each for each in tasks.credit.warnings(caller.project.id) if each.id in wanted]


def _remember(done: RecordedOutcome, inverted: Sequence[DecompositionPattern], task: str, caller: Caller) -> int:
    """Store what a task has taught: the strategies that it followed, their warnings, and what was done.

    A strategy is one record, under the id by which learning/ counts it, with the texts of the tasks that led to it; what was
    done is a record of the task, so that the same task said twice is stored once. ``task`` is the text of its plan. Returns
    the number of records. Raises StoreError.
    """
    outcome = done.outcome
    said = "\n".join(line for line in f"{task}\n{outcome.summary}".splitlines() if line.strip())
    voted = [each.pattern for each in done.standings if each.pattern.success_count + each.pattern.failure_count]
    with open_memory(caller.project.root) as memory:
        records = [
            record_of_pattern(
                each,
                memory.store.get(each.id),
                task=said,
                project=outcome.project,
                at=outcome.at,
                source=caller.source,
                task_id=outcome.task_id,
                success=outcome.success,
            )
            for each in (*voted, *inverted)
        ]
        if outcome.summary:
            records.append(
                _make_work_record(
                    outcome, task, caller, memory.store.get(task_record_id(outcome.project, outcome.task_id))
                )
            )
        return memory.store.store_all(records) if records else 0


def _make_work_record(outcome: TaskOutcome, task: str, caller: Caller, before: Record | None) -> Record:
    """What was done: learned where it went well, else an attempt. Saying it again takes no mark from it, unless a person does."""
    return Record(
        id=task_record_id(outcome.project, outcome.task_id),
        kind="learning" if outcome.success else "episode",
        content=outcome.summary,
        task=task,
        project=outcome.project,
        task_id=outcome.task_id,
        success=outcome.success,
        at=outcome.at,
        source=caller.source,
        taint=before.taint if before and caller.kind == "agent" else "",
    )
