"""The ledger: candidates, the sessions they are offered to, and the decisions on them. Pending files are updated after
the commit, and a problem with one is only noted in ``problems``. What only one method needs is imported there, as
most commands only read.
"""

from __future__ import annotations

import os
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from mind_skills.errors import StoreError
from mind_skills.staging import decisions, offer, pending_file, start_files
from mind_skills.staging.model import MAX_PER_SESSION
from mind_skills.staging.tables import archived as archive_table
from mind_skills.staging.tables import candidates as candidate_table
from mind_skills.staging.tables import digests as digest_table
from mind_skills.staging.tables import reminders as reminder_table
from mind_skills.staging.tables import sessions as session_table
from mind_skills.staging.tables.schema import SCHEMA
from mind_skills.store.database import Database, describe_set_aside

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Self

    from mind_skills.learning.criteria import CriterionWeight, FeedbackEvent
    from mind_skills.learning.maturity import MaturityConfig
    from mind_skills.learning.scoring import LearningConfig
    from mind_skills.learning.skills.discovery import Skill
    from mind_skills.staging.model import Candidate, JsonObject
    from mind_skills.staging.stage import Staged
    from mind_skills.staging.tables.candidates import StoredCandidate
    from mind_skills.staging.tables.overview import Activity, Overview
    from mind_skills.staging.trust import Trust
    from mind_skills.store.project import Project

P = ParamSpec("P")
T = TypeVar("T")


def _in_transaction(
    function: Callable[Concatenate[sqlite3.Connection, P], T], *, writes: bool
) -> Callable[Concatenate[Ledger, P], T]:
    """Return a method that calls ``function`` in a transaction with a consistent snapshot, or exclusive write access."""

    @wraps(function)
    def method(ledger: Ledger, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with ledger.database.writing() if writes else ledger.database.reading() as sql:
            return function(sql, *args, **kwargs)

    return method


def _in_read_transaction(
    function: Callable[Concatenate[sqlite3.Connection, P], T],
) -> Callable[Concatenate[Ledger, P], T]:
    return _in_transaction(function, writes=False)


def _in_write_transaction(
    function: Callable[Concatenate[sqlite3.Connection, P], T],
) -> Callable[Concatenate[Ledger, P], T]:
    return _in_transaction(function, writes=True)


class Ledger:
    """Candidates, offers and sessions. All times are UTC milliseconds. Every method may raise StoreError."""

    def __init__(self, database: Database, home: str) -> None:
        self.database = database
        self.home = home
        self.problems: list[str] = []
        """Problems that did not stop an operation, as sentences for the hooks' log and for ``status``."""
        if database.set_aside:
            self.problems.append(describe_set_aside(database.set_aside))

    @classmethod
    def open(cls, home: str | os.PathLike[str], timeout: float = 10.0) -> Self:
        """Open the ledger of a state folder, creating it if necessary. Each statement waits ``timeout`` seconds for
        other processes.
        """
        folder = os.fspath(home)
        return cls(Database.open(folder, SCHEMA, timeout), folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database. Idempotent."""
        self.database.close()

    # -- candidates --------------------------------------------------------------------------------------------------

    find_candidate = _in_read_transaction(candidate_table.find_candidate)
    list_history = _in_read_transaction(candidate_table.list_history)
    list_by_state = _in_read_transaction(candidate_table.list_by_state)
    list_covered = _in_read_transaction(candidate_table.list_covered)
    has_coverable = _in_read_transaction(candidate_table.has_coverable)
    has_decisions = _in_read_transaction(candidate_table.has_decisions)
    list_states = _in_read_transaction(candidate_table.list_states)
    find_latest_time = _in_read_transaction(candidate_table.find_latest_time)
    count_queued = _in_read_transaction(candidate_table.count_queued)
    find_queue_position = _in_read_transaction(candidate_table.find_queue_position)
    list_waiting = _in_read_transaction(candidate_table.list_waiting)
    list_fingerprints = _in_read_transaction(candidate_table.list_fingerprints)
    list_staged_by = _in_read_transaction(candidate_table.list_staged_by)
    list_sightings = _in_read_transaction(candidate_table.list_sightings)
    exclude_seen_by_others = _in_read_transaction(candidate_table.exclude_seen_by_others)
    list_receipts = _in_read_transaction(candidate_table.list_receipts)
    list_candidate_receipts = _in_read_transaction(candidate_table.list_candidate_receipts)
    count_receipts = _in_read_transaction(candidate_table.count_receipts)

    find_digest = _in_read_transaction(digest_table.find_digest)
    find_digest_time = _in_read_transaction(digest_table.find_digest_time)
    put_digest = _in_write_transaction(digest_table.put_digest)

    def update_error_index(self, project_id: str, command: str = "", skills: Iterable[Skill] | None = None) -> None:
        """Write the project's file of solved errors (staging/solved_errors.py). A failure only delays it."""
        from mind_skills.staging.solved_errors import update_index

        try:
            with self.database.reading() as sql:
                update_index(sql, self.home, project_id, command, skills)
        except (OSError, StoreError) as error:
            self.problems.append(f"could not write the file of solved errors: {error}")

    def stage(
        self,
        project: Project,
        session_id: str,
        host: str,
        candidates: Iterable[Candidate],
        at: int,
        skills: Iterable[Skill] | None = None,
        learning: LearningConfig | None = None,
        max_candidates: int = MAX_PER_SESSION,
    ) -> Staged:
        """Stage candidates as ``staging.stage.stage_candidates`` does, and update the pending file."""
        from mind_skills.learning.scoring import DEFAULTS
        from mind_skills.staging.stage import stage_candidates
        from mind_skills.store.light_dataclasses import replace

        arguments, problem_count = (project, session_id, host, candidates, at), len(self.problems)
        staged = self._change_project(
            project, lambda sql: stage_candidates(sql, *arguments, skills, learning or DEFAULTS, max_candidates)
        )
        return replace(staged, problems=tuple(self.problems[problem_count:]))

    def set_team_sightings(self, project_id: str, fingerprints: Collection[str], at: int) -> None:
        """Call ``staging.stage.set_team_sightings`` and update the pending file."""
        from mind_skills.staging.stage import set_team_sightings

        with self.database.writing() as sql:
            set_team_sightings(sql, project_id, fingerprints, at)
            self._update_project_flags(sql, [project_id])
        self._write_files([project_id])

    # -- pending candidates and their file ---------------------------------------------------------------------------

    find_git_verdict = _in_read_transaction(session_table.find_git_verdict)

    def list_pending(self, project: Project) -> list[Candidate]:
        """List up to ten pending candidates of a project, best first; ``injected_at`` is set on offered ones."""
        with self.database.reading() as sql:
            return [record.candidate for record in candidate_table.list_pending(sql, project.id)]

    def list_foreign(self, project: Project) -> list[JsonObject]:
        """List the candidates in the pending file that this machine did not stage. They are never offered."""
        with self.database.reading() as sql:
            found, problems = pending_file.read_foreign(sql, project)
        self.problems += problems
        return found

    def update_pending_file(self, project: Project, at: int, skills: Iterable[Skill] | None = None) -> None:
        """Update the pending files that differ from the database, after setting aside what the installed ``skills``, if
        given, cover.
        """
        from mind_skills.staging.covered import apply_skills

        self._change_project(project, lambda sql: None if skills is None else apply_skills(sql, project.id, skills, at))

    def rewrite_pending_files(self) -> None:
        """Update the pending files of all projects that differ from the database."""
        with self.database.reading() as sql:
            projects = session_table.list_project_ids(sql)
        self._write_files(projects)

    # -- offers and decisions ----------------------------------------------------------------------------------------

    find_offer = _in_read_transaction(offer.find_offer)
    list_offered = _in_read_transaction(candidate_table.list_offered)
    mark_answered = _in_write_transaction(session_table.mark_answered)
    list_orphaned_offers = _in_read_transaction(session_table.list_orphaned_offers)

    find_last_undoable = _in_read_transaction(decisions.find_last_undoable)
    list_decisions = _in_read_transaction(decisions.list_decisions)

    def withdraw_offer(self, session_id: str, at: int) -> bool:
        """Withdraw an offer that the agent never saw; return False if there is no offer or it is closed."""
        with self.database.writing() as sql:
            if not session_table.has_open_offer(sql, session_id):
                return False
            projects = session_table.find_offer_projects(sql, session_id)
            decisions.withdraw_offer(sql, session_id, at)
            self._clear_session_flag(sql, session_id, projects)
        self._write_files(projects)
        return True

    def apply_verdicts(
        self, session_id: str, verdicts: Mapping[str, decisions.Verdict], at: int
    ) -> list[StoredCandidate]:
        """Close a session's offer and return the changed records (staging/decisions.py: ``apply_verdicts``). Idempotent."""
        with self.database.writing() as sql:
            projects = session_table.find_offer_projects(sql, session_id)
            changed = decisions.apply_verdicts(sql, session_id, verdicts, at)
            self._clear_session_flag(sql, session_id, projects)
        self._publish(projects)
        return changed

    def approve(self, candidate_id: str, at: int, project: Project | None = None) -> StoredCandidate:
        """Record that the user wants a candidate as a skill; no effect unless it is pending. For the id, see ``find_candidate``."""
        with self.database.writing() as sql:
            found = candidate_table.find_candidate(sql, candidate_id, project)
            decisions.approve(sql, found, at)
            approved = candidate_table.reload_record(sql, found)
        self._write_files([found.project])
        return approved

    def accept(self, candidate_id: str, skill_path: str, at: int, project: Project | None = None) -> StoredCandidate:
        """Record that a candidate became the skill at ``skill_path``. For ``candidate_id``, see ``find_candidate``."""
        return self._decide(candidate_id, ("accepted", skill_path), at, project)

    def dismiss(
        self, candidate_id: str, reason: str, at: int, project: Project | None = None, session_id: str = ""
    ) -> StoredCandidate:
        """Dismiss a candidate permanently. ``session_id`` is empty if a person decided."""
        return self._decide(candidate_id, ("dismissed", reason), at, project, session_id)

    def undo(self, at: int, project: Project | None = None) -> StoredCandidate | None:
        """Undo the last acceptance, dismissal or approval in one project or in all; return the updated record, or None."""
        with self.database.writing() as sql:
            record = decisions.undo(sql, at, project)
            if record is not None:
                offer.update_project_flag(sql, self.home, record.project)
        if record is not None:
            self._publish([record.project])
        return record

    add_receipt = _in_write_transaction(candidate_table.add_receipt)

    def list_skill_problems(self, record: StoredCandidate) -> list[str]:
        """List what the last check of a candidate's skill found (staging/skill_check.py)."""
        with self.database.reading() as sql:
            receipts = candidate_table.list_candidate_receipts(sql, record)
        checks: list[Any] = [each.detail.get("problems") for each in receipts if each.event == "checked"]
        return [str(text) for text in checks[-1] or ()] if checks else []

    def weigh_detectors(self, now: int, learning: LearningConfig, project: Project) -> dict[str, CriterionWeight]:
        """Return the weight in a project at ``now`` (UTC ms) of each detector with decisions; see staging/trust.py."""
        from mind_skills.staging.trust import weigh_detectors

        with self.database.reading() as sql:
            return weigh_detectors(sql, now, learning, project.id)

    def list_decision_events(self, project: Project) -> dict[str, list[FeedbackEvent]]:
        """List the decisions on each detector's candidates that count in a project, oldest first; see staging/trust.py."""
        from mind_skills.staging.trust import list_events

        with self.database.reading() as sql:
            return list_events(sql, project.id)

    # -- sessions ----------------------------------------------------------------------------------------------------

    register_session = _in_write_transaction(session_table.register_session)
    find_session = _in_read_transaction(session_table.find_session)
    list_unfinished = _in_read_transaction(session_table.list_unfinished)
    count_unfinished = _in_read_transaction(session_table.count_unfinished)
    finish_session = _in_write_transaction(session_table.finish_session)
    list_finished_since = _in_read_transaction(session_table.list_finished_since)
    set_checkpoint = _in_write_transaction(session_table.set_checkpoint)
    set_attempts = _in_write_transaction(session_table.set_attempts)
    store_analysis = _in_write_transaction(session_table.store_analysis)
    has_outcome = _in_read_transaction(session_table.has_outcome)
    find_outcome = _in_read_transaction(session_table.find_outcome)
    list_outcomes = _in_read_transaction(session_table.list_outcomes)
    list_errors_met = _in_read_transaction(session_table.list_errors_met)

    def correct_future_times(self, now: int, latest: int) -> None:
        """Set the times of unfinished sessions and open offers to ``now`` if they are later than ``latest`` (UTC ms)."""
        with self.database.reading() as sql:
            has_wrong_times = session_table.has_future_times(sql, latest)
        if has_wrong_times:  # rare
            with self.database.writing() as sql:
                session_table.correct_future_times(sql, now, latest)

    put_reminders = _in_write_transaction(reminder_table.put_reminders)
    list_reminders = _in_read_transaction(reminder_table.list_reminders)
    list_muted = _in_read_transaction(reminder_table.list_muted)

    def mute(self, project_id: str, what: str, at: int) -> None:
        """Stop reminders of a candidate, a skill or an error (staging/tables/reminders.py)."""
        with self.database.writing() as sql:
            reminder_table.mute(sql, project_id, what, at)
        self.update_error_index(project_id)

    def unmute(self, project_id: str, what: str, skills: Iterable[Skill] | None = None) -> bool:
        """Resume the reminders that were muted; return False if they were not. ``skills`` are all that are installed."""
        with self.database.writing() as sql:
            was_muted = reminder_table.unmute(sql, project_id, what)
        self.update_error_index(project_id, skills=skills)
        return was_muted

    # -- skills ------------------------------------------------------------------------------------------------------

    list_roots = _in_read_transaction(session_table.list_roots)
    list_uses = _in_read_transaction(session_table.list_uses)
    has_harmful_use = _in_read_transaction(session_table.has_harmful_use)
    list_archived = _in_read_transaction(archive_table.list_archived)
    list_archive_rows = _in_read_transaction(archive_table.list_archive_rows)
    cancel_archiving = _in_write_transaction(archive_table.cancel_archiving)
    record_archived = _in_write_transaction(archive_table.record_archived)
    record_restored = _in_write_transaction(archive_table.record_restored)

    def begin_archiving(
        self, project: Project, name: str, source: str, target: str, candidate: str, reason: str, at: int
    ) -> int:
        """Record a skill folder that is about to be moved; return the row number for ``cancel_archiving``."""
        # Sync to disk, so that a power cut cannot leave a moved folder unrecorded.
        self.database.sql.execute("PRAGMA synchronous=FULL")
        with self.database.writing() as sql:
            return archive_table.begin_archiving(sql, project, name, source, target, candidate, reason, at)

    def read_trust(self, now: int, config: MaturityConfig) -> Trust:
        """Return a function that weighs a learning by the skill that it became; see staging/trust.py."""
        from mind_skills.staging.trust import read_trust

        with self.database.reading() as sql:
            return read_trust(sql, now, config)

    # -- reports -----------------------------------------------------------------------------------------------------

    def read_overview(self, project: Project | None = None) -> Overview:
        """Read the data for a report on a project, or on all if it is None; see staging/tables/overview.py."""
        from mind_skills.staging.tables.overview import read_overview

        with self.database.reading() as sql:
            return read_overview(sql, project)

    def list_activity(self) -> list[Activity]:
        """List the activity of each host; see staging/tables/overview.py."""
        from mind_skills.staging.tables.overview import list_activity

        with self.database.reading() as sql:
            return list_activity(sql)

    # -- internal ----------------------------------------------------------------------------------------------------

    def _change_project(self, project: Project, operation: Callable[[sqlite3.Connection], T]) -> T:
        with self.database.writing() as sql:
            session_table.register_place(sql, project)
            result = operation(sql)
            self._update_project_flags(sql, [project.id])
        self._write_files([project.id])
        return result

    def _decide(
        self, candidate_id: str, verdict: decisions.Verdict, at: int, project: Project | None, session_id: str = ""
    ) -> StoredCandidate:
        with self.database.writing() as sql:
            found = candidate_table.find_candidate(sql, candidate_id, project)
            decisions.record_decision(sql, found, verdict, at, session_id)
            self._update_project_flags(sql, [found.project])
            decided = candidate_table.reload_record(sql, found)
        self._publish([found.project])
        return decided

    def _clear_session_flag(self, sql: sqlite3.Connection, session_id: str, projects: Iterable[str]) -> None:
        start_files.set_flag(start_files.get_session_flag_path(self.home, session_id), is_set=False)
        self._update_project_flags(sql, projects)

    def _update_project_flags(self, sql: sqlite3.Connection, projects: Iterable[str]) -> None:
        for project in projects:
            offer.update_project_flag(sql, self.home, project)

    def _publish(self, projects: Iterable[str]) -> None:
        """Write what others read of decided candidates: pending files, and files of solved errors."""
        for project in projects:
            self._write_files([project])
            self.update_error_index(project)

    def _write_files(self, projects: Iterable[str]) -> None:
        """Update the pending files of projects from the database. A failed update is repeated at the next change."""
        for project in projects:
            try:
                self.problems += pending_file.write_files(self.database, project)
            except StoreError as error:
                self.problems.append(str(error))
