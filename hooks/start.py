"""Start: a root session begins, or comes back without ever having been told anything. It is handed what waits, once.

The only moment that its host waits for. With nothing waiting it is a handful of stats; with something, one short
transaction over a text that was made ready when the candidates were staged. Imports ``os`` and, with something
waiting, ``sqlite3``.
"""

from __future__ import annotations

import os
import time

from mind_skills.hooks import processes, traces
from mind_skills.hosts import spec
from mind_skills.staging import claim as claims
from mind_skills.staging import flags
from mind_skills.store.project import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.hooks.moment import Moment
    from mind_skills.store.project import Project

SOURCES = ("startup", "clear", "resume")
"""A compaction keeps the session, a fork keeps a copy of its context: neither has forgotten what it was told."""
STEP, STEPS = 0.01, 40
"""Seconds, and how often: a session that begins while the one before it is still being read waits 0.4 s at most.
``/clear`` ends one session and begins the next 85 ms later (measured), and what was just learned is wanted then."""
QUIET = 12 * 60 * 60_000
"""Milliseconds without a word after which a session whose process is unknown counts as dead. A first prompt may be
hours in coming, and what is offered a second time meanwhile has been told twice."""
AHEAD = 24 * 60 * 60_000
"""As in hooks/recover.py."""
STALE = 10_000
"""Milliseconds after which a reading that was announced counts as dead."""


def start(
    home: str,
    moment: Moment,
    *,
    kept: list[object] | None = None,
    traced: bool = False,
) -> str | None:
    """The text that this session is handed, or None.

    Asked again for the same session, the same bytes, except on resume, and for a known process of a host that keeps
    what a start says: there the session's context holds them already. A session that is resumed is told what is open of its
    task as well (hooks/reminding.py). ``home`` is the state folder. ``kept`` as in
    staging/claim.py. ``traced`` is from a caller that removes the trace ``handing`` when its host has been told of an offer. Raises
    StoreError, OSError.
    """
    if moment.subagent or moment.source not in SOURCES:
        return None
    project = find(moment.project)
    _let_endings_finish(home, project, moment.at)
    _rearm(home, project, moment)
    still_open = _still_open(home, project, moment)
    told = _offered(home, project, moment, kept, traced=traced)
    if still_open and not _new_to_it(home, project, moment, still_open):
        still_open = ""
    return "\n\n".join(filter(None, (told, still_open))) or None


def _offered(
    home: str,
    project: Project,
    moment: Moment,
    kept: list[object] | None,
    *,
    traced: bool,
) -> str | None:
    """What of the offer this session is told now."""
    if not claims.could_offer(home, project.id, moment.session_id):
        if traced:
            traces.drop(home, traces.HANDING, "", moment.session_id)
        return None
    # Before the claim, and gone when the host has been told: whoever dies in between leaves a sign of it. Who holds an
    # offer and leaves none has been told before, and to tell it again must not put that in doubt.
    if traced and not flags.raised(flags.session_flag(home, moment.session_id)):
        traces.put(home, traces.HANDING, "", moment.session_id)
    # One that came back before it answered has another process now, by which others see that it lives.
    if os.path.exists(traces.place(home, traces.UNANSWERED, project.id, moment.session_id)):
        _await_answer(home, project, moment)
    from mind_skills.settings.lenient import cap, skills_dir

    folder, most = skills_dir(moment.project, moment.host), cap(moment.project, "per_offer")
    offer = claims.claim(home, project, moment.session_id, moment.at, folder, most, kept=kept)
    if offer is None:
        if traced:
            traces.drop(home, traces.HANDING, "", moment.session_id)
        return None
    # What it held was advice alone; or it was finished at this very moment, and the sign is gone (hooks/end.py).
    if traced and offer.fresh and not os.path.exists(traces.place(home, traces.HANDING, "", moment.session_id)):
        traces.put(home, traces.HANDING, "", moment.session_id)
    if offer.fresh:
        _await_answer(home, project, moment)
        return offer.text
    # A process of such a host asks once. Who asks again is another copy of the hook: in the settings beside the plugin.
    told = moment.source == "resume" or (moment.pid > 0 and spec(moment.host).keeps_context)
    if os.path.exists(traces.place(home, traces.HELD, "", moment.session_id)):
        told = False  # it still waits for the first prompt (hooks/held.py)
    return None if told else offer.text


def _await_answer(home: str, project: Project, moment: Moment) -> None:
    note = f"{processes.process(moment.pid)}\n{moment.session_id}\n{moment.log}"
    traces.put(home, traces.UNANSWERED, project.id, moment.session_id, note)


def _still_open(home: str, project: Project, moment: Moment) -> str:
    """What is open of the task of a session that was resumed, empty for every other. Nearly always no stat."""
    if moment.source != "resume" and not spec(moment.host).forgets_context:
        return ""
    from mind_skills.staging import reminders

    if not reminders.waits(home, project.id):
        return ""
    if moment.source != "resume":
        from mind_skills.hooks.reminding import came_back

        if not came_back(home, moment):
            return ""
    return reminders.text(home, project.id, moment.session_id)


def _new_to_it(home: str, project: Project, moment: Moment, text: str) -> bool:
    """Whether the session's context does not hold this already; asked once for each text."""
    if spec(moment.host).forgets_context:
        return True
    from mind_skills.staging import reminders

    # Where a text waits for the first prompt (hooks/held.py), another copy of the hook has to hold back the same.
    held = os.path.exists(traces.place(home, traces.HELD, "", moment.session_id))
    return reminders.tell(home, project.id, moment.session_id, text) or held


def _let_endings_finish(home: str, project: Project, now: int) -> None:
    for _ in range(STEPS):
        if not any(_fresh(path, now) for path in traces.listed(home, traces.ENDING, project.id)):
            return
        time.sleep(STEP)


def _fresh(path: str, now: int) -> bool:
    try:
        return abs(now - os.stat(path).st_mtime_ns // 1_000_000) < STALE
    except FileNotFoundError:
        return False


def _rearm(home: str, project: Project, moment: Moment) -> None:
    """Offer again what was handed to sessions that died before they answered. Nearly always one look at no folder.

    The session of ``moment`` itself is left alone: it asks again, and gets the same bytes.
    """
    for path in traces.listed(home, traces.UNANSWERED, project.id):
        process, session_id, log, since = awaited(path)
        runs = processes.runs(process)
        if since > moment.at + AHEAD:
            try:
                os.utime(path)  # by a clock that was ahead: its silence is counted from now on
            except FileNotFoundError:
                continue  # that session has just been seen to answer
        dead = moment.at - since > QUIET if runs is None else not runs
        if not dead or session_id == moment.session_id:
            continue
        _free(home, path, (process, session_id, log), moment.at)


def _free(home: str, path: str, dead: tuple[str, str, str], at: int) -> None:
    """Offer again what a dead session was handed, unless it answered, or comes back meanwhile."""
    process, session_id, log = dead

    def still() -> bool:
        return awaited(path)[0] == process

    if session_id:
        from mind_skills.hooks.unanswered import rearm

        rearm(home, session_id, log, at, still)
    try:
        if still():
            os.unlink(path)
    except FileNotFoundError:
        return  # another start was faster


def awaited(path: str) -> tuple[str, str, str, int]:
    """Process, session, log and time (UTC ms) of a trace; no session where whoever wrote it died over it."""
    try:
        with open(path, "rb") as file:
            parts = os.fsdecode(file.read(1 << 14)).split("\n", 2)
            since = os.fstat(file.fileno()).st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return "", "", "", 0  # the session has just been seen to answer
    return (parts[0], parts[1], parts[2], since) if len(parts) == 3 else ("", "", "", since)
