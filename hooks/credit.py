"""A session's votes, after the last look at its log, and the advice that the next sessions get from all votes.

A session has one vote on a strategy, also where its agent says of many tasks how they came out. A vote that is cast while
the session goes on is replaced by what it comes to in the end (learning/credit.py).
"""

from __future__ import annotations

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.learning.anti_patterns import format_anti_patterns
from mind_skills.learning.credit import Credit
from mind_skills.learning.maturity import format_patterns
from mind_skills.learning.rules import DEFAULTS, Rules
from mind_skills.learning.storage import PACKAGE, STEPS
from mind_skills.learning.tasks import TaskStorage
from mind_skills.staging import start_files
from mind_skills.store.database import Database

TYPE_CHECKING = False
if TYPE_CHECKING:  # commands pass through here that read no log
    from collections.abc import Iterable, Sequence

    from mind_skills.learning.scoring import OutcomeType
    from mind_skills.learning.tasks import TaskOutcome
    from mind_skills.staging.analyse import Analysis
    from mind_skills.staging.tables.sessions import Seen

LINES = 3
"""Warnings, and proven patterns, that one session is told at most."""
CLEAR = ("helpful", "harmful")
"""The outcomes of a session that say how what it followed came out."""


def credit_session(home: str, seen: Seen, analysis: Analysis, at: int, rules: Rules = DEFAULTS) -> None:
    """Let a session vote on what it followed, and make the project's advice ready. Repeated, it changes nothing.

    ``rules`` are the numbers of its project. A fork has its parent's plans in its log, and no vote on them. Raises
    StoreError, OSError.
    """
    followed = [] if SessionMarkers(home, seen.session_id).forked.read() else analysis.strategies
    ended = analysis.outcome.at
    with Database.open(home, PACKAGE, STEPS) as database:
        votes, tasks = Credit(database, rules), list_session_tasks(database, seen)
        said = [name for task in tasks for name in task.strategies]
        log = analysis.outcome.type
        cast_votes(votes, seen, [*followed, *said], log, tasks, at=at if ended is None else ended, now=at)
        update_advice(home, seen.project.id, votes, at)


def list_session_tasks(database: Database, seen: Seen) -> list[TaskOutcome]:
    """What was said of the tasks of a session in its own project, the oldest first. Raises StoreError."""
    said = TaskStorage(database).of_session(seen.session_id)
    return [task for task in said if task.project == seen.project.id]


def cast_votes(
    votes: Credit,
    seen: Seen,
    strategies: Iterable[str],
    log: OutcomeType,
    tasks: Sequence[TaskOutcome],
    *,
    at: int,
    now: int,
    anew: bool = False,
) -> None:
    """One vote of a session on each of ``strategies``, however many ``tasks`` of it there are. Repeated, it changes nothing.

    It is what a person said of a task that followed the strategy, else what the ``log`` says of the session, which ended
    ``at``, else what the agent said, the last of its tasks. ``anew`` as in Credit.vote. Raises StoreError.
    """
    for name in dict.fromkeys(strategies):
        spoken = [task for task in tasks if name in task.strategies]
        word = [task for task in spoken if task.said_by == "user"] or ([] if log in CLEAR else spoken)
        kind, when = (word[-1].type, word[-1].at) if word else (log, at)
        votes.vote(seen.project.id, seen.session_id, [name], kind, at=when, now=now, anew=anew)


def update_advice(home: str, project: str, votes: Credit, now: int | None = None) -> None:
    """Make a project's advice ready: its newest warnings, and what is proven (``now``: as Credit.proven). Raises StoreError, OSError."""
    proven = sorted(votes.proven(project, now=now), key=lambda each: (-each.maturity.helpful_count, each.pattern.id))
    sections = [
        format_anti_patterns(votes.warnings(project)[:LINES]).rstrip("\n"),
        format_patterns((each.pattern.content, each.maturity) for each in proven[:LINES]),
    ]
    start_files.write_advice(home, project, "\n\n".join(filter(None, sections)))
