"""Process the labelled sessions in parallel. A log that cannot be read is reported, and the others continue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from mind_skills.detectors.scorer import Model
from mind_skills.errors import LogError, MindSkillsError
from mind_skills.observations.find_logs import Log
from mind_skills.output.text import format_bug_report, format_path
from mind_skills.store.process_pool import WorkerDiedError, run_in_processes
from research.evaluation.labels import Label

Result = TypeVar("Result")


class Task(NamedTuple):
    """One session. ``model`` holds the weights to use, or is None for those shipped with the package."""

    label: Label
    log: Log
    model: Model | None = None


def run_tasks(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int, advance: Callable[[], None]
) -> tuple[dict[str, Result], list[str]]:
    """Process all sessions, ``jobs`` in parallel. Return the results by session name, and descriptions of errors.

    Raises:
        MindSkillsError: there is a bug in mind-skills; the hint is a report to paste into an issue.
    """
    # Largest first, so that processors do not idle while the last long session finishes.
    tasks = sorted(tasks, key=lambda task: -get_size(task.log))
    results, problems = dict[str, Result](), list[str]()
    for index, outcome in run_in_processes(partial(_run_guarded, work), tasks, jobs):
        advance()
        killed = None, "the process that read it was killed; try --jobs 1.", ""
        result, problem, bug = killed if isinstance(outcome, WorkerDiedError) else outcome
        if bug:
            raise MindSkillsError("bug", problem, bug)
        if result is None:
            problems.append(f"{format_path(str(tasks[index].log.path))}: {problem}")
        else:
            results[tasks[index].label.name] = result
    return results, sorted(problems)


def _run_guarded(work: Callable[[Task], Result], task: Task) -> tuple[Result | None, str, str]:
    """Return the result, or else what is wrong and, for a bug, a report. Errors cannot be sent from one process to another."""
    try:
        return work(task), "", ""
    except LogError as failure:
        return None, f"{failure}; {failure.hint}.", ""
    except Exception as failure:  # noqa: BLE001 -- reported with its location by the parent process
        return None, f"{type(failure).__name__} in mind-skills.", format_bug_report(failure, ["evaluation"])


def get_size(log: Log) -> int:
    """Return the size of a log in bytes, 0 if it is a part of a file."""
    return log.path.stat().st_size if log.path.is_file() else 0
