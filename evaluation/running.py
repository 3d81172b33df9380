"""Process the labelled sessions: judge what the product raises, or measure what is proposed."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import parent_process
from typing import Generic, NamedTuple, TypeVar

from mind_skills.detectors import registry
from mind_skills.detectors.scorer import Model, find_tier
from mind_skills.errors import LogError, MindSkillsError
from mind_skills.evaluation.judging import Raised, SessionScore, build_missing_score, score_session
from mind_skills.evaluation.labels import Label
from mind_skills.evaluation.measuring import Measured, Meter
from mind_skills.observations.find_logs import Log, explain_empty_log
from mind_skills.observations.read import open_log
from mind_skills.output.text import format_bug_report, format_path
from mind_skills.plugin.process_pool import WorkerDiedError, run_in_processes
from mind_skills.staging import analyse
from mind_skills.staging.entry_text import render_entry
from mind_skills.staging.model import Candidate, cap_candidate

NICENESS = 10
"""Niceness of the worker processes, since they may run for minutes."""
Result = TypeVar("Result")


class Task(NamedTuple):
    """One session. ``model`` holds the weights to use, or is None for those shipped with the package."""

    label: Label
    log: Log
    model: Model | None = None


@dataclass(slots=True)
class Outcome(Generic[Result]):
    """The result of one session, or why it could not be read."""

    name: str
    result: Result | None = None
    problem: str = ""
    bug: str = ""
    """A report to paste into an issue, if the error is a bug in mind-skills."""


def judge_session(task: Task) -> Outcome[SessionScore]:
    """Judge what the product raises in a session. Never raises; errors are in the outcome."""
    return run_guarded(task, _judge)


def measure_session(task: Task) -> Outcome[Measured]:
    """Measure what is proposed in a session. Never raises; errors are in the outcome."""
    return run_guarded(task, _measure)


def _judge(task: Task) -> SessionScore:
    detect: analyse.Detect = registry.detect if task.model is None else partial(registry.detect, model=task.model)
    tiers = partial(find_tier, model=task.model)
    analysis = analyse.analyse(
        task.log.path, format_name=task.log.format, include_waiting=False, detect=detect, tiers=tiers
    )
    if unread := explain_empty_log(task.log, analysis.session, analysis.observation_count):
        raise unread
    score = score_session(task.label, [_build_offered(candidate) for candidate in analysis.candidates])
    return replace(score, has_succeeded=analysis.outcome.success)


def _build_offered(candidate: Candidate) -> Raised:
    offer = render_entry(cap_candidate(candidate))
    return Raised(
        candidate.kind,
        candidate.title,
        candidate.evidence,
        offer,
        candidate.confidence,
        candidate.probability,
        bool(candidate.taint),
    )


def _measure(task: Task) -> Measured:
    meter, log = Meter(task.label), open_log(task.log.path, task.log.format)
    analysis = analyse.analyse_observations(log.session, log.observations, meter.measure_window)
    if unread := explain_empty_log(task.log, analysis.session, analysis.observation_count):
        raise unread
    return meter.build_result()


def run_guarded(task: Task, work: Callable[[Task], Result]) -> Outcome[Result]:
    """Return the outcome of ``work`` for a session. Never raises; errors are in the outcome. Lowers the priority of a worker process."""
    if parent_process() is not None and hasattr(os, "nice"):
        os.nice(max(0, NICENESS - os.nice(0)))
    outcome: Outcome[Result] = Outcome(task.label.name)
    try:
        outcome.result = work(task)
    except LogError as failure:
        outcome.problem = f"{format_path(str(task.log.path))}: {failure}; {failure.hint}."
    except Exception as failure:  # noqa: BLE001 -- a bug in a reader or detector is reported with its location, and the others continue
        outcome.problem = f"{format_path(str(task.log.path))}: {type(failure).__name__} in mind-skills."
        outcome.bug = format_bug_report(failure, ["evaluation"])
    return outcome


@dataclass(slots=True)
class Outcomes(Generic[Result]):
    """Results by session name, and descriptions of errors."""

    results: dict[str, Result] = field(default_factory=dict[str, Result])
    problems: list[str] = field(default_factory=list[str])


def run_tasks(
    work: Callable[[Task], Outcome[Result]], tasks: Sequence[Task], jobs: int, advance: Callable[[], None]
) -> Outcomes[Result]:
    """Process all sessions, ``jobs`` in parallel. ``advance`` is called after each.

    Raises:
        MindSkillsError: there is a bug in mind-skills; the hint is a report to paste into an issue.
    """
    # Longest first, so that processors do not idle while the last long session finishes.
    tasks = sorted(tasks, key=lambda task: -task.label.length)
    outcomes: Outcomes[Result] = Outcomes()
    for index, outcome in run_in_processes(work, tasks, jobs):
        advance()
        if isinstance(outcome, WorkerDiedError):
            outcomes.problems.append(f"{tasks[index].label.name}: the process that read it was killed; try --jobs 1.")
        elif outcome.bug:
            raise MindSkillsError("bug", outcome.problem, outcome.bug)
        elif outcome.result is None:
            outcomes.problems.append(outcome.problem)
        else:
            outcomes.results[outcome.name] = outcome.result
    outcomes.problems.sort()
    return outcomes


def collect_scores(labels: Sequence[Label], scores_by_name: Mapping[str, SessionScore]) -> list[SessionScore]:
    """Return the scores in the order of the labels; sessions without a score count as missing."""
    return [
        scores_by_name[label.name] if label.name in scores_by_name else build_missing_score(label) for label in labels
    ]
