"""Records of what is counted elsewhere: a strategy of learning/, with the tasks that led to it."""

from __future__ import annotations

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.memory.model import TASK, Record
from mind_skills.store.project import digest


def of_pattern(
    pattern: DecompositionPattern,
    before: Record | None,
    *,
    task: str,
    project: str,
    at: int,
    source: str,
    task_id: str = "",
    success: bool | None = None,
) -> Record:
    """The record of a strategy, or of its warning: its id is the strategy's. ``before`` is what stands under it now.

    ``task`` is the text of the task that followed it; the texts of those before it stay, as far as there is room.
    """
    total = pattern.success_count + pattern.failure_count
    return Record(
        id=pattern.id,
        kind=pattern.kind,
        content=pattern.content,
        task=with_task(before.task if before else "", task),
        project=project,
        reference=pattern.id,
        task_id=task_id,
        success=success,
        failure_rate=round(pattern.failure_count / total, 2) if total else None,
        at=at,
        source=source,
        taint=before.taint if before else "",
    )


def task_record_id(project: str, task_id: str) -> str:
    """The id of the record of a finished task: what its `complete` told."""
    return f"task-{digest(f'{project}|{task_id}')}"


def with_task(tasks: str, task: str) -> str:
    """The texts of tasks with one more at their beginning, each once, as many as there is room for."""
    kept = [each for each in dict.fromkeys([task.strip(), *tasks.split("\n\n")]) if each]
    while len(kept) > 1 and len("\n\n".join(kept)) > TASK:
        kept.pop()
    return "\n\n".join(kept)[:TASK].strip()
