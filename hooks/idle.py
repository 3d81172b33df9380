"""Idle: the agent has finished a turn and the session goes on. What it learned so far is put down.

Idle is not the end: hosts go idle after every turn. A log is read on from where the last look ended, and judged together with
what was kept of it (observations/following.py), so that a checkpoint costs what is new. What was found before that stays as it
is. The end reads all of it once more. What a look finds replaces what it found before: ten times equal once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from mind_skills.errors import LogError
from mind_skills.hooks import processes
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.session_skills import find_used_skills
from mind_skills.hooks.session_state import SessionMarkers, load_reading, lock_session, parse_number, save_reading
from mind_skills.learning.rules import learning_of, rules_of
from mind_skills.learning.skills.discovery import find_installed
from mind_skills.observations.following import Kept
from mind_skills.observations.read import extent
from mind_skills.settings.lenient import cap, idle_seconds, tells_rules
from mind_skills.staging.analyse import Analysis, analyse, look
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.select import beside
from mind_skills.staging.tables.sessions import ATTEMPTS, Seen
from mind_skills.store.project import find

LATE = 24 * 60 * 60_000
"""Milliseconds: a moment that is told longer after its session's end is not late, but of a clock that was put right."""
SEEN_FROM_OUTSIDE = "watch"
"""Source of a moment that no host told of (watch): that its agent has answered, only the log can say then."""


Look = Callable[[Path, Kept | None], Analysis]
"""Judges a log that grows, with what an earlier look kept of it."""


def read_log(path: Path, project: str = "") -> Analysis:
    """A log as the settings of its project have it: the project that is named, else the one that the log names."""
    return apply_settings(analyse(path, rules=tells_rules()), project)


def read_further(path: Path, kept: Kept | None, project: str = "") -> Analysis:
    """As ``read_log``, of a log that grows, with what an earlier look kept of it."""
    return apply_settings(look(path, kept, rules=tells_rules()), project)


def apply_settings(analysis: Analysis, project: str) -> Analysis:
    """As many candidates as the settings allow, and the outcome by their numbers."""
    place = project or analysis.session.project
    analysis.most = cap(place, "per_session")
    analysis.rescore(learning_of(place))
    return analysis


def idle(
    home: str,
    moment: Moment,
    *,
    interval: int | None = None,
    read_on: Look | None = None,
) -> list[str]:
    """Checkpoint: read the log, detect, replace this session's staged candidates. Returns problems worth a log line.

    ``read_on`` looks at a log, with what was kept of the last look; without it, as the project's settings have it. Does
    nothing where the log did not grow, where the last checkpoint is younger than ``interval`` (milliseconds; None: that of
    the settings), or while another checkpoint of this session is at work. Raises StoreError, OSError, LogError.
    """
    if moment.subagent:
        return []
    interval = idle_seconds(moment.project) * 1000 if interval is None else interval
    read_on = read_on or partial(read_further, project=moment.project)
    with lock_session(home, moment.session_id, wait=False) as lock:
        if not lock.held:
            return []
        with Ledger.open(home) as ledger:
            seen = register(ledger, moment)
            if seen is None:
                return []
            by_host = moment.source != SEEN_FROM_OUTSIDE
            if by_host:
                _note_answer(ledger, seen, moment)
            due = seen.checkpoint_at is None or not 0 <= moment.at - seen.checkpoint_at < interval
            if due and seen.attempts < ATTEMPTS - 1:  # the last attempt is for the end
                kept = load_reading(home, seen.session_id)
                analysis = checkpoint(ledger, seen, moment.at, lambda path: read_on(path, kept))
                if analysis is not None:
                    ledger.set_attempts(seen.session_id, 0)
                    offer = None if by_host or not seen.offered else ledger.find_offer(seen.session_id)
                    if offer is not None and analysis.answered(seen.resumed(offer.at)):
                        _note_answer(ledger, seen, moment)
                SessionMarkers(home, moment.session_id).checked.put(str(moment.at))
            return ledger.problems


def _note_answer(ledger: Ledger, seen: Seen, moment: Moment) -> None:
    """Its agent has said something, so that what it was offered is not offered to another."""
    SessionMarkers(ledger.home, seen.session_id, seen.project.id).unanswered.drop()
    if seen.offered and moment.source != "error":  # an agent that could not work went idle, too
        ledger.mark_answered(seen.session_id, moment.at)


def register(ledger: Ledger, moment: Moment) -> Seen | None:
    """Note that this session is alive; None where it ended after this moment, whose process is late then."""
    known = ledger.find_session(moment.session_id)
    if known is not None and known.finished_at is not None and 0 <= known.finished_at - moment.at < LATE:
        return None
    ledger.register_session(moment.session_id, moment.host, find(moment.project), moment.log, moment.at)
    if moment.pid:
        SessionMarkers(ledger.home, moment.session_id).running.put(processes.describe_process(moment.pid))
    return ledger.find_session(moment.session_id)


def checkpoint(
    ledger: Ledger,
    seen: Seen,
    at: int,
    read: Callable[[Path], Analysis],
    *,
    last: bool = False,
    always: bool = False,
) -> Analysis | None:
    """Read the log if it has grown (or ``always``), and stage what it shows; None where there was nothing to read.

    Only the ``last`` look, which is at all of it, says how the session came out and what follows from that.
    That it is read is noted before, as an attempt: some logs may end the process that reads them. Raises LogError
    where there is a log that cannot be read.
    """
    size, mtime = measure_log(seen.log)
    grown = (size, mtime) != (seen.size, seen.mtime)
    if size < 0 or not (grown or always):
        return None
    ledger.set_attempts(seen.session_id, seen.attempts + 1)
    try:
        analysis = read(Path(seen.log))
    except LogError as error:
        if error.code in ("empty", "not_found"):
            ledger.set_attempts(seen.session_id, seen.attempts)
            return None
        raise
    rules = rules_of(seen.project.root)
    candidates = _merge_known(ledger, seen, analysis)
    forked = parse_number(SessionMarkers(ledger.home, seen.session_id).forked.read()) or 0
    if forked:
        # Its log begins with its parent's, and seeing that twice is no recurrence.
        candidates = ledger.exclude_seen_by_others(seen.project, seen.session_id, candidates)
    asked = candidates or ledger.has_coverable(seen.project)
    skills = find_installed(seen.project.root).skills if asked else None
    ledger.stage(
        seen.project,
        seen.session_id,
        seen.host,
        candidates,
        at,
        skills,
        rules.learning,
        analysis.most,
        adapts=rules.adapts,
    )
    uses = find_used_skills(analysis, seen.project.root, seen.host, forked)
    if last:
        from mind_skills.hooks import remember
        from mind_skills.hooks.credit import credit_session

        # Before its outcome is put down: without that, it is read once more.
        credit_session(ledger.home, seen, analysis, at, rules)
        if not forked:  # what its parent was asked and did is told there
            remember.remember_session(ledger.home, seen.project, seen.host, seen.session_id, analysis, at)
    met = [each for each in analysis.errors_met if each.at is None or each.at >= forked]
    ledger.put_look(seen, uses, analysis.outcome if last else None, at, met)
    # Measured before it was read: what was appended meanwhile is seen as growth the next time.
    ledger.set_checkpoint(seen.session_id, size, mtime, at)
    if analysis.kept is not None:
        try:
            save_reading(ledger.home, seen.session_id, analysis.kept)
        except OSError as error:  # a full disk, say: the next look reads more
            ledger.problems.append(f"what was read of a log could not be kept: {error}")
    return analysis


def _merge_known(ledger: Ledger, seen: Seen, analysis: Analysis) -> list[Candidate]:
    """What a look found, and what the session has staged from a part of its log that was not looked at; all of it.

    What was staged of a time before the log begins was in one that is gone: the spool of capture goes with the end of
    its session (hooks/captured.py), a log may be emptied or moved away, and what is resumed then begins another.
    """
    known = ledger.list_staged_by(seen.project, seen.session_id)
    if analysis.since == 1 and not known:
        return analysis.found
    began = analysis.session.started or 0
    whole = analysis.since == 1 or analysis.session.format == "capture"
    older = [each for each in known if each.detected_at < began] if whole else []
    if analysis.since == 1 and not older:
        return analysis.found
    known = [each for each in known if each not in older]
    return [*older, *(analysis.found if analysis.since == 1 else beside(known, analysis.found, analysis.since))]


def measure_log(log: str) -> tuple[int, int]:
    """Size and mtime (observations/read.py: ``extent``); -1, -1 where there is no log, at the start of a session usual."""
    if not log:  # which as a path would be the working directory
        return -1, -1
    try:
        return extent(Path(log))
    except (FileNotFoundError, NotADirectoryError):
        return -1, -1
