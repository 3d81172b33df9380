"""A session's votes, after each look at the whole of its log, and the advice that the next sessions get from all votes.

A vote that is cast while the session goes on is replaced by what it comes to in the end (learning/credit.py).
"""

from __future__ import annotations

from mind_skills.hooks import traces
from mind_skills.learning.anti_patterns import format_anti_patterns
from mind_skills.learning.credit import Credit
from mind_skills.learning.maturity_text import format_patterns
from mind_skills.learning.rules import DEFAULTS, Rules
from mind_skills.learning.sqlite_credit import lasting_credit
from mind_skills.learning.tables import PACKAGE, STEPS
from mind_skills.learning.task_storage import TaskStorage
from mind_skills.staging import advice
from mind_skills.store.database import Database

TYPE_CHECKING = False
if TYPE_CHECKING:  # commands pass through here that read no log
    from mind_skills.learning.scoring import OutcomeType
    from mind_skills.staging.analyse import Analysis
    from mind_skills.staging.sessions import Seen

LINES = 3
"""Warnings, and proven patterns, that one session is told at most."""


def credit(home: str, seen: Seen, analysis: Analysis, at: int, rules: Rules = DEFAULTS) -> None:
    """Let a session vote on what it followed, and make the project's advice ready. Repeated, it changes nothing.

    ``rules`` are the numbers of its project.

    A fork has its parent's plans in its log, and no vote on them. What its agent said of single tasks (`complete`) counts
    only while the log does not say how the session came out: the same work is one vote. Raises StoreError, OSError.
    """
    followed = [] if traces.read(home, traces.FORKED, "", seen.session_id) else analysis.strategies
    ended = analysis.outcome.at
    clear = analysis.outcome.type in ("helpful", "harmful")
    with Database.open(home, PACKAGE, STEPS) as database:
        votes = lasting_credit(database, rules)
        for task in TaskStorage(database).of_session(seen.session_id):
            counted = [name for name in task.strategies if name in followed and task.said_by == "agent"]
            said: OutcomeType = "unknown" if clear else task.type
            votes.vote(task.project, f"task {task.task_id}", counted, said, at=task.at, now=at)
        votes.vote(
            seen.project.id,
            seen.session_id,
            followed,
            analysis.outcome.type,
            at=at if ended is None else ended,
            now=at,
        )
        advise(home, seen.project.id, votes, at)


def advise(home: str, project: str, votes: Credit, now: int | None = None) -> None:
    """Make a project's advice ready: its newest warnings, and what is proven (``now``: as Credit.proven). Raises StoreError, OSError."""
    proven = sorted(votes.proven(project, now=now), key=lambda each: (-each.maturity.helpful_count, each.pattern.id))
    sections = [
        format_anti_patterns(votes.warnings(project)[:LINES]).rstrip("\n"),
        format_patterns((each.pattern.content, each.maturity) for each in proven[:LINES]),
    ]
    advice.put(home, project, "\n\n".join(filter(None, sections)))
