"""Session-start hook: the text for a root session that starts or resumes, usually an offer. The host waits: without
anything pending it costs a few stat calls, and ``sqlite3`` is not imported.
"""

from __future__ import annotations

import os
import sys
import time

from mind_skills.hooks.session_state import ENDING, UNANSWERED, HookCall, SessionMarkers, list_markers
from mind_skills.hosts import load_spec
from mind_skills.staging import start_files
from mind_skills.staging.offer import ASK, AUTO, COMMAND, NEVER, claim_offer, could_offer
from mind_skills.store import processes
from mind_skills.store.home import remove_file
from mind_skills.store.project import resolve_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from mind_skills.store.project import Project

OFFER_SOURCES = ("startup", "clear", "resume")
"""Sources of a start that can receive an offer. After a fork or compaction, the context already contains the offer."""
POLL_SECONDS, MAX_POLLS = 0.01, 40
"""Seconds, number: a start waits at most 0.4 s until the previous session's log was read; ``/clear`` starts 85 ms after
that."""
UNANSWERED_TIMEOUT_MS = 12 * 60 * 60_000
"""Idle ms after which a session with an unknown process is dead; a first prompt may come hours after the start."""
MAX_CLOCK_SKEW_MS = 24 * 60 * 60_000
"""Milliseconds. A time further in the future than this was recorded before the clock was corrected."""
_UNQUOTED_CHARACTERS = "/._-+@~:"
"""Characters that need no quoting in a path, in addition to letters and digits."""
MAX_ENDING_AGE_MS = 10_000
"""Age in milliseconds from which an ``ending`` marker is ignored: the process that wrote it has probably died."""


def handle_session_start(
    home: str, call: HookCall, *, open_databases: list[object] | None = None, caller_removes_marker: bool = False
) -> str | None:
    """Return the text for this session, or None; the same offer again, unless its context has it (on resume, and on
    hosts that store a start's output). A resumed session also gets the open errors of its tasks. With
    ``caller_removes_marker``, a new offer has a ``delivering`` marker. Raises StoreError, OSError.
    """
    if call.subagent or call.source not in OFFER_SOURCES:
        return None
    project = resolve_project(call.project)
    markers = SessionMarkers(home, call.session_id, project.id)
    _wait_for_endings(home, project, call.at)
    _release_dead_sessions(home, project, call)
    open_errors = _find_open_errors(home, project, call)
    offer = _claim_offer(home, project, call, markers, open_databases, caller_removes_marker=caller_removes_marker)
    if open_errors and not _claim_open_errors(home, project, call, markers, open_errors):
        open_errors = ""
    return "\n\n".join(filter(None, (offer, open_errors))) or None


def _claim_offer(
    home: str,
    project: Project,
    call: HookCall,
    markers: SessionMarkers,
    open_databases: list[object] | None,
    *,
    caller_removes_marker: bool,
) -> str | None:
    """Claim an offer for this session, and return its text if the context of the session does not contain it yet."""
    if not could_offer(home, project.id, call.session_id):
        if caller_removes_marker:
            markers.delivering.remove()
        return None
    # Write the marker before claiming and remove it after delivery, so that a crash in between can be detected. A
    # session that holds an offer without a marker has already received it, and must not be marked as undelivered again.
    if caller_removes_marker and not os.path.exists(start_files.get_session_flag_path(home, call.session_id)):
        markers.delivering.write()
    # A session resumed before it responded runs in a new process: record that process, so that other starts can check it.
    if markers.unanswered.exists():
        _mark_unanswered(call, markers)
    from mind_skills.settings.lenient import get_cap, get_setting, get_skills_folder

    skills_folder, offer_limit = get_skills_folder(call.project, call.host), get_cap(call.project, "per_offer")
    writing: str = get_setting(call.project, "write_skills")
    if writing == ASK and is_headless(call.host):
        writing = AUTO
    offer = claim_offer(
        home,
        project,
        call.session_id,
        call.at,
        skills_folder,
        0 if writing == NEVER else offer_limit,
        command=find_command(),
        writing=writing,
        open_databases=open_databases,
    )
    if caller_removes_marker and (offer is None or offer.settled):
        markers.delivering.remove()  # nothing is being delivered
    if offer is None:
        return None
    # The session had only received advice before, or hooks/end.py has just settled its offer and removed the marker.
    if caller_removes_marker and offer.fresh and not markers.delivering.exists():
        markers.delivering.write()
    if offer.fresh:
        _mark_unanswered(call, markers)
        return offer.text
    # Hosts that store the reply call the hook once per process; a second call means that the hook is installed twice.
    already_delivered = call.source == "resume" or (call.pid > 0 and load_spec(call.host).stores_start_reply)
    return None if already_delivered and not markers.deferred.exists() else offer.text


def is_headless(host: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the host's environment variable indicates an unattended session; False if the host has none."""
    variable, prefix = load_spec(host).headless_marker
    return bool(variable) and environment.get(variable, "").startswith(prefix)


def find_command() -> str:
    """Return the command that runs mind-skills in the agent's shell: its name if on PATH, else its path next to this
    Python, in the checkout's ``bin`` or the user's folder of pip, pipx and uv. Hooks of Claude Code lack the
    plugin's ``bin`` in PATH.
    """
    name = COMMAND + (".exe" if os.name == "nt" else "")
    on_path = filter(os.path.isabs, os.environ.get("PATH", "").split(os.pathsep))
    if os.environ.get("CLAUDE_PLUGIN_ROOT") or any(
        os.access(os.path.join(directory, name), os.X_OK) for directory in on_path
    ):
        return COMMAND
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = (os.path.dirname(sys.executable), os.path.join(checkout, "bin"), os.path.expanduser("~/.local/bin"))
    for path in (os.path.join(folder, name) for folder in folders):
        if os.access(path, os.X_OK) and _is_quotable(path):
            command = path.replace(os.sep, "/")  # agents use a POSIX shell on Windows too
            return command if all(c.isalnum() or c in _UNQUOTED_CHARACTERS for c in command) else f"'{command}'"
    return COMMAND


def _is_quotable(path: str) -> bool:
    """Return whether a path is safe in the text of an offer, and between single quotes in a shell."""
    return path.isprintable() and not any(c in path for c in "'`<>{}")


def _mark_unanswered(call: HookCall, markers: SessionMarkers) -> None:
    markers.unanswered.write(f"{processes.describe_process(call.pid)}\n{call.session_id}\n{call.log}")


def _find_open_errors(home: str, project: Project, call: HookCall) -> str:
    """Return the open task errors of a resumed session; empty for any other session."""
    if call.source != "resume" and not load_spec(call.host).must_resend_offer:
        return ""
    if not start_files.has_open_errors(home, project.id):
        return ""
    if call.source != "resume":
        from mind_skills.hooks.open_errors import is_resumed

        if not is_resumed(home, call):
            return ""
    return start_files.read_open_errors(home, project.id, call.session_id)


def _claim_open_errors(home: str, project: Project, call: HookCall, markers: SessionMarkers, text: str) -> bool:
    """Return whether to deliver ``text``: once if the host stores the context, else at every start."""
    if load_spec(call.host).must_resend_offer:
        return True
    # If a text is deferred to the first prompt, a duplicate hook must defer the same text.
    deferred = markers.deferred.exists()
    return start_files.claim_open_errors(home, project.id, call.session_id, text) or deferred


def _wait_for_endings(home: str, project: Project, now: int) -> None:
    for _ in range(MAX_POLLS):
        if not any(_is_fresh(path, now) for path in list_markers(home, ENDING, project.id)):
            return
        time.sleep(POLL_SECONDS)


def _is_fresh(path: str, now: int) -> bool:
    try:
        return abs(now - os.stat(path).st_mtime_ns // 1_000_000) < MAX_ENDING_AGE_MS
    except FileNotFoundError:
        return False


def _release_dead_sessions(home: str, project: Project, call: HookCall) -> None:
    """Release the offers of sessions that died without responding, except the one of ``call``."""
    for path in list_markers(home, UNANSWERED, project.id):
        process, session_id, log, since = read_unanswered(path)
        is_running = processes.is_running(process)
        if since > call.at + MAX_CLOCK_SKEW_MS:
            try:
                os.utime(path)  # written while the clock was ahead: restart the idle time
            except FileNotFoundError:
                continue  # the session has just responded
        is_dead = call.at - since > UNANSWERED_TIMEOUT_MS if is_running is None else not is_running
        if is_dead and session_id != call.session_id:
            _release_offer(home, path, process, session_id, log, call.at)


def _release_offer(home: str, path: str, process: str, session_id: str, log: str, at: int) -> None:
    """Release a dead session's offer (``path`` is its ``unanswered`` marker), unless it has responded or resumed meanwhile."""

    def has_resumed() -> bool:
        return read_unanswered(path)[0] != process  # also if the session has responded, which removes the marker

    if session_id:
        from mind_skills.hooks.unread_offers import release_unanswered

        release_unanswered(home, session_id, log, at, has_resumed)
    if not has_resumed():
        remove_file(path)


def read_unanswered(path: str) -> tuple[str, str, str, int]:
    """Return process, session, log and time (UTC ms; 0 if removed) of an ``unanswered`` marker; "" for what is missing."""
    try:
        with open(path, "rb") as file:
            parts = os.fsdecode(file.read(1 << 14)).split("\n", 2)
            since = os.fstat(file.fileno()).st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return "", "", "", 0  # the session has just responded
    return (parts[0], parts[1], parts[2], since) if len(parts) == 3 else ("", "", "", since)
