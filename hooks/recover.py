"""Recovery of sessions without an end hook, at every session start and in `mind-skills watch`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from mind_skills.errors import StoreError
from mind_skills.hooks.end import finish_session, is_permanent
from mind_skills.hooks.idle import register_session
from mind_skills.hooks.session_state import ENDING, HookCall, SessionMarkers, list_markers, lock_session
from mind_skills.hooks.start import MAX_CLOCK_SKEW_MS, UNANSWERED_TIMEOUT_MS
from mind_skills.learning.skills.discovery import find_installed_skills
from mind_skills.settings.lenient import is_project_enabled
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pipeline import analyse_for_project, measure_log
from mind_skills.staging.tables.sessions import ReportedSession
from mind_skills.store import processes
from mind_skills.store.project import Project, resolve_project

IDLE_TIMEOUT_MS = 30 * 60_000
"""Idle time in milliseconds after which a session with an unknown process counts as over."""
ABANDONED_READ_MS = 10 * 60_000
"""Milliseconds after which the announced reading of a log counts as abandoned: twice the maximum run time of a worker."""
GROWTH_CHECK_PERIOD_MS = 24 * 60 * 60_000
"""Milliseconds after the end of a session during which each start checks whether its log has grown: one stat call."""
ABANDONED_TIMEOUT_MS = 7 * 24 * 60 * 60_000
"""Idle time in milliseconds after which a session counts as over although its process seems to run."""


def register_start(home: str, call: HookCall) -> list[str]:
    """Do what a start need not wait for: register the session and update the pending file; return problems. Raises
    StoreError, OSError.
    """
    if call.subagent:
        return []
    with lock_session(home, call.session_id, wait=True), Ledger.open(home) as ledger:
        markers = SessionMarkers(home, call.session_id)
        if not call.pid:  # the recorded process no longer runs this session
            markers.running.remove()
        session = register_session(ledger, call)
        _remove_stale_endings(home, resolve_project(call.project).id, call.at)
        if call.source == "fork" and not markers.forked.read():
            markers.forked.write(str(call.at))
        if session is not None:
            can_cover = ledger.has_coverable(session.project)
            skills = find_installed_skills(session.project.root).skills if can_cover else None
            ledger.update_pending_file(session.project, call.at, skills)
        return ledger.problems


def _remove_stale_endings(home: str, project_id: str, now: int) -> None:
    """Remove the ``ending`` markers of processes that died while reading a log: they keep starts off the fast path."""
    for path in list_markers(home, ENDING, project_id):
        with suppress(FileNotFoundError):  # the reading process or another start removed it
            if now - os.stat(path).st_mtime_ns // 1_000_000 > ABANDONED_READ_MS:
                os.unlink(path)


def register_missed_sessions(home: str, calls: Iterable[HookCall], process: str = "") -> list[str]:
    """Register sessions whose start was not recorded; ``calls`` has the last call of each. ``process``
    (store/processes.py) ran them, or "": more reliable than ids, which are reused. Return problems to log. Raises
    StoreError, OSError.
    """
    with Ledger.open(home) as ledger:
        for call in calls:
            recorded = ledger.find_session(call.session_id)
            # An older call must not change the process of a session that has been resumed since.
            if not call.subagent and (recorded is None or recorded.seen_at < call.at):
                running = SessionMarkers(home, call.session_id).running
                runner = running.read()
                if process or (runner and processes.is_running(runner) is None):
                    call.pid = 0  # the id may belong to another container, whose processes cannot be checked here
                if register_session(ledger, call) is not None and process:
                    running.write(process)
        return ledger.problems


def recover_sessions(
    home: str,
    now: int,
    *,
    except_session: str = "",
    idle_timeout: int = IDLE_TIMEOUT_MS,
    analyse_log: Callable[[Path], Analysis] = analyse_for_project,
    is_active: Callable[[Project], bool] = is_project_enabled,
) -> list[str]:
    """Finish every session that is over (``idle_timeout`` ms without a process), or whose log has grown within a day
    after its end, except ``except_session`` and those that are not ``is_active``; close orphaned offers; return
    problems. Unreadable logs are closed, else later starts retry. Raises StoreError, OSError.
    """
    problems: list[str] = []
    is_active = cache(is_active)
    with Ledger.open(home) as ledger:
        try:
            ledger.correct_future_times(now, now + MAX_CLOCK_SKEW_MS)
            for session in ledger.list_unfinished():
                is_due = session.session_id != except_session and is_over(home, session, now, idle_timeout)
                if is_due and is_active(session.project):
                    problems += _finish_if_open(ledger, session.session_id, now, analyse_log)
            for session in ledger.list_finished_since(now - GROWTH_CHECK_PERIOD_MS):
                if session.session_id != except_session and has_grown(session):
                    ledger.register_session(
                        session.session_id, session.host, session.project, session.log, session.seen_at
                    )
                    if is_active(session.project):
                        problems += _finish_if_open(ledger, session.session_id, now, analyse_log)
            for session_id, answered in ledger.list_orphaned_offers(now - UNANSWERED_TIMEOUT_MS):
                if answered:
                    ledger.apply_verdicts(session_id, {}, now)
                else:
                    ledger.withdraw_offer(session_id, now)
        except StoreError as error:
            problems.append(f"recovery continues at the next start: {type(error).__name__}: {error}")
        return [*ledger.problems, *problems]


def _finish_if_open(ledger: Ledger, session_id: str, now: int, analyse_log: Callable[[Path], Analysis]) -> list[str]:
    with lock_session(ledger.home, session_id, wait=False) as lock:
        session = ledger.find_session(session_id)
        if not lock.is_held or session is None or session.finished_at is not None:
            return []  # its end hook is running or has finished it
        try:
            finish_session(ledger, session, now, analyse_log)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 -- one bad log must not block the others
            state = "could not be recovered" if is_permanent(error) else "could not be recovered yet"
            return [f"session {session_id} {state}: {type(error).__name__}: {error}"]
        finally:
            SessionMarkers(ledger.home, session_id, session.project.id).ending.remove()
    return []


def has_grown(session: ReportedSession) -> bool:
    """Return whether the log of a finished session has grown since: more was written, it went on without a call, or the
    clock was set back.
    """
    if session.size < 0 and session.attempts:
        return False  # the log could not be read, which was reported
    try:
        return measure_log(session.log)[0] > session.size
    except OSError:
        return False


def is_over(home: str, session: ReportedSession, now: int, idle_timeout: int = IDLE_TIMEOUT_MS) -> bool:
    """Return whether a session has ended without an end hook: its process is gone, or it has been idle for too long."""
    is_running = processes.is_running(SessionMarkers(home, session.session_id).running.read())
    if is_running is False:
        return True
    try:
        changed_at = measure_log(session.log)[1] // 1_000_000
        changed_at = changed_at if changed_at < now + MAX_CLOCK_SKEW_MS else -1
    except OSError:
        changed_at = -1  # finishing the session reports what is wrong with its log
    if is_running:
        idle_timeout = ABANDONED_TIMEOUT_MS
    elif session.has_open_offer and SessionMarkers(home, session.session_id, session.project.id).unanswered.exists():
        # The agent has not responded: perhaps the user has not entered a prompt yet.
        idle_timeout = UNANSWERED_TIMEOUT_MS
    return now - max(session.seen_at, changed_at) > idle_timeout
