"""Votes of a session after its last checkpoint, one per strategy, and the advice that the next sessions receive."""

from __future__ import annotations

from mind_skills.learning.anti_patterns import format_anti_patterns
from mind_skills.learning.credit import Credit
from mind_skills.learning.maturity import format_patterns
from mind_skills.learning.rules import DEFAULTS, Rules
from mind_skills.learning.storage import SCHEMA, TaskStorage
from mind_skills.staging import start_files
from mind_skills.store.database import Database

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing this at run time would load the readers of logs, which some commands do not need
    from collections.abc import Iterable, Sequence

    from mind_skills.learning.scoring import OutcomeType
    from mind_skills.learning.storage import TaskOutcome
    from mind_skills.staging.analyse import Analysis
    from mind_skills.staging.tables.sessions import ReportedSession

MAX_ADVICE_ITEMS = 3
"""Maximum number of warnings, and of proven strategies, in the advice."""
DECISIVE_OUTCOMES = ("helpful", "harmful")
"""Outcomes that show whether the strategies of a session worked."""


def credit_session(
    home: str, session: ReportedSession, analysis: Analysis, at: int, rules: Rules = DEFAULTS, *, is_fork: bool = False
) -> None:
    """Cast the votes of a session, unless it is a fork, and update the project's advice. Idempotent. Raises StoreError,
    OSError.
    """
    followed = [] if is_fork else analysis.strategies
    with Database.open(home, SCHEMA) as database:
        credit, tasks = Credit(database, rules), list_session_tasks(database, session)
        strategies = [*followed, *(name for task in tasks for name in task.strategies)]
        ended = at if analysis.outcome.at is None else analysis.outcome.at
        cast_votes(credit, session, strategies, analysis.outcome.type, tasks, at=ended, now=at)
        update_advice(home, session.project.id, credit, at)


def list_session_tasks(database: Database, session: ReportedSession) -> list[TaskOutcome]:
    """Return the recorded outcomes of the session's tasks in its own project, oldest first. Raises StoreError."""
    outcomes = TaskStorage(database).list_outcomes_by_session(session.session_id)
    return [task for task in outcomes if task.project == session.project.id]


def cast_votes(
    credit: Credit,
    session: ReportedSession,
    strategies: Iterable[str],
    log_outcome: OutcomeType,
    tasks: Sequence[TaskOutcome],
    *,
    at: int,
    now: int,
    recast_undone: bool = False,
) -> None:
    """Cast one vote per strategy: of its deciding task, or else ``log_outcome`` at ``at``. Times are UTC ms.
    Idempotent. Raises StoreError.
    """
    for name in dict.fromkeys(strategies):
        task = find_deciding_task(name, log_outcome, tasks)
        outcome, voted_at = (log_outcome, at) if task is None else (task.type, task.at)
        credit.vote(
            session.project.id, session.session_id, [name], outcome, at=voted_at, now=now, recast_undone=recast_undone
        )


def find_deciding_task(strategy: str, log_outcome: OutcomeType, tasks: Iterable[TaskOutcome]) -> TaskOutcome | None:
    """Return the task whose outcome is the vote on ``strategy``: the last that a person recorded or, unless the log is
    decisive, an agent.
    """
    matching = sorted((task for task in tasks if strategy in task.strategies), key=lambda task: task.at)
    by_user = [task for task in matching if task.reported_by == "user"]
    deciding = by_user or ([] if log_outcome in DECISIVE_OUTCOMES else matching)
    return deciding[-1] if deciding else None


def update_advice(home: str, project_id: str, credit: Credit, now: int | None = None) -> None:
    """Write the newest warnings and most helpful proven strategies of a project, decayed to ``now`` (UTC ms). Raises
    StoreError, OSError.
    """
    proven = sorted(
        credit.list_proven(project_id, now=now),
        key=lambda standing: (-standing.maturity.helpful_count, standing.pattern.id),
    )
    sections = [
        format_anti_patterns(credit.list_warnings(project_id)[:MAX_ADVICE_ITEMS]).rstrip("\n"),
        format_patterns((standing.pattern.content, standing.maturity) for standing in proven[:MAX_ADVICE_ITEMS]),
    ]
    start_files.write_advice(home, project_id, "\n\n".join(filter(None, sections)))
