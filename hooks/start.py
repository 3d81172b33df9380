"""Start: a root session begins, or comes back without ever having been told anything. It is handed what waits, once.

The only moment that its host waits for. With nothing waiting it is a handful of stats; with something, one short
transaction over a text that was made ready when the candidates were staged. Imports ``os`` and, with something
waiting, ``sqlite3``.
"""

from __future__ import annotations

import os
import sys
import time

from mind_skills.hooks import processes
from mind_skills.hooks.session_state import ENDING, UNANSWERED, SessionMarkers, list_markers
from mind_skills.hosts import spec
from mind_skills.staging import claim as claims
from mind_skills.staging import start_files
from mind_skills.staging.frame import ASK, AUTO, COMMAND, NEVER
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
_PLAIN = "/._-+@~:"
"""Of a path that needs no quotation marks, beside letters and digits."""
STALE = 10_000
"""Milliseconds after which a reading that was announced counts as dead."""


def start(
    home: str,
    moment: Moment,
    *,
    leave_open: list[object] | None = None,
    marked: bool = False,
) -> str | None:
    """The text that this session is handed, or None.

    Asked again for the same session, the same bytes, except on resume, and for a known process of a host that keeps
    what a start says: there the session's context holds them already. A session that is resumed is told what is open of its
    task as well (hooks/reminding.py). ``home`` is the state folder. ``leave_open`` as in staging/claim.py. ``marked`` is from
    a caller that removes the marker ``handing`` when its host has been told of an offer. Raises StoreError, OSError.
    """
    if moment.subagent or moment.source not in SOURCES:
        return None
    project = find(moment.project)
    markers = SessionMarkers(home, moment.session_id, project.id)
    _wait_for_endings(home, project, moment.at)
    _rearm_dead_sessions(home, project, moment)
    open_errors = _find_open_errors(home, project, moment)
    offer = _claim_offer(home, project, moment, markers, leave_open, marked=marked)
    if open_errors and not _is_new_to_session(home, project, moment, markers, open_errors):
        open_errors = ""
    return "\n\n".join(filter(None, (offer, open_errors))) or None


def _claim_offer(
    home: str,
    project: Project,
    moment: Moment,
    markers: SessionMarkers,
    leave_open: list[object] | None,
    *,
    marked: bool,
) -> str | None:
    """What of the offer this session is handed now."""
    if not claims.could_offer(home, project.id, moment.session_id):
        if marked:
            markers.handing.drop()
        return None
    # Before the claim, and gone when the host has been told: whoever dies in between leaves a sign of it. Who holds an
    # offer and leaves none has been told before, and to tell it again must not put that in doubt.
    if marked and not os.path.exists(start_files.session_flag(home, moment.session_id)):
        markers.handing.put()
    # One that came back before it answered has another process now, by which others see that it lives.
    if markers.unanswered.exists():
        _await_answer(moment, markers)
    from mind_skills.settings.lenient import cap, skills_dir, write_skills

    folder, most = skills_dir(moment.project, moment.host), cap(moment.project, "per_offer")
    writing = write_skills(moment.project)
    if writing == ASK and is_headless(moment.host):
        writing = AUTO
    offer = claims.claim(
        home,
        project,
        moment.session_id,
        moment.at,
        folder,
        0 if writing == NEVER else most,
        command=find_command(),
        writing=writing,
        leave_open=leave_open,
    )
    if offer is None:
        if marked:
            markers.handing.drop()
        return None
    # What it held was advice alone; or it was finished at this very moment, and the sign is gone (hooks/end.py).
    if marked and offer.fresh and not markers.handing.exists():
        markers.handing.put()
    if offer.fresh:
        _await_answer(moment, markers)
        return offer.text
    # A process of such a host asks once. Who asks again is another copy of the hook: in the settings beside the plugin.
    has_text = moment.source == "resume" or (moment.pid > 0 and spec(moment.host).keeps_context)
    return None if has_text and not markers.deferred.exists() else offer.text


def is_headless(host: str) -> bool:
    """Whether the host says that nobody is at this session."""
    variable, begin = spec(host).headless
    return bool(variable) and os.environ.get(variable, "").startswith(begin)


def find_command() -> str:
    """How the agent's shell calls mind-skills: by its name where the PATH has it, else by its path; the name where it is nowhere.

    It stands beside this Python, in the folder ``bin`` of a checkout, or where pip, pipx and uv put the commands of a user.
    Claude Code puts that folder of a plugin on its agent's PATH, and not on a hook's.
    """
    name = COMMAND + (".exe" if os.name == "nt" else "")
    on_path = filter(os.path.isabs, os.environ.get("PATH", "").split(os.pathsep))
    if os.environ.get("CLAUDE_PLUGIN_ROOT") or any(os.access(os.path.join(one, name), os.X_OK) for one in on_path):
        return COMMAND
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = (os.path.dirname(sys.executable), os.path.join(checkout, "bin"), os.path.expanduser("~/.local/bin"))
    for path in (os.path.join(folder, name) for folder in folders):
        if os.access(path, os.X_OK) and _is_tellable(path):
            word = path.replace(os.sep, "/")  # on Windows, too, the shell of an agent is one of POSIX
            return word if all(c.isalnum() or c in _PLAIN for c in word) else f"'{word}'"
    return COMMAND


def _is_tellable(path: str) -> bool:
    """Whether a path can stand in the text of an offer, and between quotation marks of a shell."""
    return path.isprintable() and not any(c in path for c in "'`<>{}")


def _await_answer(moment: Moment, markers: SessionMarkers) -> None:
    markers.unanswered.put(f"{processes.describe_process(moment.pid)}\n{moment.session_id}\n{moment.log}")


def _find_open_errors(home: str, project: Project, moment: Moment) -> str:
    """What is open of the task of a session that was resumed, empty for every other. Usually no stat."""
    if moment.source != "resume" and not spec(moment.host).forgets_context:
        return ""
    if not start_files.has_reminders(home, project.id):
        return ""
    if moment.source != "resume":
        from mind_skills.hooks.reminding import is_resumed

        if not is_resumed(home, moment):
            return ""
    return start_files.read_reminder(home, project.id, moment.session_id)


def _is_new_to_session(home: str, project: Project, moment: Moment, markers: SessionMarkers, text: str) -> bool:
    """Whether the session's context does not hold this already; asked once for each text."""
    if spec(moment.host).forgets_context:
        return True
    # Where a text waits for the first prompt, another copy of the hook has to defer the same.
    deferred = markers.deferred.exists()
    return start_files.claim_reminder(home, project.id, moment.session_id, text) or deferred


def _wait_for_endings(home: str, project: Project, now: int) -> None:
    for _ in range(STEPS):
        if not any(_is_fresh(path, now) for path in list_markers(home, ENDING, project.id)):
            return
        time.sleep(STEP)


def _is_fresh(path: str, now: int) -> bool:
    try:
        return abs(now - os.stat(path).st_mtime_ns // 1_000_000) < STALE
    except FileNotFoundError:
        return False


def _rearm_dead_sessions(home: str, project: Project, moment: Moment) -> None:
    """Offer again what was handed to sessions that died before they answered. Usually one failed listdir.

    The session of ``moment`` itself is left alone: it asks again, and gets the same bytes.
    """
    for path in list_markers(home, UNANSWERED, project.id):
        process, session_id, log, since = read_unanswered(path)
        runs = processes.is_running(process)
        if since > moment.at + AHEAD:
            try:
                os.utime(path)  # by a clock that was ahead: its silence is counted from now on
            except FileNotFoundError:
                continue  # that session has just been seen to answer
        dead = moment.at - since > QUIET if runs is None else not runs
        if dead and session_id != moment.session_id:
            _rearm(home, path, (process, session_id, log), moment.at)


def _rearm(home: str, path: str, dead: tuple[str, str, str], at: int) -> None:
    """Offer again what a dead session was handed, unless it answered, or comes back meanwhile."""
    process, session_id, log = dead

    def is_still_dead() -> bool:
        return read_unanswered(path)[0] == process

    if session_id:
        from mind_skills.hooks.unread_offers import rearm_unanswered

        rearm_unanswered(home, session_id, log, at, is_still_dead)
    try:
        if is_still_dead():
            os.unlink(path)
    except FileNotFoundError:
        return  # another start was faster


def read_unanswered(path: str) -> tuple[str, str, str, int]:
    """Process, session, log and time (UTC ms) of a marker; no session where whoever wrote it died over it."""
    try:
        with open(path, "rb") as file:
            parts = os.fsdecode(file.read(1 << 14)).split("\n", 2)
            since = os.fstat(file.fileno()).st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return "", "", "", 0  # the session has just been seen to answer
    return (parts[0], parts[1], parts[2], since) if len(parts) == 3 else ("", "", "", since)
