"""What was said of a project's tasks, for people and for whoever explains."""

from __future__ import annotations

from mind_skills.errors import MindSkillsError
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.open_tasks import opened
from mind_skills.tasks.outcome_report import OutcomesReport, TaskOutcomeReport, fields


def outcomes(task: str, limit: int, caller: Caller) -> OutcomesReport:
    """The outcome of a task, or the last ``limit`` of all, the last first.

    Raises MindSkillsError where a task is named of which nothing was said, StoreError.
    """
    with opened(caller) as tasks:
        found = [each for each in tasks.storage.outcomes(caller.project.id) if not task or each.task_id == task]
    if task and not found:
        hint = "`mind-skills task outcome list` has those of this project."
        raise MindSkillsError("unknown_task", f"nobody has said how {task[:60]} came out", hint)
    shown = [TaskOutcomeReport.of(fields(each)) for each in found[::-1][:limit]]
    return OutcomesReport(project=caller.project.root, outcomes=shown)
