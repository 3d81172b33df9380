"""Work through the labelled sessions: judge what the product raises in each, or measure what is proposed in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import parent_process
from typing import Generic, NamedTuple, TypeVar

from mind_skills.detectors import registry
from mind_skills.detectors.scorer import Model, tier
from mind_skills.errors import LogError, MindSkillsError
from mind_skills.evaluation.judging import SessionScore, judge, missing
from mind_skills.evaluation.labels import Label
from mind_skills.evaluation.measuring import Measured, Meter
from mind_skills.evaluation.raising import raised
from mind_skills.observations.find_logs import Log, explain_unread
from mind_skills.observations.read import open_log
from mind_skills.output.text import path_text
from mind_skills.plugin.workers import WorkerDiedError, run_each
from mind_skills.staging import analyse

NICENESS = 10
"""Of the processes that do the work: whoever waits for minutes goes on with something else meanwhile."""
Done = TypeVar("Done")


class Task(NamedTuple):
    """One session, and the weights to look at it with; None stands for those that are shipped."""

    label: Label
    log: Log
    model: Model | None = None


@dataclass(slots=True)
class Answer(Generic[Done]):
    """What came of one session; or why it could not be read."""

    name: str
    done: Done | None = None
    problem: str = ""
    bug: str = ""
    """A report to paste, where the fault is ours."""


def judged(task: Task) -> Answer[SessionScore]:
    """What the product raises in a session, judged. Never raises: see ``Answer``."""
    return _guarded(task, _judge)


def measured(task: Task) -> Answer[Measured]:
    """What is proposed in a session, measured. Never raises: see ``Answer``."""
    return _guarded(task, _measure)


def _judge(task: Task) -> SessionScore:
    detect: analyse.Detect = registry.detect if task.model is None else partial(registry.detect, model=task.model)
    tiers = partial(tier, model=task.model)
    analysis = analyse.analyse(task.log.path, format_name=task.log.format, whole=False, detect=detect, tiers=tiers)
    if nothing := explain_unread(task.log, analysis.session, analysis.observations):
        raise nothing
    return judge(task.label, [raised(each) for each in analysis.candidates])


def _measure(task: Task) -> Measured:
    meter, log = Meter(task.label), open_log(task.log.path, task.log.format)
    analysis = analyse.judge(log.session, log.observations, meter.look)
    if nothing := explain_unread(task.log, analysis.session, analysis.observations):
        raise nothing
    return meter.result()


def _guarded(task: Task, work: Callable[[Task], Done]) -> Answer[Done]:
    if parent_process() is not None and hasattr(os, "nice"):
        os.nice(max(0, NICENESS - os.nice(0)))
    answer: Answer[Done] = Answer(task.label.name)
    try:
        answer.done = work(task)
    except LogError as failure:
        answer.problem = f"{path_text(str(task.log.path))}: {failure}; {failure.hint}."
    except Exception as failure:  # noqa: BLE001 -- a bug in a reader or detector: named with its place, and the others go on
        from mind_skills.output.bug import report

        answer.problem = f"{path_text(str(task.log.path))}: {type(failure).__name__} in mind-skills."
        answer.bug = report(failure, ["eval"])
    return answer


@dataclass(slots=True)
class Answers(Generic[Done]):
    """What came of each session by name, and what went wrong, in sentences."""

    done: dict[str, Done] = field(default_factory=dict[str, Done])
    problems: list[str] = field(default_factory=list[str])


def run(
    work: Callable[[Task], Answer[Done]], tasks: Sequence[Task], jobs: int, advance: Callable[[], None]
) -> Answers[Done]:
    """Work through all sessions, ``jobs`` at a time. ``advance`` is called after each.

    Raises:
        MindSkillsError: a fault of ours; it carries a report to paste.
    """
    # The longest first: at the end no processor waits for one long session.
    tasks = sorted(tasks, key=lambda task: -task.label.length)
    answers: Answers[Done] = Answers()
    for index, answer in run_each(work, tasks, jobs):
        advance()
        if isinstance(answer, WorkerDiedError):
            answers.problems.append(f"{tasks[index].label.name}: the process that read it was ended: try --jobs 1.")
        elif answer.bug:
            raise MindSkillsError("bug", answer.problem, answer.bug)
        elif answer.done is None:
            answers.problems.append(answer.problem)
        else:
            answers.done[answer.name] = answer.done
    answers.problems.sort()
    return answers


def scores(labels: Sequence[Label], answers: Mapping[str, SessionScore]) -> list[SessionScore]:
    """Every score in the order of the labels; a session without an answer scores as missing."""
    return [answers[label.name] if label.name in answers else missing(label) for label in labels]
