"""Idle hook, after every turn: stages what has been learned so far. A checkpoint reads on from the previous one
(observations/incremental.py), so its cost depends on the new part; findings from earlier parts remain. Repeating it
changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mind_skills.hooks.session_state import (
    HookCall,
    SessionMarkers,
    load_log_state,
    lock_session,
    parse_number,
    save_log_state,
)
from mind_skills.hooks.start import find_command
from mind_skills.settings.lenient import get_idle_seconds
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pipeline import LogAnalyser, analyse_increment_for_project, stage_log
from mind_skills.staging.tables.sessions import MAX_ATTEMPTS, ReportedSession
from mind_skills.store import processes
from mind_skills.store.home import list_ancestors
from mind_skills.store.project import Project, digest_text, resolve_project

MAX_LATENESS_MS = 24 * 60 * 60_000
"""Milliseconds. An event at least this much older than its session's end is not late: the end has a wrong clock."""
WATCH_SOURCE = "watch"
"""Source of an event that `mind-skills watch` reported: only the log can show whether the agent has responded."""


def run_checkpoint(
    home: str,
    call: HookCall,
    *,
    interval: int | None = None,
    analyse_increment: LogAnalyser | None = None,
    is_active: Callable[[Project], bool] | None = None,
) -> list[str]:
    """Analyse the log and replace the session's candidates; return problems to log. Nothing is read if it has not
    changed, within ``interval`` ms (None: the setting), after too many attempts, after the session's end, in an
    inactive project, or while another process does. Raises StoreError, OSError, LogError.
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
    """Record that this session runs, in its recorded project if its folder is gone; None without one, or if the event
    is late.
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
    is_from_host = call.source != WATCH_SOURCE
    ledger.register_session(call.session_id, call.host, project, call.log, call.at, is_from_host=is_from_host)
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
    """Stage what the log shows (staging/pipeline.py), and save what this session's next hooks need. Raises LogError."""
    forked_at = parse_number(SessionMarkers(ledger.home, session.session_id).forked.read()) or 0
    claims = None
    if last:
        from mind_skills.hooks.failure import read_claims

        claims = partial(read_claims, ledger.home, digest_text(session.session_id))
    found = stage_log(ledger, session, at, analyse_log, find_command, claims, forked_at=forked_at, must_read=must_read)
    if found is None:
        return None
    if found.new_ids and not last:
        from mind_skills.hooks.receipts import store_titles

        store_titles(ledger, session, found.new_ids)
    if found.analysis.resume_state is not None:
        try:
            save_log_state(ledger.home, session.session_id, found.analysis.resume_state)
        except OSError as error:  # for example a full disk: the next run reads more of the log
            ledger.problems.append(f"could not save how far a log was read: {error}")
    return found.analysis
