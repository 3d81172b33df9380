"""Idle hook: the agent has finished a turn and the session continues. Stages what has been learned so far.

Hosts go idle after every turn. A checkpoint reads the log from where the previous one ended, and analyses the new part
together with the saved state (observations/incremental.py), so that its cost is proportional to the size of the new
part. Findings from parts that are not analysed again remain; those from other parts are replaced, so repeating a
checkpoint changes nothing. At the end of the session the whole log is read again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mind_skills.digest.model import EpisodeDigest
from mind_skills.digest.session import combine
from mind_skills.errors import LogError
from mind_skills.hooks.session_state import (
    HookCall,
    SessionMarkers,
    load_log_state,
    lock_session,
    parse_number,
    save_log_state,
)
from mind_skills.hooks.start import find_command
from mind_skills.learning.rules import load_learning_config, load_rules
from mind_skills.observations.incremental import SavedState
from mind_skills.observations.read import stat_log
from mind_skills.settings.lenient import get_cap, get_idle_seconds
from mind_skills.staging.analyse import Analysis, analyse, analyse_growing_log
from mind_skills.staging.error_meter import SessionError
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.reminders import Reminder
from mind_skills.staging.tables.sessions import MAX_ATTEMPTS, ReportedSession, SkillUseRecord
from mind_skills.store import processes
from mind_skills.store.home import list_ancestors
from mind_skills.store.project import Project, digest_text, resolve_project

MAX_LATENESS_MS = 24 * 60 * 60_000
"""Milliseconds. An event that is older than the recorded end of its session by at least this much is not ignored as late:
the end was probably recorded with a wrong clock."""
WATCH_SOURCE = "watch"
"""Source of an event that `mind-skills watch` reported instead of a host: only the log can show whether the agent has
responded."""
LogAnalyser = Callable[[Path, SavedState | None], Analysis]
"""Analyses a growing log, given the state saved by an earlier run."""


def analyse_for_project(path: Path, project: str = "") -> Analysis:
    """Analyse a log with the settings of ``project``, by default those of the project named in the log."""
    return apply_settings(analyse(path), project)


def analyse_increment_for_project(path: Path, saved: SavedState | None, project: str = "") -> Analysis:
    """Analyse a growing log like ``analyse_for_project``, given the state saved by an earlier run."""
    return apply_settings(analyse_growing_log(path, saved), project)


def apply_settings(analysis: Analysis, project: str) -> Analysis:
    """Apply the project's limit of candidates and its scoring of outcomes to ``analysis``, and return it.

    ``project`` is a folder; if it is empty, the project is the one named in the log.
    """
    root = project or analysis.session.project
    analysis.max_candidates = get_cap(root, "per_session")
    analysis.rescore(load_learning_config(root))
    return analysis


def run_checkpoint(
    home: str,
    call: HookCall,
    *,
    interval: int | None = None,
    analyse_increment: LogAnalyser | None = None,
    is_active: Callable[[Project], bool] | None = None,
) -> list[str]:
    """Run a checkpoint: analyse the log, and replace this session's staged candidates.

    Returns problems to log. ``analyse_increment`` defaults to ``analyse_increment_for_project``. The log is not read if
    it has not changed, if the last checkpoint is less than ``interval`` milliseconds old (None: ``idle_seconds`` of the
    settings), after too many failed attempts, if the session ended after this event, if ``is_active`` returns False for
    its project, or while another process holds the lock of the session. Raises StoreError, OSError, LogError.
    """
    if call.subagent:
        return []
    interval = get_idle_seconds(call.project) * 1000 if interval is None else interval
    analyse_increment = analyse_increment or partial(analyse_increment_for_project, project=call.project)
    with lock_session(home, call.session_id, wait=False) as lock:
        if not lock.is_held:
            return []
        with Ledger.open(home) as ledger:
            session = register_session(ledger, call)
            if session is None or (is_active and not is_active(session.project)):
                return []
            is_from_host = call.source != WATCH_SOURCE
            if is_from_host:
                _record_answer(ledger, session, call)
            is_due = session.checkpoint_at is None or not 0 <= call.at - session.checkpoint_at < interval
            if is_due and session.attempts < MAX_ATTEMPTS - 1:  # the last attempt is reserved for the session's end
                saved = load_log_state(home, session.session_id)
                analysis = stage_new_findings(ledger, session, call.at, lambda path: analyse_increment(path, saved))
                if analysis is not None:
                    ledger.set_attempts(session.session_id, 0)
                    offer = (
                        None if is_from_host or not session.has_open_offer else ledger.find_offer(session.session_id)
                    )
                    if offer is not None and analysis.has_replied_since(session.get_response_start(offer.at)):
                        _record_answer(ledger, session, call)
                SessionMarkers(home, call.session_id).checked.write(str(call.at))
            return ledger.problems


def _record_answer(ledger: Ledger, session: ReportedSession, call: HookCall) -> None:
    """Record that the agent has responded, so that the session's offer is not released for others."""
    SessionMarkers(ledger.home, session.session_id, session.project.id).unanswered.remove()
    if session.has_open_offer and call.source != "error":  # hosts also go idle when the agent fails
        ledger.mark_answered(session.session_id, call.at)


def register_session(ledger: Ledger, call: HookCall) -> ReportedSession | None:
    """Record that this session is running, and return it.

    If its folder is gone, its project remains the recorded one. Return None if no project is recorded then, or if the
    event arrived late, after the session's end.
    """
    recorded = ledger.find_session(call.session_id)
    if recorded is None and not os.path.isdir(call.project):
        return None  # a removed worktree no longer shows whether mind-skills is enabled in its repository
    finished_at = recorded.finished_at if recorded else None
    if finished_at is not None and 0 <= finished_at - call.at < MAX_LATENESS_MS:
        return None
    project = resolve_project(call.project)
    if recorded is not None and recorded.project.id != project.id:
        # A removed worktree no longer shows which repository it belonged to. Some hosts' calls name a repository around it.
        is_around = project.root in list_ancestors(recorded.project.root)
        if not os.path.isdir(project.root) or (is_around and not os.path.isdir(recorded.project.root)):
            project = recorded.project
    ledger.register_session(call.session_id, call.host, project, call.log, call.at)
    if call.pid:
        SessionMarkers(ledger.home, call.session_id).running.write(processes.describe_process(call.pid))
    return ledger.find_session(call.session_id)


def stage_new_findings(
    ledger: Ledger,
    session: ReportedSession,
    at: int,
    analyse_log: Callable[[Path], Analysis],
    *,
    last: bool = False,
    must_read: bool = False,
) -> Analysis | None:
    """Analyse the log, stage its findings, and return the analysis.

    Return None if the log is missing or empty, or if it has not changed and ``must_read`` is not set. Only the ``last``
    run, which reads the whole log, determines the outcome and the votes of the session. An attempt is recorded before
    reading, because some logs crash the process that reads them. Raises LogError if the log cannot be read.
    """
    if (log := locate_log(session.log)) != session.log:
        ledger.register_session(session.session_id, session.host, session.project, log, session.seen_at)
        session = session._replace(log=log)
    size, mtime = measure_log(session.log)
    has_changed = (size, mtime) != (session.size, session.mtime)
    if size < 0 or not (has_changed or must_read):
        return None
    ledger.set_attempts(session.session_id, session.attempts + 1)
    try:
        analysis = analyse_log(Path(session.log))
    except LogError as error:
        if error.code in ("empty", "not_found"):
            ledger.set_attempts(session.session_id, session.attempts)
            return None
        raise
    rules = load_rules(session.project.root)
    analysis.digest.episodes = _combine_episodes(ledger, session, analysis)
    candidates = [*_list_older(ledger, session, analysis), *analysis.candidates]
    forked_at = parse_number(SessionMarkers(ledger.home, session.session_id).forked.read()) or 0
    if forked_at:
        # A fork's log begins with a copy of its parent's, which is not a recurrence.
        candidates = ledger.exclude_seen_by_others(session.project, session.session_id, candidates)
    skills = None
    if candidates or last or ledger.has_coverable(session.project):
        from mind_skills.learning.skills.discovery import find_installed_skills

        skills = find_installed_skills(session.project.root).skills
    new: tuple[str, ...] = ()
    # After most turns, there is nothing to add, to withdraw or to cover.
    if skills is not None or ledger.list_fingerprints(session.project.id, session.session_id):
        new = ledger.stage(
            session.project,
            session.session_id,
            session.host,
            candidates,
            at,
            skills,
            rules.learning,
            analysis.max_candidates,
            adapts=rules.uses_decisions,
        ).new
    ledger.put_digest(session.session_id, session.project.id, analysis.digest, at)
    ledger.update_error_index(session.project.id, find_command(), skills)
    if new and not last:
        from mind_skills.hooks.receipts import store_titles

        store_titles(ledger, session, new)
    uses: list[SkillUseRecord] = []
    if analysis.skills_used:
        from mind_skills.hooks.session_skills import find_used_skills

        uses = find_used_skills(analysis, session.project.root, session.host, forked_at)
    if last:
        from mind_skills.hooks import memory_records
        from mind_skills.hooks.session_votes import credit_session

        # Before the outcome is stored: if this is interrupted, the log is read again, since the outcome is missing.
        credit_session(ledger.home, session, analysis, at, rules)
        if not forked_at:  # the parent's record already covers the copied part
            memory_records.remember_session(
                ledger.home, session.project, session.host, session.session_id, analysis, at
            )
        memory_records.taint_agent_records(ledger.home, session.session_id, analysis.episode.taint)
    errors_met = [error for error in analysis.errors if error.at is None or error.at >= forked_at]
    ledger.store_analysis(session, uses, analysis.outcome if last else None, at, errors_met)
    if last:
        _store_reminders(ledger, session, errors_met)
    # Measured before reading, so that lines appended meanwhile count as growth next time.
    ledger.set_checkpoint(session.session_id, size, mtime, at)
    if analysis.resume_state is not None:
        try:
            save_log_state(ledger.home, session.session_id, analysis.resume_state)
        except OSError as error:  # for example a full disk: the next run reads more of the log
            ledger.problems.append(f"could not save how far a log was read: {error}")
    return analysis


def _store_reminders(ledger: Ledger, session: ReportedSession, errors: list[SessionError]) -> None:
    """Store what the session was told at failures (hooks/failure.py)."""
    from mind_skills.hooks.failure import read_claims

    signatures = {error.key: error.signature for error in errors if error.key}
    reminders = [
        Reminder(
            session.session_id, name, next((signatures[key] for key in keys if key in signatures), ""), skill, shown, at
        )
        for name, skill, shown, at, keys in read_claims(ledger.home, digest_text(session.session_id))
    ]
    if reminders:
        ledger.put_reminders(session.project.id, session.session_id, reminders)


def _combine_episodes(ledger: Ledger, session: ReportedSession, analysis: Analysis) -> list[EpisodeDigest]:
    """Combine the episodes of this run with those of the part of the log that was not read again."""
    earlier = ledger.find_digest(session.session_id) if analysis.first_line > 1 else None
    if earlier is None:
        return analysis.digest.episodes
    return combine(earlier.episodes, analysis.digest.episodes, analysis.first_line)


def _list_older(ledger: Ledger, session: ReportedSession, analysis: Analysis) -> list[Candidate]:
    """List the candidates that come from an earlier log of the session that no longer exists.

    A capture spool is removed when its session ends (hooks/captured_spools.py), and a log may be truncated or moved before the session
    resumes.
    """
    log_start = analysis.session.started or 0
    if analysis.first_line > 1 and analysis.session.format != "capture":
        return []
    staged = ledger.list_staged_by(session.project, session.session_id)
    return [candidate for candidate in staged if candidate.detected_at < log_start]


def locate_log(log: str) -> str:
    """Return where a log is: at ``log`` or, if its host has archived or compressed it, elsewhere."""
    if not log or os.path.exists(log):
        return log
    from mind_skills.observations.readers.codex_files import find_moved_log

    return str(find_moved_log(Path(log)) or log)


def measure_log(log: str) -> tuple[int, int]:
    """Return size and mtime (observations/read.py: ``stat_log``); -1, -1 if there is no log, as usual at a session's start."""
    if not log:  # as a path, this would be the working directory
        return -1, -1
    try:
        return stat_log(Path(log))
    except (FileNotFoundError, NotADirectoryError):
        return -1, -1
