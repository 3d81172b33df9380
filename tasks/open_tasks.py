"""The state of a project's tasks, open for one call of a tool."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from mind_skills.hooks.credit import list_session_tasks
from mind_skills.hooks.reminding import WatchedErrorStorage, update_reminders
from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.credit import Credit, Standing
from mind_skills.learning.maturity import MaturityState, format_maturity, multiplier
from mind_skills.learning.rules import rules_of
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.storage import PACKAGE, STEPS
from mind_skills.learning.tasks import TaskOutcome, TaskStorage
from mind_skills.output.document import Document
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import Seen
from mind_skills.store.database import Database
from mind_skills.store.home import ensure
from mind_skills.tasks.caller import Caller

WORKING = 12 * 3_600_000
"""Milliseconds. A task that was planned longer ago was laid aside meanwhile, and nobody knows how long it took."""


class Voter(NamedTuple):
    """A session that has votes: how its ``log`` says that it stands, and what was said of its ``tasks``, the oldest first."""

    seen: Seen
    log: OutcomeType
    tasks: Sequence[TaskOutcome]


class OpenTasks:
    """Plans, outcomes, errors and patterns, over one open database. ``home`` is the state folder."""

    def __init__(self, home: str, database: Database, caller: Caller) -> None:
        self.home = home
        self.storage = TaskStorage(database)
        self.errors = WatchedErrorStorage(database, caller.project.id)
        self.credit = Credit(database, rules_of(caller.project.root))
        self._project = caller.project.id
        self._database = database

    def find_voter(self, outcome: TaskOutcome) -> Voter | None:
        """The session whose vote an outcome is; None where it is none: no hook has told of it, or of another project.

        An agent speaks for a session that goes on; what a person said of its tasks counts also when it is over.
        """
        if not outcome.session:
            return None
        with Ledger.open(self.home) as ledger:
            seen = ledger.find_session(outcome.session)
            if seen is None or seen.project.id != self._project:
                return None
            if outcome.said_by == "agent" and seen.finished_at is not None:
                return None
            return Voter(seen, ledger.find_outcome(seen.session_id), list_session_tasks(self._database, seen))

    def measure_since_plan(self, task_id: str, now: int) -> int:
        """Milliseconds from the plan of a task until ``now``; 0 where there is none, or where it is too long ago."""
        plan = self.storage.plan(self._project, task_id)
        worked = now - plan.at if plan is not None else 0
        return worked if 0 < worked <= WORKING else 0


@contextmanager
def open_tasks(caller: Caller) -> Generator[OpenTasks]:
    """The tasks of the caller's project; sessions that are resumed know afterwards what is open. Raises StoreError, OSError."""
    home = ensure()
    with Database.open(home, PACKAGE, STEPS) as database:
        tasks = OpenTasks(home, database, caller)
        yield tasks
    if tasks.errors.touched:
        update_reminders(home, tasks.errors.touched)


class StrategyReport(Document):
    """A strategy and where it stands. Counts are of votes; ``text`` is its state in words."""

    id: str
    content: str
    state: MaturityState
    multiplier: float
    helpful: int
    harmful: int
    text: str


class AntiPatternReport(Document):
    """A strategy that kept failing. ``content`` begins with AVOID, ``reason`` has the figures, ``pattern`` is what it was."""

    id: str
    pattern: str
    content: str
    reason: str


def name_pattern(pattern: DecompositionPattern) -> str:
    """What commands call a pattern."""
    last = pattern.id.rpartition("/")[2]
    return f"anti-{last}" if pattern.kind == "anti_pattern" else last


def report_strategies(standings: Iterable[Standing]) -> list[StrategyReport]:
    return [
        StrategyReport(
            id=name_pattern(each.pattern),
            content=each.pattern.content,
            state=each.maturity.state,
            multiplier=multiplier(each.maturity.state),
            helpful=each.pattern.success_count,
            harmful=each.pattern.failure_count,
            text=format_maturity(each.maturity),
        )
        for each in standings
    ]


def report_warnings(patterns: Iterable[DecompositionPattern]) -> list[AntiPatternReport]:
    """What is to be avoided."""
    return [
        AntiPatternReport(
            id=(name := name_pattern(each)),
            pattern=name.removeprefix("anti-"),
            content=each.content,
            reason=each.reason,
        )
        for each in patterns
    ]
