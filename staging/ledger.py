"""The ledger: which candidates wait, for whom, and what became of them.

The one door to the state database for everybody but the start of a session (staging/claim.py). Each method is one
transaction: most are a function of staging/tables/ inside one, listed below by subject. The pending file follows when a
change is committed. What goes wrong with it never stops the work: it is collected in ``problems``.

Most commands only read, so what a method alone needs is imported in that method.
"""

from __future__ import annotations

import os
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from mind_skills.errors import StoreError
from mind_skills.staging import claim as claiming
from mind_skills.staging import decisions as deciding
from mind_skills.staging import pending_file, start_files
from mind_skills.staging.model import PER_SESSION
from mind_skills.staging.tables import activity as activity_table
from mind_skills.staging.tables import archived as archive_table
from mind_skills.staging.tables import candidates as candidate_table
from mind_skills.staging.tables import overview as overview_table
from mind_skills.staging.tables import places as place_table
from mind_skills.staging.tables import receipts as receipt_table
from mind_skills.staging.tables import sessions as session_table
from mind_skills.staging.tables import uses as use_table
from mind_skills.staging.tables.schema import PACKAGE, STEPS
from mind_skills.store.database import Database

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping
    from typing import Self

    from mind_skills.learning.criteria import CriterionWeight, FeedbackEvent
    from mind_skills.learning.maturity import MaturityConfig
    from mind_skills.learning.scoring import LearningConfig
    from mind_skills.learning.skills.discovery import Skill
    from mind_skills.staging.form import Json
    from mind_skills.staging.model import Candidate
    from mind_skills.staging.stage import Staged
    from mind_skills.staging.tables.candidates import Record
    from mind_skills.staging.trust import Trust
    from mind_skills.store.project import Project

P = ParamSpec("P")
T = TypeVar("T")


def _read(function: Callable[Concatenate[sqlite3.Connection, P], T]) -> Callable[Concatenate[Ledger, P], T]:
    """A method that calls ``function`` in a transaction in which everything is read from one moment."""

    @wraps(function)
    def method(ledger: Ledger, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with ledger.database.reading() as sql:
            return function(sql, *args, **kwargs)

    return method


def _write(function: Callable[Concatenate[sqlite3.Connection, P], T]) -> Callable[Concatenate[Ledger, P], T]:
    """A method that calls ``function`` in a transaction in which this process alone writes."""

    @wraps(function)
    def method(ledger: Ledger, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with ledger.database.writing() as sql:
            return function(sql, *args, **kwargs)

    return method


class Ledger:
    """Open with ``Ledger.open``, close or use as a context manager. All times are UTC milliseconds.

    Every method may raise StoreError (errors/): the database is busy, damaged, newer or unusable.
    """

    def __init__(self, database: Database, home: str) -> None:
        self.database = database
        self.home = home
        self.problems: list[str] = []
        """What went wrong outside the database, in sentences: for the hook's log and for ``status``."""
        if database.set_aside:
            self.problems.append(f"the database was damaged; it is kept as {database.set_aside}")

    @classmethod
    def open(cls, home: str | os.PathLike[str], timeout: float = 10.0) -> Self:
        """Open the ledger of a state folder (store/home.py), made if need be.

        ``timeout`` is how long each transaction waits for others, in seconds.
        """
        folder = os.fspath(home)
        return cls(Database.open(folder, PACKAGE, STEPS, timeout), folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; harmless when repeated."""
        self.database.close()

    # -- candidates --------------------------------------------------------------------------------------------------

    find_candidate = _read(candidate_table.find_candidate)
    list_history = _read(candidate_table.list_history)
    list_by_state = _read(candidate_table.list_by_state)
    list_covered = _read(candidate_table.list_covered)
    has_coverable = _read(candidate_table.has_coverable)
    has_decisions = _read(candidate_table.has_decisions)
    list_states = _read(candidate_table.list_states)
    find_place_in_line = _read(candidate_table.find_place_in_line)
    list_staged_by = _read(candidate_table.list_staged_by)
    list_sightings = _read(candidate_table.list_sightings)
    exclude_seen_by_others = _read(candidate_table.exclude_seen_by_others)
    list_receipts = _read(receipt_table.list_receipts)
    list_story = _read(receipt_table.list_story)
    count_receipts = _read(receipt_table.count_receipts)
    read_overview = _read(overview_table.read_overview)
    list_activity = _read(activity_table.list_activity)

    def stage(
        self,
        project: Project,
        session_id: str,
        host: str,
        candidates: Iterable[Candidate],
        at: int,
        skills: Iterable[Skill] | None = None,
        learning: LearningConfig | None = None,
        most: int = PER_SESSION,
        *,
        adapts: bool = True,
    ) -> Staged:
        """As ``staging.stage.stage``, with the pending file brought in step."""
        from dataclasses import replace

        from mind_skills.learning.scoring import DEFAULTS
        from mind_skills.staging.stage import stage

        seen, already = (project, session_id, host, candidates, at), len(self.problems)
        done = self._change(project, lambda sql: stage(sql, *seen, skills, learning or DEFAULTS, most, adapts=adapts))
        return replace(done, problems=tuple(self.problems[already:]))

    # -- what waits, and its file ------------------------------------------------------------------------------------

    find_git_verdict = _read(place_table.find_git_verdict)

    def list_pending(self, project: Project) -> list[Candidate]:
        """What waits in a project, at most ten, best first; ``injected_at`` is set on those that were offered."""
        with self.database.reading() as sql:
            return [record.candidate for record in candidate_table.list_waiting(sql, project.id)]

    def list_foreign(self, project: Project) -> list[Json]:
        """Candidates in the pending file that this machine did not stage, as they stand there. Never offered."""
        with self.database.reading() as sql:
            found, problems = pending_file.read_foreign(sql, project)
        self.problems += problems
        return found

    def update_pending_file(self, project: Project, at: int, skills: Iterable[Skill] | None = None) -> None:
        """Write the pending file where it differs from the database.

        With the installed ``skills``, what they cover is set aside, and what they cover no more waits again.
        """
        from mind_skills.staging.covered import apply_skills

        self._change(project, lambda sql: None if skills is None else apply_skills(sql, project.id, skills, at))

    def rewrite_pending_files(self) -> None:
        """Write the pending files of all projects as the database has them."""
        with self.database.reading() as sql:
            projects = place_table.list_project_ids(sql)
        self._write_files(projects)

    # -- offers and decisions ----------------------------------------------------------------------------------------

    find_offer = _read(claiming.find_offer)
    list_offered = _read(candidate_table.list_offered)
    mark_answered = _write(session_table.mark_answered)
    list_orphaned_offers = _read(session_table.list_orphaned_offers)
    find_undoable = _read(deciding.find_undoable)
    list_decisions = _read(deciding.list_decisions)
    read_taste = _read(deciding.read_taste)

    def rearm(self, session_id: str, at: int) -> bool:
        """Take back an offer that nobody saw; False if there is none, or if it has been settled."""
        with self.database.writing() as sql:
            if not session_table.has_open_offer(sql, session_id):
                return False
            projects = session_table.find_offer_projects(sql, session_id)
            deciding.rearm(sql, session_id, at)
            self._lower_flag(sql, session_id, projects)
        self._write_files(projects)
        return True

    def settle(self, session_id: str, what: Mapping[str, deciding.Verdict], at: int) -> list[Record]:
        """End the offer of a session: ``what`` maps candidate ids to ("accepted", skill path), ("dismissed", reason)
        or ("ignored", ""); those not named are ignored. Candidates offered to nobody or to others stay.

        Returns the records that changed. Repeated, it changes nothing.
        """
        with self.database.writing() as sql:
            projects = session_table.find_offer_projects(sql, session_id)
            changed = deciding.settle(sql, session_id, what, at)
            self._lower_flag(sql, session_id, projects)
        self._write_files(projects)
        return changed

    def approve(self, candidate_id: str, at: int, project: Project | None = None) -> Record:
        """Note that the user wants a candidate as a skill, where it still waits. Ids as in ``find_candidate``."""
        with self.database.writing() as sql:
            found = candidate_table.find_head(sql, candidate_table.find_candidate(sql, candidate_id, project))
            deciding.approve(sql, found, at)
            approved = candidate_table.reload(sql, found)
        self._write_files([found.project])
        return approved

    def accept(self, candidate_id: str, skill_path: str, at: int, project: Project | None = None) -> Record:
        """Mark a candidate as turned into the skill at ``skill_path``. Ids as in ``find_candidate``."""
        return self._decide(candidate_id, ("accepted", skill_path), at, project)

    def dismiss(self, candidate_id: str, reason: str, at: int, project: Project | None = None) -> Record:
        """Refuse a candidate for good: its fingerprint is never staged again in its project. Ids as in ``find_candidate``."""
        return self._decide(candidate_id, ("dismissed", reason), at, project)

    def undo(self, at: int, project: Project | None = None) -> Record | None:
        """Take back the last acceptance, dismissal or approval (of one project, or of all); None if there is none left."""
        with self.database.writing() as sql:
            record = deciding.undo(sql, at, project)
            projects = [] if record is None else [record.project]
            self._raise_flags(sql, projects)
        self._write_files(projects)
        return record

    def weigh_detectors(self, now: int, learning: LearningConfig | None = None) -> dict[str, CriterionWeight]:
        """How much each detector's candidates are worth by now (UTC ms); see staging/trust.py."""
        from mind_skills.learning.scoring import DEFAULTS
        from mind_skills.staging.trust import weigh_detectors

        with self.database.reading() as sql:
            return weigh_detectors(sql, now, learning or DEFAULTS)

    def list_feedback(self) -> dict[str, list[FeedbackEvent]]:
        """What was decided about each detector's candidates, the oldest first; see staging/trust.py."""
        from mind_skills.staging.trust import list_events

        with self.database.reading() as sql:
            return list_events(sql)

    # -- sessions ----------------------------------------------------------------------------------------------------

    register_session = _write(session_table.register_session)
    find_session = _read(session_table.find_session)
    list_unfinished = _read(session_table.list_unfinished)
    count_unfinished = _read(session_table.count_unfinished)
    finish_session = _write(use_table.finish_session)
    list_finished_since = _read(session_table.list_finished_since)
    set_checkpoint = _write(session_table.set_checkpoint)
    set_attempts = _write(session_table.set_attempts)
    put_look = _write(use_table.put_look)
    has_outcome = _read(use_table.has_outcome)
    find_outcome = _read(use_table.find_outcome)
    list_outcomes = _read(use_table.list_outcomes)
    list_errors_met = _read(use_table.list_errors_met)

    def correct_future_times(self, now: int, latest: int) -> None:
        """Give what is not over, but said to be of a time after ``latest``, the time ``now`` (UTC ms)."""
        with self.database.reading() as sql:
            wrong = session_table.has_future_times(sql, latest)
        if wrong:  # nearly never
            with self.database.writing() as sql:
                session_table.correct_future_times(sql, now, latest)

    # -- skills ------------------------------------------------------------------------------------------------------

    list_roots = _read(place_table.list_roots)
    list_uses = _read(use_table.list_uses)
    has_harmful_use = _read(use_table.has_harmful_use)
    list_archived = _read(archive_table.list_archived)
    list_archive_rows = _read(archive_table.list_archive_rows)
    cancel_archiving = _write(archive_table.cancel_archiving)
    record_archived = _write(archive_table.record_archived)
    record_restored = _write(archive_table.record_restored)

    def begin_archiving(
        self, project: Project, name: str, source: str, target: str, candidate: str, reason: str, at: int
    ) -> int:
        """Note what is about to be moved, before it is; returns its number for ``cancel_archiving``."""
        # Waited for until it is on the disk: a power cut must not take the note back and leave the folder moved.
        self.database.sql.execute("PRAGMA synchronous=FULL")
        with self.database.writing() as sql:
            return archive_table.begin_archiving(sql, project, name, source, target, candidate, reason, at)

    def read_trust(self, now: int, config: MaturityConfig | None = None) -> Trust:
        """What a learning is worth by the skill that it became, by the documents' numbers or these; see staging/trust.py."""
        from mind_skills.learning import maturity
        from mind_skills.staging import trust

        with self.database.reading() as sql:
            return trust.read_trust(sql, now, config or maturity.DEFAULTS)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _change(self, project: Project, work: Callable[[sqlite3.Connection], T]) -> T:
        with self.database.writing() as sql:
            place_table.register_place(sql, project)
            result = work(sql)
            self._raise_flags(sql, [project.id])
        self._write_files([project.id])
        return result

    def _decide(self, candidate_id: str, verdict: deciding.Verdict, at: int, project: Project | None) -> Record:
        with self.database.writing() as sql:
            # Of what is merged, all of it.
            found = candidate_table.find_head(sql, candidate_table.find_candidate(sql, candidate_id, project))
            deciding.decide(sql, found, verdict, at)
            self._raise_flags(sql, [found.project])
            decided = candidate_table.reload(sql, found)
        self._write_files([found.project])
        return decided

    def _lower_flag(self, sql: sqlite3.Connection, session_id: str, projects: Iterable[str]) -> None:
        start_files.set_flag(start_files.session_flag(self.home, session_id), up=False)
        self._raise_flags(sql, projects)

    def _raise_flags(self, sql: sqlite3.Connection, projects: Iterable[str]) -> None:
        for project in projects:
            claiming.update_project_flag(sql, self.home, project)

    def _write_files(self, projects: Iterable[str]) -> None:
        """Have the pending files say what was committed. Where that cannot be done now, the next change does it."""
        for project in projects:
            try:
                self.problems += pending_file.write_files(self.database, project)
            except StoreError as error:
                self.problems.append(str(error))
