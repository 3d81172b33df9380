"""Replay the labelled sessions, each read once and judged in every variant that is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import parent_process
from typing import NamedTuple

from mind_skills.errors import LogError, MindSkillsError
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.read import open_log
from mind_skills.plugin.evaluating.judging import SessionScore, judge, missing
from mind_skills.plugin.evaluating.labels import Label
from mind_skills.plugin.evaluating.trying import tried
from mind_skills.plugin.evaluating.variants import Variant
from mind_skills.plugin.output import path_text
from mind_skills.plugin.sources import Log
from mind_skills.plugin.unread import unread
from mind_skills.plugin.workers import WorkerDiedError, each
from mind_skills.staging import analyse

NICENESS = 10
"""Of the processes that do the work: whoever waits for minutes goes on with something else meanwhile."""


class Task(NamedTuple):
    """One session, and what to try on it."""

    label: Label
    log: Log
    variants: tuple[Variant, ...]


@dataclass(slots=True)
class Tried:
    """The scores of one session, in the order of the task's variants; or why it could not be read."""

    name: str
    scores: list[SessionScore] = field(default_factory=list[SessionScore])
    problem: str = ""
    bug: str = ""
    """A report to paste, where the fault is ours."""


def work(task: Task) -> Tried:
    """Try every variant on one session. Never raises: see ``Tried``."""
    if parent_process() is not None and hasattr(os, "nice"):
        os.nice(max(0, NICENESS - os.nice(0)))
    done = Tried(task.label.name)
    try:
        log = open_log(task.log.path, task.log.format)
        observations = list(log.observations)
        done.scores = [_score(task, log.session, observations, variant) for variant in task.variants]
    except LogError as failure:
        done.problem = f"{path_text(str(task.log.path))}: {failure}; {failure.hint}."
    except Exception as failure:  # noqa: BLE001 -- a bug in a reader or detector: named with its place, and the others go on
        from mind_skills.plugin.bug import report

        done.problem = f"{path_text(str(task.log.path))}: {type(failure).__name__} in mind-skills."
        done.bug = report(failure, ["eval"])
    return done


def _score(task: Task, session: Session, observations: Sequence[Observation], variant: Variant) -> SessionScore:
    with tried(variant):
        analysis = analyse.judge(session, observations)
    if nothing := unread(task.log, analysis):
        raise nothing
    return judge(task.label, analysis.candidates)


@dataclass(slots=True)
class Replays:
    """Every score, by variant, in the order of the labels; and what went wrong."""

    scores: dict[Variant, list[SessionScore]]
    problems: list[str] = field(default_factory=list[str])


def run(
    labels: Sequence[Label],
    logs: Mapping[str, Log],
    variants: Sequence[Variant],
    jobs: int,
    advance: Callable[[], None],
) -> Replays:
    """Try all ``variants`` on all labelled sessions, ``jobs`` at a time. ``advance`` is called after each session.

    A session without a log, or with one that cannot be read, scores as missing in each variant.

    Raises:
        MindSkillsError: a fault of ours; it carries a report to paste.
    """
    tasks = [Task(label, logs[label.name], tuple(variants)) for label in labels if label.name in logs]
    # The longest first: at the end no processor waits for one long session.
    tasks.sort(key=lambda task: -task.label.length)
    by_name: dict[str, list[SessionScore]] = {}
    problems: list[str] = []
    for index, result in each(work, tasks, jobs):
        advance()
        if isinstance(result, WorkerDiedError):
            problems.append(f"{tasks[index].label.name}: the process that read it was ended: try --jobs 1.")
        elif result.bug:
            raise MindSkillsError("bug", result.problem, result.bug)
        elif result.problem:
            problems.append(result.problem)
        else:
            by_name[result.name] = result.scores
    scores: dict[Variant, list[SessionScore]] = {
        variant: [by_name[label.name][at] if label.name in by_name else missing(label) for label in labels]
        for at, variant in enumerate(variants)
    }
    return Replays(scores, sorted(problems))
