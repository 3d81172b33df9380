"""The state of a project's tasks, opened for one tool call, and the documents of outcomes, strategies and warnings."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Literal, NamedTuple, TypeVar

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.open_errors import TrackingErrorStorage, update_open_errors
from mind_skills.learning.anti_patterns import WARNING_ID_PREFIX, DecompositionPattern
from mind_skills.learning.credit import Credit, Standing
from mind_skills.learning.errors import ErrorEntry, FailureMode
from mind_skills.learning.maturity import MaturityState, format_maturity, get_multiplier
from mind_skills.learning.rules import load_rules
from mind_skills.learning.scoring import FeedbackType, OutcomeType
from mind_skills.learning.storage import SCHEMA, Reporter, TaskOutcome, TaskStorage
from mind_skills.output.document import Document
from mind_skills.output.state import open_database
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.session_votes import list_session_tasks
from mind_skills.staging.tables.sessions import ReportedSession
from mind_skills.store.database import Database
from mind_skills.store.home import get_state_folder
from mind_skills.tasks.caller import Caller
from mind_skills.tasks.cleaning import derive_task_id

MAX_DURATION_MS = 12 * 3_600_000
"""Twelve hours: a task that was planned earlier counts as interrupted, so its duration is unknown."""


class Voter(NamedTuple):
    """A session that can vote. ``log_outcome`` is its outcome according to its log, ``tasks`` are its recorded task outcomes."""

    session: ReportedSession
    log_outcome: OutcomeType
    tasks: Sequence[TaskOutcome]


class OpenTasks:
    """Plans, outcomes, errors and patterns in an open database. ``home`` is the state folder."""

    def __init__(self, home: str, database: Database, caller: Caller) -> None:
        self.home = home
        self.storage = TaskStorage(database)
        self.errors = TrackingErrorStorage(database, caller.project.id)
        self.credit = Credit(database, load_rules(caller.project.root))
        self._project = caller.project.id
        self._database = database

    def find_voter(self, outcome: TaskOutcome) -> Voter | None:
        """Return the session that votes with this outcome."""
        if not outcome.session:
            return None
        with Ledger.open(self.home) as ledger:
            session = ledger.find_session(outcome.session)
            if session is None or session.project.id != self._project:
                return None
            if outcome.reported_by == "agent" and session.finished_at is not None:
                return None
            return Voter(session, ledger.find_outcome(session.session_id), list_session_tasks(self._database, session))

    def list_errors(self, task_id: str) -> list[ErrorEntry]:
        """Return the errors of a task: those recorded under ``task_id`` and, if it is the text of a plan, under the plan's id."""
        task_ids = dict.fromkeys([task_id, derive_task_id(task_id)])
        return [entry for each in task_ids for entry in self.errors.list_by_task(each)]

    def measure_duration(self, task_id: str, now: int, before: TaskOutcome | None) -> int:
        """Return the milliseconds from the plan of a task until ``now``; 0 without a plan, or if the plan is too old."""
        plan = self.storage.get_plan(self._project, task_id)
        if before is not None and (plan is None or plan.at <= before.at):
            return before.duration_ms
        elapsed = now - plan.at if plan is not None else 0
        return elapsed if 0 < elapsed <= MAX_DURATION_MS else 0


@contextmanager
def open_tasks(caller: Caller, *, create: bool = True) -> Generator[OpenTasks]:
    """Open the tasks of the caller's project; afterwards, update what resumed sessions are shown of changed errors.
    Raises StoreError, OSError.
    """
    with open_database(SCHEMA, create=create) as database:
        home = get_state_folder()
        tasks = OpenTasks(home, database, caller)
        yield tasks
    if tasks.errors.touched:
        update_open_errors(home, tasks.errors.touched)


class TaskOutcomeReport(Document):
    """The outcome of a task.

    ``strategies`` are the strategies recognised in ``strategy`` and ``summary``; ``failure_mode`` is null for a success.
    """

    task: str
    type: FeedbackType
    score: float
    reasoning: str
    success: bool
    duration_ms: int
    error_count: int
    retry_count: int
    files_touched: list[str]
    strategy: str
    strategies: list[str]
    failure_mode: FailureMode | None
    failure_details: str
    agent_name: str
    summary: str
    said_by: Reporter
    at: int


class OutcomesReport(Document):
    """`mind-skills task outcome show --json` and `mind-skills task outcome list --json`. The newest outcome is first."""

    version: Literal[1] = 1
    project: str
    outcomes: list[TaskOutcomeReport]


def list_outcomes(task: str, limit: int, caller: Caller) -> OutcomesReport:
    """Return the outcome of ``task``, or the last ``limit`` of the project, newest first. Raises StoreError,
    MindSkillsError.
    """
    with open_tasks(caller, create=False) as tasks:
        outcomes = [each for each in tasks.storage.list_outcomes(caller.project.id) if not task or each.task_id == task]
    if task and not outcomes:
        hint = "`mind-skills task outcome list` lists the outcomes of this project."
        raise MindSkillsError("unknown_task", f"no outcome was recorded for task {task[:60]}", hint)
    shown = [report_outcome(TaskOutcomeReport, each) for each in outcomes[::-1][:limit]]
    return OutcomesReport(project=caller.project.root, outcomes=shown)


Outcome = TypeVar("Outcome", bound=TaskOutcomeReport)


def report_outcome(kind: type[Outcome], outcome: TaskOutcome, **more: object) -> Outcome:
    return kind.from_object(
        outcome,
        task=outcome.task_id,
        said_by=outcome.reported_by,
        score=round(outcome.score, 3),
        files_touched=list(outcome.files_touched),
        strategies=list(outcome.strategies),
        failure_mode=outcome.failure_mode or None,
        **more,
    )


class StrategyReport(Document):
    """A strategy and its state. ``helpful`` and ``harmful`` are numbers of votes; ``text`` describes the state."""

    id: str
    content: str
    state: MaturityState
    multiplier: float
    helpful: int
    harmful: int
    text: str


class AntiPatternReport(Document):
    """A strategy that kept failing.

    ``content`` begins with AVOID, ``reason`` contains the numbers of votes, ``pattern`` is the id of the strategy.
    """

    id: str
    pattern: str
    content: str
    reason: str


def build_short_id(pattern: DecompositionPattern) -> str:
    """Return the id that commands use for a pattern or warning, which omits the project."""
    last = pattern.id.rpartition("/")[2]
    return f"{WARNING_ID_PREFIX}{last}" if pattern.kind == "anti_pattern" else last


def report_strategies(standings: Iterable[Standing]) -> list[StrategyReport]:
    """Build the reports of strategies."""
    return [
        StrategyReport(
            id=build_short_id(each.pattern),
            content=each.pattern.content,
            state=each.maturity.state,
            multiplier=get_multiplier(each.maturity.state),
            helpful=each.pattern.success_count,
            harmful=each.pattern.failure_count,
            text=format_maturity(each.maturity),
        )
        for each in standings
    ]


def report_warnings(patterns: Iterable[DecompositionPattern]) -> list[AntiPatternReport]:
    """Build the reports of warnings."""
    return [
        AntiPatternReport(
            id=(short_id := build_short_id(each)),
            pattern=short_id.removeprefix(WARNING_ID_PREFIX),
            content=each.content,
            reason=each.reason,
        )
        for each in patterns
    ]
