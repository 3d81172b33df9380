"""What of a finished task goes into the memory: the strategies that it followed, their warnings, and what was done.

A strategy is one record, under the id by which learning/ counts it, with the texts of the tasks that led to it; what was
done is a record of the task. So the same task said twice is stored once.
"""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.tasks import TaskOutcome
from mind_skills.memory.model import Record, record_of_pattern, task_record_id
from mind_skills.tasks import memories
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.record_outcome import Recorded


def remember(done: Recorded, inverted: Sequence[DecompositionPattern], task: str, caller: Caller) -> int:
    """Store what a task has taught; says how many records. ``task`` is the text of its plan. Raises StoreError."""
    outcome = done.outcome
    said = "\n".join(line for line in f"{task}\n{outcome.summary}".splitlines() if line.strip())
    voted = [each.pattern for each in done.standings if each.pattern.success_count + each.pattern.failure_count]
    with memories.opened(caller.project.root) as memory:
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
                _work(outcome, task, caller, memory.store.get(task_record_id(outcome.project, outcome.task_id)))
            )
        return memory.store.store_all(records) if records else 0


def _work(outcome: TaskOutcome, task: str, caller: Caller, before: Record | None) -> Record:
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
