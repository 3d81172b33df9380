"""The errors of tasks, in the state of this machine, and as documents."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from mind_skills.cli.error_report import ErrorsReport, TaskErrorReport
from mind_skills.hooks.reminding import WatchedErrorStorage, remind
from mind_skills.learning.accumulator import ErrorAccumulator
from mind_skills.learning.errors import ErrorEntry, format_errors, stats
from mind_skills.learning.tables import PACKAGE, STEPS
from mind_skills.observations.personal import redact_address, redact_personal
from mind_skills.observations.redaction import redact
from mind_skills.observations.text import clean
from mind_skills.plugin.folders import chosen
from mind_skills.store.database import Database
from mind_skills.store.home import ensure
from mind_skills.tasks.caller import RUNNING

ID, MESSAGE = 200, 500
"""Characters that are kept of an id, as by tasks/given.py; of a message, a context or a stack trace."""


@contextmanager
def opened(project: str = "") -> Generator[ErrorAccumulator]:
    """The errors of the project in that folder; what is recorded comes from it, and from the session that asks.

    Afterwards the sessions that are resumed there know of it. Raises MindSkillsError, StoreError, OSError.
    """
    home, place = ensure(), chosen(project)
    with Database.open(home, PACKAGE, STEPS) as database:
        errors = WatchedErrorStorage(database, place.id)
        yield ErrorAccumulator(errors, project=place.id, session=os.environ.get(RUNNING, ""))
    if errors.touched:
        remind(home, errors.touched)


def kept(text: str) -> str:
    """What is kept of a text that a program or a person gave: without secrets, personal data and control characters."""
    return redact_personal(clean(redact(text), MESSAGE)).strip()[:MESSAGE]


def task_id(text: str) -> str:
    """What is kept of a task's id, in one line; empty where nothing is left of it."""
    return redact_address(" ".join(clean(redact(text), ID).split()))[:ID]


def report(task: str, entries: Sequence[ErrorEntry], *, resolved: bool) -> ErrorsReport:
    """The errors of a task as a document; ``resolved`` says whether those that are count among the ones shown."""
    figures = stats(entries)
    shown = [entry for entry in entries if resolved or not entry.resolved]
    return ErrorsReport(
        task=task,
        total=figures.total,
        unresolved=figures.unresolved,
        by_type=figures.by_type,
        errors=[
            TaskErrorReport(
                id=entry.id,
                task=entry.task_id,
                error_type=entry.error_type,
                message=entry.message,
                at=entry.at,
                resolved=entry.resolved,
                tool_name=entry.tool_name,
                context=entry.context,
            )
            for entry in shown
        ],
        text=format_errors(shown),
    )
