"""The state of a project's tasks, open for one call of a tool."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from mind_skills.hooks.reminding import WatchedErrorStorage, remind
from mind_skills.learning.credit import strategy_id
from mind_skills.learning.sqlite_credit import lasting_credit
from mind_skills.learning.sqlite_storage import SqliteMaturityStorage
from mind_skills.learning.tables import PACKAGE, STEPS
from mind_skills.learning.task_storage import TaskStorage
from mind_skills.plugin.rules import rules
from mind_skills.plugin.tools.caller import Caller
from mind_skills.store.database import Database
from mind_skills.store.home import ensure

WORKING = 12 * 3_600_000
"""Milliseconds. A task that was planned longer ago was laid aside meanwhile, and nobody knows how long it took."""


class OpenTasks:
    """Plans, outcomes, errors and patterns, over one open database. ``home`` is the state folder."""

    def __init__(self, home: str, database: Database, caller: Caller) -> None:
        """Use ``opened``."""
        self.home = home
        self.storage = TaskStorage(database)
        self.errors = WatchedErrorStorage(database, caller.project.id)
        self.credit = lasting_credit(database, rules(caller.project.root))
        self._project = caller.project.id
        self._votes = SqliteMaturityStorage(database)

    def has_voted(self, session: str, strategy: str) -> bool:
        """Whether the log of a session has had its word on a strategy already."""
        votes = self._votes.feedback(strategy_id(self._project, strategy))
        return bool(session) and any(vote.source == session for vote in votes)

    def since_plan(self, task_id: str, now: int) -> int:
        """Milliseconds from the plan of a task until ``now``; 0 where there is none, or where it is too long ago."""
        plan = self.storage.plan(self._project, task_id)
        worked = now - plan.at if plan is not None else 0
        return worked if 0 < worked <= WORKING else 0


@contextmanager
def opened(caller: Caller) -> Generator[OpenTasks]:
    """The tasks of the caller's project; sessions that are resumed know afterwards what is open. Raises StoreError, OSError."""
    home = ensure()
    with Database.open(home, PACKAGE, STEPS) as database:
        tasks = OpenTasks(home, database, caller)
        yield tasks
    if tasks.errors.touched:
        remind(home, tasks.errors.touched)
