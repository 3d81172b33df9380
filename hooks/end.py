"""End: the last checkpoint, and what became of the candidates that this session was offered.

They leave the pending list as accepted (a SKILL.md that this session wrote names or covers them) or ignored; one that
was dismissed has left already. Whatever was offered to others, or to nobody yet, stays. An offer that the agent never
saw, because it never said a word, is offered again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hooks import receipts, remember
from mind_skills.hooks.idle import checkpoint, measure_log, read_log, register
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.session_skills import judge_candidates, read_changed_skills, read_written_skills
from mind_skills.hooks.session_state import SessionMarkers, drop_reading, lock_session
from mind_skills.hooks.unread_offers import is_undelivered
from mind_skills.hosts import find_spec
from mind_skills.settings.lenient import skills_dir
from mind_skills.staging import start_files
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.claim import Offer
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import ATTEMPTS, Seen
from mind_skills.store.git import tracked
from mind_skills.store.project import find

PASSING = ("unreadable",)
"""Codes of a LogError that says nothing about the log: the disk, or this process, had a bad moment."""


def end(
    home: str,
    moment: Moment,
    *,
    read: Callable[[Path], Analysis] | None = None,
) -> list[str]:
    """Finish a session. Returns problems worth a log line. Repeated, it changes nothing.

    ``read`` as in hooks/idle.py. Raises StoreError, OSError, LogError; the session stays open then, for the next start to
    finish, unless ``is_final`` says otherwise.
    """
    if moment.subagent:
        return []
    read = read or partial(read_log, project=moment.project)
    try:
        with lock_session(home, moment.session_id, wait=True), Ledger.open(home) as ledger:
            known = ledger.find_session(moment.session_id)
            if known is None and measure_log(moment.log)[0] < 0 and ledger.find_offer(moment.session_id) is None:
                return ledger.problems  # `claude mcp list` and the like end a session that never began
            if known is None or known.finished_at is None or (known.size, known.mtime) != measure_log(known.log):
                seen = register(ledger, moment)
                if seen is not None:
                    finish(ledger, seen, moment.at, read)
            return ledger.problems
    finally:
        SessionMarkers(home, moment.session_id, find(moment.project).id).ending.drop()


def is_final(error: Exception) -> bool:
    """Whether a log that could not be read for this reason never will be."""
    return isinstance(error, LogError) and error.code not in PASSING


def finish(ledger: Ledger, seen: Seen, at: int, read: Callable[[Path], Analysis]) -> None:
    """The end of a session that has not ended yet: stage, settle, close.

    Closed it is as well when its log cannot be read and never will be, or was begun ``ATTEMPTS`` times in vain; the
    reason is raised then. Whatever else is raised leaves it as it is.
    """
    offer = ledger.find_offer(seen.session_id)
    always = offer is not None or not ledger.has_outcome(seen.session_id)
    analysis, unreadable = _look_last(ledger, seen, at, read, always=always)
    if offer is not None:
        since = seen.resumed(offer.at)
        unread = (unreadable is None and not offer.answered) if analysis is None else not analysis.answered(since)
        if (unread and not offer.early) or is_undelivered(ledger.home, seen.session_id, seen.log, offer.ids):
            ledger.rearm(seen.session_id, at)
        else:
            _settle(ledger, seen, offer, analysis, at)
    remember.update_accepted(ledger, seen.project, at)
    ledger.finish_session(seen.session_id, at)
    markers = SessionMarkers(ledger.home, seen.session_id, seen.project.id)
    markers.running.drop()
    markers.checked.drop()
    drop_reading(ledger.home, seen.session_id)
    offer = ledger.find_offer(seen.session_id)
    if offer is None or offer.settled:  # else it came back meanwhile, and what is there is of an offer it was just made
        for marker in (markers.unanswered, markers.deferred, markers.handing):
            marker.drop()
    if unreadable is not None:
        raise unreadable


def _look_last(
    ledger: Ledger,
    seen: Seen,
    at: int,
    read: Callable[[Path], Analysis],
    *,
    always: bool,
) -> tuple[Analysis | None, LogError | None]:
    """The last checkpoint; or why there never will be one."""
    if seen.attempts >= ATTEMPTS:
        return None, LogError("given_up", f"its log was begun to be read {ATTEMPTS} times, never to the end", "")
    try:
        return checkpoint(ledger, seen, at, read, last=True, always=always), None
    except LogError as error:
        if not is_final(error):
            raise
        return None, error


def _settle(ledger: Ledger, seen: Seen, offer: Offer, analysis: Analysis | None, at: int) -> None:
    root = seen.project.root
    # Those that are not found are ignored, which settles them.
    candidates = [each for each in ledger.list_offered(seen.session_id) if each.id in offer.ids]
    shown = read_written_skills(analysis.skills_written if analysis else [], root)
    changed = read_changed_skills(os.path.join(root, skills_dir(root, seen.host)), offer.at)
    settled = ledger.settle(seen.session_id, judge_candidates(candidates, shown, changed, tracked), at)
    receipts.leave_receipts(ledger.home, seen, offer, settled)
    if (host := find_spec(seen.host)) and host.forgets_context:
        start_files.set_flag(start_files.session_flag(ledger.home, seen.session_id), up=True)
