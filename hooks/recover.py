"""Recover: sessions that never ended, because they were killed, crashed, or their hook got lost. Each is finished once.

Every start runs this, whatever its source.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from mind_skills.errors import StoreError
from mind_skills.hooks import processes
from mind_skills.hooks.end import finish, is_final
from mind_skills.hooks.idle import measure_log, read_log, register
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.session_state import ENDING, SessionMarkers, list_markers, lock_session
from mind_skills.hooks.start import QUIET as LONG
from mind_skills.learning.skills.discovery import find_installed
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import Seen
from mind_skills.store.project import find

QUIET = 30 * 60_000
"""Milliseconds without a sign after which a session counts as over, where it is not known which process runs it."""
DEAD = 10 * 60_000
"""Milliseconds after which nobody reads a log that was announced: twice as long as a reader may live."""
LATE = 24 * 60 * 60_000
"""Milliseconds after its end for which a session's log is looked at once more at each start: a stat each."""
AHEAD = 24 * 60 * 60_000
"""Milliseconds: what is said to have been seen so much later than now was seen by a clock that has been put right since."""
ABANDONED = 7 * 24 * 60 * 60_000
"""The same where a process of that number runs: by then the number is somebody else's, or nobody will come back."""


def register_start(home: str, moment: Moment) -> list[str]:
    """The half of a start that its host does not wait for: register the session, bring the pending file in step.

    Returns problems worth a log line. Raises StoreError, OSError.
    """
    if moment.subagent:
        return []
    with lock_session(home, moment.session_id, wait=True), Ledger.open(home) as ledger:
        markers = SessionMarkers(home, moment.session_id)
        if not moment.pid:  # which process ran it before says nothing any more
            markers.running.drop()
        seen = register(ledger, moment)
        _sweep_endings(home, find(moment.project).id, moment.at)
        if moment.source == "fork" and not markers.forked.read():
            markers.forked.put(str(moment.at))
        if seen is not None:
            known = find_installed(seen.project.root).skills if ledger.has_coverable(seen.project) else None
            ledger.update_pending_file(seen.project, moment.at, known)
        return ledger.problems


def _sweep_endings(home: str, project_id: str, now: int) -> None:
    """Forget endings whose reader died before it knew the session: until then each start looks at them."""
    for path in list_markers(home, ENDING, project_id):
        with suppress(FileNotFoundError):  # its reader lives, or another start was faster
            if now - os.stat(path).st_mtime_ns // 1_000_000 > DEAD:
                os.unlink(path)


def register_missed(home: str, moments: Iterable[Moment], process: str = "") -> list[str]:
    """Register sessions whose start got lost, so that ``recover`` finds them; what is known already changes nothing.

    ``moments`` are the last that is known of each, ``process`` who ran them, in the words of hooks/processes.py, where
    it said so itself: their number may be another process's by now, or count in another container. Returns problems
    worth a log line. Raises StoreError, OSError.
    """
    with Ledger.open(home) as ledger:
        for moment in moments:
            known = ledger.find_session(moment.session_id)
            # An older moment must not say which process runs a session that has been resumed since.
            if not moment.subagent and (known is None or known.seen_at < moment.at):
                running = SessionMarkers(home, moment.session_id).running
                runner = running.read()
                if process or (runner and processes.is_running(runner) is None):
                    moment.pid = 0  # a number in another container, of which it is not for us to say whether it runs
                if register(ledger, moment) is not None and process:
                    running.put(process)
        return ledger.problems


def recover(
    home: str,
    now: int,
    *,
    except_session: str = "",
    quiet: int = QUIET,
    read: Callable[[Path], Analysis] = read_log,
) -> list[str]:
    """Finish every session that is over and was never finished, all but ``except_session``, which has just begun; and once more
    each that was, if its log has grown since.

    ``now`` is UTC milliseconds, ``quiet`` the milliseconds of silence after which a session counts as over whose process
    is not known. Returns problems worth a log line: a session whose log
    never will be readable is closed with one; one that met another error waits for the next start, a few times. Raises
    StoreError, OSError where the ledger cannot be opened.
    """
    problems: list[str] = []
    with Ledger.open(home) as ledger:
        try:
            ledger.correct_future_times(now, now + AHEAD)
            for seen in ledger.list_unfinished():
                if seen.session_id != except_session and is_over(home, seen, now, quiet):
                    problems += _finish(ledger, seen.session_id, now, read)
            for seen in ledger.list_finished_since(now - LATE):
                if seen.session_id != except_session and has_grown(seen):
                    ledger.register_session(seen.session_id, seen.host, seen.project, seen.log, seen.seen_at)
                    problems += _finish(ledger, seen.session_id, now, read)
            for session_id, answered in ledger.list_orphaned_offers(now - LONG):
                if answered:
                    ledger.settle(session_id, {}, now)
                else:
                    ledger.rearm(session_id, now)
        except StoreError as error:
            problems.append(f"recovery goes on at the next start: {type(error).__name__}: {error}")
        return [*ledger.problems, *problems]


def _finish(
    ledger: Ledger,
    session_id: str,
    now: int,
    read: Callable[[Path], Analysis],
) -> list[str]:
    with lock_session(ledger.home, session_id, wait=False) as lock:
        seen = ledger.find_session(session_id)
        if not lock.held or seen is None or seen.finished_at is not None:
            return []  # its end is at work at this very moment, or was
        try:
            finish(ledger, seen, now, read)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 -- one bad log must not keep the others waiting for ever
            state = "could not be recovered" if is_final(error) else "could not be recovered yet"
            return [f"session {session_id} {state}: {type(error).__name__}: {error}"]
        finally:
            SessionMarkers(ledger.home, session_id, seen.project.id).ending.drop()
    return []


def has_grown(seen: Seen) -> bool:
    """Whether the log of a session that was finished has grown since: it was still being written when its end was told,
    or the session went on without a word to us, or at a time that a clock which was set back gave as an earlier one.
    """
    if seen.size < 0 and seen.attempts:
        return False  # it could not be read, which has been told of
    try:
        return measure_log(seen.log)[0] > seen.size
    except OSError:
        return False


def is_over(home: str, seen: Seen, now: int, quiet: int = QUIET) -> bool:
    """Whether a session has come to its end without saying so: its process is gone, or it has long been silent."""
    runs = processes.is_running(SessionMarkers(home, seen.session_id).running.read())
    if runs is False:
        return True
    try:
        changed = measure_log(seen.log)[1] // 1_000_000
        changed = changed if changed < now + AHEAD else -1
    except OSError:
        changed = -1  # whoever finishes it says what is wrong with its log
    silent = now - max(seen.seen_at, changed)
    return silent > (ABANDONED if runs else LONG if _awaits_answer(home, seen) else quiet)


def _awaits_answer(home: str, seen: Seen) -> bool:
    """Whether it was told something and has not answered yet: its user may still think about the first words."""
    return seen.offered and SessionMarkers(home, seen.session_id, seen.project.id).unanswered.exists()
