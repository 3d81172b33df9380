"""Session-end hook: the last checkpoint, and the verdicts on the offered candidates: accepted if a SKILL.md of this
session names or covers it, or one modified since names it (and, if git tracks it, covers it), else ignored. If no
agent read the offer, its candidates are released.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hooks.idle import register_session, stage_new_findings
from mind_skills.hooks.session_state import HookCall, SessionMarkers, delete_log_state, lock_session
from mind_skills.hosts import find_spec
from mind_skills.settings.lenient import get_skills_folder
from mind_skills.staging import start_files
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import Offer
from mind_skills.staging.pipeline import analyse_for_project, locate_log, measure_log
from mind_skills.staging.tables.sessions import MAX_ATTEMPTS, ReportedSession
from mind_skills.store.project import Project, resolve_project


def handle_session_end(
    home: str,
    call: HookCall,
    *,
    analyse_log: Callable[[Path], Analysis] | None = None,
    is_active: Callable[[Project], bool] | None = None,
) -> list[str]:
    """Finish a session; return problems to log. Repeating it does nothing unless the log has changed. It stays open
    after an error, or while its project is not ``is_active``. Raises StoreError, OSError, LogError.
    """
    if call.subagent:
        return []
    analyse_log = analyse_log or partial(analyse_for_project, project=call.project)
    try:
        with lock_session(home, call.session_id, wait=True), Ledger.open(home) as ledger:
            recorded = ledger.find_session(call.session_id)
            # Commands such as `claude mcp list` end a session that never started.
            has_log = measure_log(locate_log(call.log))[0] >= 0
            if recorded is None and not has_log and ledger.find_offer(call.session_id) is None:
                return ledger.problems
            if (
                recorded is None
                or recorded.finished_at is None
                or (recorded.size, recorded.mtime) != measure_log(locate_log(recorded.log))
            ):
                session = register_session(ledger, call)
                if session is not None and (is_active is None or is_active(session.project)):
                    finish_session(ledger, session, call.at, analyse_log)
            return ledger.problems
    finally:
        SessionMarkers(home, call.session_id, resolve_project(call.project).id).ending.remove()


def is_permanent(error: Exception) -> bool:
    """Return whether the error means that a log can never be read."""
    # "unreadable" may be a temporary failure of the disk or of this process.
    return isinstance(error, LogError) and error.code not in ("unreadable", "locked")


def finish_session(ledger: Ledger, session: ReportedSession, at: int, analyse_log: Callable[[Path], Analysis]) -> None:
    """Stage the findings of an open session, settle or withdraw its offer, and close it. A LogError closes it if
    permanent, or after ``MAX_ATTEMPTS``; it is raised.
    """
    from mind_skills.staging.memory_records import sync_accepted_records

    offer = ledger.find_offer(session.session_id)
    must_read = offer is not None or not ledger.has_outcome(session.session_id)
    analysis, unreadable = _run_last_checkpoint(ledger, session, at, analyse_log, must_read=must_read)
    if offer is not None:
        from mind_skills.hooks.unread_offers import is_undelivered

        since = session.get_response_start(offer.at)
        has_no_response = (
            (unreadable is None and not offer.answered) if analysis is None else not analysis.has_replied_since(since)
        )
        if (has_no_response and not offer.clock_was_set_back) or is_undelivered(
            ledger.home, session.session_id, session.log, offer.ids
        ):
            ledger.withdraw_offer(session.session_id, at)
        else:
            _settle_offer(ledger, session, offer, analysis, at)
    sync_accepted_records(ledger, session.project, at)
    ledger.finish_session(session.session_id, at)
    markers = SessionMarkers(ledger.home, session.session_id, session.project.id)
    markers.running.remove()
    markers.checked.remove()
    markers.noticed.remove()
    delete_log_state(ledger.home, session.session_id)
    offer = ledger.find_offer(session.session_id)
    if offer is None or offer.settled:  # else the session was resumed, and the markers belong to a new offer
        for marker in (markers.unanswered, markers.deferred, markers.delivering):
            marker.remove()
    if unreadable is not None:
        raise unreadable


def _run_last_checkpoint(
    ledger: Ledger, session: ReportedSession, at: int, analyse_log: Callable[[Path], Analysis], *, must_read: bool
) -> tuple[Analysis | None, LogError | None]:
    """Run the last checkpoint. Return its analysis, if the log was read, and the error if it can never be read."""
    if session.attempts >= MAX_ATTEMPTS:
        return None, LogError("given_up", f"gave up after {MAX_ATTEMPTS} failed attempts to read its log", "")
    try:
        return stage_new_findings(ledger, session, at, analyse_log, last=True, must_read=must_read), None
    except LogError as error:
        if not is_permanent(error):
            raise
        return None, error


def _settle_offer(ledger: Ledger, session: ReportedSession, offer: Offer, analysis: Analysis | None, at: int) -> None:
    from mind_skills.hooks.receipts import store_receipts
    from mind_skills.staging.session_skills import judge_candidates, read_changed_skills, read_written_skills
    from mind_skills.staging.skill_check import record_check
    from mind_skills.store.git import is_tracked

    root = session.project.root
    # ``apply_verdicts`` counts offered candidates without a verdict as ignored.
    candidates = [candidate for candidate in ledger.list_offered(session.session_id) if candidate.id in offer.ids]
    written_skills = read_written_skills(analysis.skills_written if analysis else [], root)
    changed_skills = read_changed_skills(os.path.join(root, get_skills_folder(root, session.host)), offer.at)
    verdicts = judge_candidates(candidates, written_skills, changed_skills, is_tracked)
    settled_records = ledger.apply_verdicts(session.session_id, verdicts, at)
    for record in settled_records:
        if record.state == "accepted" and record.detail:
            record_check(ledger, record, root, at, session.session_id)
    store_receipts(ledger, session, offer, settled_records)
    if (host := find_spec(session.host)) and host.must_resend_offer:
        start_files.set_flag(start_files.get_session_flag_path(ledger.home, session.session_id), is_set=True)
