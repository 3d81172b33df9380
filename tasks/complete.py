"""Completion of a task: records the outcome, learns from it, and makes the work available for recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.storage import TaskOutcome, TaskPlan
from mind_skills.learning.strategies import extract_strategies, resolve_strategy
from mind_skills.memory.concepts import extract_concepts
from mind_skills.memory.model import Kind, Record, build_pattern_record, build_task_record_id
from mind_skills.memory.ranking import extract_words
from mind_skills.output.document import Document
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.cleaning import derive_task_id
from mind_skills.tasks.memories import open_memory
from mind_skills.tasks.open_tasks import (
    AntiPatternReport,
    OpenTasks,
    StrategyReport,
    TaskOutcomeReport,
    open_tasks,
    report_outcome,
    report_strategies,
    report_warnings,
)
from mind_skills.tasks.outcomes import OutcomeInput, RecordedOutcome, put_outcome
from mind_skills.tasks.tool_input import (
    Count,
    Duration,
    ErrorCount,
    Line,
    Mode,
    Paths,
    ProjectKey,
    Strategy,
    TaskId,
    Text,
    ToolInput,
)


class CompleteInput(ToolInput):
    """A finished task: the arguments in the specification, and the fields of its outcome."""

    bead_id: Annotated[TaskId, Field(description="The task's id, as returned by plan.")]
    summary: Annotated[Text, Field(description="What was done and how, for similar tasks in the future.")]
    project_key: ProjectKey = ""
    agent_name: Annotated[Line, Field(description="The agent that did the task.")] = ""
    files_touched: Annotated[Paths, Field(default_factory=list)]
    success: Annotated[bool, Field(description="Whether the task succeeded.")] = True
    duration_ms: Duration = None
    error_count: ErrorCount = None
    retry_count: Count = 0
    strategy: Strategy = ""
    failure_mode: Mode = None
    failure_details: Text = ""


class CompleteReport(Document):
    """`mind-skills task complete --json`.

    ``patterns`` are the strategies used, with their current state; ``inversions`` are the warnings against strategies that
    kept failing. ``voted`` is whether the outcome determines the session's vote. ``kept`` is true if an agent completed a
    task whose outcome a person had recorded; that outcome was not changed. ``memory_stored`` is whether anything was
    stored in the memory. ``open_errors`` is the number of the task's unresolved errors.
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


def complete_task(arguments: CompleteInput, caller: Caller) -> CompleteReport:
    """Record a finished task and learn from it. Raises MindSkillsError, StoreError."""
    with open_tasks(caller) as tasks:
        plan = _find_plan(tasks, arguments.bead_id, caller)
        errors = tasks.list_errors(arguments.bead_id)
        strategies = list(
            dict.fromkeys([*resolve_strategy(arguments.strategy), *extract_strategies(arguments.summary)])
        )
        outcome = OutcomeInput.model_validate(arguments.model_dump(exclude={"summary", "agent_name"}))
        recorded = put_outcome(
            tasks, outcome, caller, strategies, agent_name=arguments.agent_name, summary=arguments.summary
        )
        warnings = _list_warnings(tasks, recorded, caller)
        open_errors = [entry for entry in errors if not entry.resolved]
        if recorded.outcome.success and not recorded.is_unchanged:
            for entry in open_errors:
                tasks.errors.resolve(entry.id)
            open_errors = []
    stored_count = 0 if recorded.is_unchanged else _store_memories(recorded, warnings, plan, caller)
    return CompleteReport(
        project=caller.project.root,
        bead_id=arguments.bead_id,
        outcome=report_outcome(TaskOutcomeReport, recorded.outcome),
        voted=recorded.voted,
        kept=recorded.is_unchanged,
        patterns=report_strategies(recorded.standings),
        inversions=report_warnings(warnings),
        memory_stored=stored_count > 0,
        open_errors=len(open_errors),
    )


def _find_plan(tasks: OpenTasks, bead_id: str, caller: Caller) -> TaskPlan | None:
    """Return a task's plan, or else the session's last one without an id; None if that was completed under a third id."""
    storage, project_id = tasks.storage, caller.project.id
    plan = storage.get_plan(project_id, bead_id) or storage.get_plan(project_id, derive_task_id(bead_id))
    plan = plan or storage.get_open_plan_without_id(project_id, caller.conversation)
    if plan is None or (plan.task_id != bead_id and plan.completed_task_id not in ("", bead_id)):
        return None
    if plan.task_id != bead_id and not plan.completed_task_id:
        storage.put_plan(replace(plan, completed_task_id=bead_id))
    return plan


def _list_warnings(tasks: OpenTasks, recorded: RecordedOutcome, caller: Caller) -> Sequence[DecompositionPattern]:
    """Return the warnings against the strategies of this task that kept failing."""
    warning_ids = {each.pattern.inverted_to for each in recorded.standings} - {""}
    return [each for each in tasks.credit.list_warnings(caller.project.id) if each.id in warning_ids]


def _store_memories(
    recorded: RecordedOutcome, warnings: Sequence[DecompositionPattern], plan: TaskPlan | None, caller: Caller
) -> int:
    """Store what was learned from a task: strategies, warnings, and the work done. Raises StoreError."""
    outcome = recorded.outcome
    task = f"{plan.task}\n{plan.context}".strip() if plan else ""
    plan_and_summary = "\n".join(line for line in f"{task}\n{outcome.summary}".splitlines() if line.strip())
    voted = [each.pattern for each in recorded.standings if each.pattern.success_count + each.pattern.failure_count]
    with open_memory(caller.project.root) as memory:
        records = [
            build_pattern_record(
                each,
                memory.store.get(each.id),
                task=plan_and_summary,
                project_id=outcome.project,
                at=outcome.at,
                source=caller.source,
                task_id=outcome.task_id,
                success=outcome.success,
            )
            for each in (*voted, *warnings)
        ]
        if outcome.summary:
            existing = memory.store.get(build_task_record_id(outcome.project, outcome.task_id))
            own_task = task if plan and _is_plan_of(plan, outcome) else ""
            records.append(_make_work_record(outcome, own_task, caller, existing))
        return memory.store.store_all(records) if records else 0


def _is_plan_of(plan: TaskPlan, outcome: TaskOutcome) -> bool:
    """Return whether an outcome has the id or the words of a plan, or its summary has a word or concept of the plan."""
    if plan.task_id in (outcome.task_id, derive_task_id(outcome.task_id)):
        return True
    words, concepts = (
        [set(extract(text)) for text in (f"{plan.task}\n{plan.context}", outcome.summary)]
        for extract in (extract_words, extract_concepts)
    )
    return bool(words[0] & words[1] or concepts[0] & concepts[1])


def _make_work_record(outcome: TaskOutcome, task: str, caller: Caller, existing: Record | None) -> Record:
    """Build the record of the work: a learning on success, otherwise an episode."""
    taint = existing.taint if existing and caller.kind == "agent" else ""
    common = {name: getattr(outcome, name) for name in ("project", "task_id", "success", "at")}
    kind: Kind = "learning" if outcome.success else "episode"
    id_ = build_task_record_id(outcome.project, outcome.task_id)
    return Record(id_, kind, outcome.summary, task=task, source=caller.source, taint=taint, **common)
