"""The worker's jobs: read logs and finish sessions as hooks do, link skills to candidates, and restore pending files.

Each job returns a result for the schedule (schedule.py: ``process_result``), a dictionary with any of these keys:

- ``again``: seconds after which to inspect the item again
- ``failed``: whether the job could not be done now
- ``problems``: messages for the user
- ``looks``: host, session, project and number of candidates of each log that was read
- ``recover``: search for sessions that are over, at once if true, after the inactivity timeout if false
- ``next``: seconds after which to search for sessions that are over
- ``ended``: number of sessions that were finished
- ``projects``: folders of projects whose skills are to be watched
- ``linked``: ids of candidates that were accepted because a skill names them
- ``since``: time up to which a database was inspected
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, cast

from mind_skills.errors import LogError
from mind_skills.errors.records import StagingError
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.idle import WATCH_SOURCE, run_checkpoint
from mind_skills.hooks.recover import recover_sessions
from mind_skills.hooks.redact_again import continue_redaction
from mind_skills.hooks.retention import prune_daily
from mind_skills.hooks.session_state import HookCall, Marker, SessionMarkers, is_checkpoint_due, list_markers
from mind_skills.hosts import load_spec
from mind_skills.learning.skills.discovery import find_installed_skills
from mind_skills.observations.find_logs import is_subagent_log
from mind_skills.observations.incremental import SavedState
from mind_skills.observations.read import detect_format, open_log
from mind_skills.observations.readers import opencode_db
from mind_skills.observations.session_origin import find_origin, find_own_start
from mind_skills.plugin.hooklog import append_note, describe_error
from mind_skills.plugin.opencode.spool import drain_spool
from mind_skills.plugin.pausing import find_pause_start, is_active
from mind_skills.settings.lenient import (
    get_idle_seconds,
    get_max_episodes,
    get_retention_days,
    is_enabled,
)
from mind_skills.settings.table import TABLE
from mind_skills.staging import memory_records
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pipeline import analyse_for_project, analyse_increment_for_project, measure_log
from mind_skills.staging.session_skills import find_candidate_ids
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.staging.tables.sessions import MAX_ATTEMPTS, ReportedSession
from mind_skills.store import processes
from mind_skills.store.project import Project, digest_text, resolve_project
from mind_skills.watch.schedule import MAX_AGE_SECONDS, WRITERS_FOLDER, JobResult

MAX_REGISTRATION_BYTES = 1 << 16
"""Maximum size of the file in which Claude Code registers a process."""


def record_writer(home: str, call: HookCall) -> None:
    """Record which process is writing a session's log; remove the record if the process is unknown."""
    marker = Marker(home, WRITERS_FOLDER, call.session_id)
    if process := find_writer(call):
        marker.write(process)
    else:
        marker.remove()


def record_ended_writers(home: str, unfinished: Iterable[ReportedSession]) -> None:
    """Copy the writers that have ended to where hooks record processes, so that ``recover_sessions`` finds them dead.

    Sessions whose process a hook has recorded do not change.
    """
    for session in unfinished:
        process = Marker(home, WRITERS_FOLDER, session.session_id).read()
        recorded = SessionMarkers(home, session.session_id).running.read()
        if process and not recorded and processes.is_running(process) is False:
            SessionMarkers(home, session.session_id).running.write(process)


def remove_other_writers(home: str, unfinished: Iterable[ReportedSession]) -> None:
    """Remove the recorded writers of all sessions except these."""
    digests = {digest_text(session.session_id) for session in unfinished}
    for path in list_markers(home, WRITERS_FOLDER):
        if os.path.basename(path) not in digests:
            with suppress(FileNotFoundError):
                os.unlink(path)


def find_writer(call: HookCall) -> str:
    """Return the process that writes a session's log (see ``describe_process``); empty unless exactly one is found."""
    if call.host == "claude-code":
        return _find_registered_process(os.path.dirname(os.path.dirname(os.path.dirname(call.log))), call.session_id)
    if call.host in ("codex", "opencode"):
        log = call.log.partition("?session=")[0]
        with suppress(OSError):
            status = os.stat(log)
            writers = _list_open_files(os.path.basename(log)).get((status.st_dev, status.st_ino), set())
            return processes.describe_process(writers.pop()) if len(writers) == 1 else ""
    return ""


def _find_registered_process(top: str, session_id: str) -> str:
    """Return the process that Claude Code has registered for a session in its settings folder ``top``, or an empty string."""
    folder = os.path.join(top, "sessions")
    with suppress(OSError):
        for name in os.listdir(folder):
            registration = _read_registration(os.path.join(folder, name)) if name.endswith(".json") else {}
            pid = registration.get("pid")
            if registration.get("sessionId") == session_id and isinstance(pid, int):
                process = processes.describe_process(pid)
                if processes.is_alive(pid) and process.split(" ")[1] in ("", str(registration.get("procStart", ""))):
                    return process
    return ""


def _read_registration(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            registration: Any = json.loads(file.read(MAX_REGISTRATION_BYTES))
    except (OSError, ValueError):  # the file is being written, or was just removed
        return {}
    return cast("dict[str, Any]", registration) if isinstance(registration, dict) else {}


@cache  # the worker is short-lived
def _list_open_files(name: str) -> dict[tuple[int, int], set[int]]:
    """Return the files with this name that are open for writing, and the ids of the processes that have each open.

    Files are identified by (device, inode); only processes that this user may inspect are checked.
    """
    holders: dict[tuple[int, int], set[int]] = {}
    own_pids = (os.getpid(), os.getppid())
    with suppress(OSError):
        for process in filter(str.isdecimal, os.listdir("/proc")):
            if int(process) not in own_pids:
                _add_open_files(f"/proc/{process}/fd", name, int(process), holders)
    return holders


def _add_open_files(folder: str, name: str, pid: int, holders: dict[tuple[int, int], set[int]]) -> None:
    with suppress(OSError):  # another user's process, or one that has just ended
        for descriptor in os.listdir(folder):
            path = os.path.join(folder, descriptor)
            with suppress(OSError):
                # The link is writable if the file is open for writing; processes that only read it are ignored.
                if os.path.basename(os.readlink(path)) == name and os.lstat(path).st_mode & stat.S_IWUSR:
                    status = os.stat(path)
                    holders.setdefault((status.st_dev, status.st_ino), set()).add(pid)


LATE_GROWTH_MS = 60_000
"""Milliseconds after a session's end in which its log may grow without the session counting as resumed."""
BUSY_RETRY_SECONDS = 2.0
"""Seconds until the next attempt if another process is working on the same log."""
MAX_SESSION_AGE_MS = 30 * 24 * 60 * 60_000
"""Milliseconds; sessions that finished earlier are not considered as originals of a copy, and projects without later
sessions are not watched.
"""
MAX_SIBLINGS = 100
"""Maximum number of sessions in a project with which a new session is compared to detect a copy."""
MAX_PROJECTS = 50
"""Maximum number of projects to watch; the most recent are chosen."""
MIN_SEARCH_SECONDS = 0.5
"""Minimum of ``next`` in a result, in seconds."""
PAUSE_SECONDS = 600
"""``next`` while mind-skills is paused or disabled where there are unfinished sessions: nothing reports the end of a pause."""
_MAX_HEADER_OBSERVATIONS = 200
"""Maximum number of observations to read for a session's id and project; most logs have both in the first line."""
_SESSION_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Owner(NamedTuple):
    """The session that a log belongs to: its host, its id as in the host's hooks, and its project folder."""

    host: str
    session: str
    project: str


def inspect_log(home: str, path: str, at: int, *, paced: bool) -> JobResult:
    """Inspect a file, if it is a log. ``at`` is UTC milliseconds.

    ``paced`` enforces the minimum interval between two inspections of a session.
    """
    try:
        owner = identify_log(Path(path))
    except LogError as error:
        if error.code in ("broken", "empty", "not_found", "unknown_format", "directory"):
            return {}
        return log_failure(home, at, "watch", path, error)
    if owner is None:
        return {}
    with Ledger.open(home) as ledger:
        owner, original = _find_part(ledger, owner, path)
    if original is not None and not SessionMarkers(home, owner.session).forked.read():
        try:
            start = find_own_start(Path(path), detect_format(Path(path)), Path(original))
        except (LogError, OSError) as error:
            return log_failure(home, at, "watch", path, error)
        if start is None:
            return {}
        SessionMarkers(home, owner.session).forked.write(str(start))
    return _inspect_session(home, owner, path, at, paced=paced)


def _find_part(ledger: Ledger, owner: Owner, path: str) -> tuple[Owner, str | None]:
    """Return the owner of a log, and the log with which its session was registered, if that is another one that exists.

    A session may have several logs: a host begins another one when the user edits a prompt, when a newer version continues a chat, or
    when a session moves to another folder. Each is a part of the session that is registered under a name of its own.
    """
    registered = ledger.find_session(owner.session)
    log = registered.log if registered is not None else path
    if not os.path.exists(log) or os.path.samefile(log, path):
        return owner, None
    is_namesake = os.path.basename(log) == os.path.basename(path)
    name = os.path.basename(os.path.dirname(path) if is_namesake else path)
    return owner._replace(session=f"{owner.session} ({name})"), log


def inspect_database(home: str, path: str, at: int, changed_since: int, *, paced: bool) -> JobResult:
    """Inspect the sessions in OpenCode's database that changed at ``changed_since`` (UTC ms) or later.

    A database of another program is ignored, unless it is where OpenCode has its own.
    """
    if changed_since > at:  # the clock was ahead when a session changed
        changed_since = at - MAX_AGE_SECONDS * 1000
    try:
        rows = opencode_db.list_changed_sessions(Path(path), changed_since)
    except OSError as error:
        own_path = load_spec("opencode").get_database_path(os.environ, os.path.expanduser("~"))
        is_foreign = error.errno == errno.EINVAL and path != own_path
        is_ignored = is_foreign or not os.path.exists(path)
        return {} if is_ignored else {"failed": True, "problems": [f"{path}: {error.strerror or error}"]}
    results: list[JobResult] = []
    for session_id, directory, _ in reversed(rows):  # inspect a copy after its original
        owner = Owner("opencode", session_id, _find_root(directory))
        log = f"{path}?session={session_id}"
        waits = [result["again"] for result in results if result.get("again")]
        if waits and opencode_db.get_fork_time(Path(log)):
            results.append({"again": max(waits)})
        else:
            results.append(_inspect_session(home, owner, log, at, paced=paced))
    result = _combine_results(results)
    result["since"] = max([changed_since, *(changed for _, _, changed in rows)])
    return result


def has_unread(ledger: Ledger, path: str, changed_since: int, *, is_database: bool) -> bool:
    """Return whether a log, or a session in a database that changed at ``changed_since`` (UTC ms) or later, is to be read.

    Nothing is to be read for sessions that were read to their end, whose project is missing or excluded, or whose log
    cannot be read.
    """
    owned_logs: list[tuple[Owner, str]] = []
    with suppress(LogError, OSError):
        if is_database:
            owned_logs = [
                (Owner("opencode", name, _find_root(folder)), f"{path}?session={name}")
                for name, folder, _ in opencode_db.list_changed_sessions(Path(path), changed_since)
            ]
        elif (owner := identify_log(Path(path))) is not None:
            owned_logs = [(_find_part(ledger, owner, path)[0], path)]
        return any(_is_unread(ledger, owner, log) for owner, log in owned_logs)
    return False


def _is_unread(ledger: Ledger, owner: Owner, path: str) -> bool:
    registered = ledger.find_session(owner.session)
    _, project, log = _locate_session(owner, path, registered)
    if not (os.path.isabs(project) and os.path.isdir(project) and is_active(ledger.home, resolve_project(project))):
        return False
    extent = measure_log(log)
    if registered is None:
        return True
    if registered.finished_at is not None:
        return extent[0] > registered.size
    return extent != (registered.size, registered.mtime) and registered.attempts < MAX_ATTEMPTS - 1


def import_spool(home: str) -> JobResult:
    """Register the sessions in the spool of the OpenCode plugin."""
    return {"problems": drain_spool(home), "recover": False}


def finish_sessions(home: str, at: int, idle_timeout: int, advance: Callable[[], None] = lambda: None) -> JobResult:
    """Finish every session that is over, as the hook at a session start does.

    ``idle_timeout`` is the milliseconds of inactivity after which a session whose process cannot be checked counts as over.
    ``advance`` is called for each log that is read.
    """

    def analyse_log(path: Path) -> Analysis:
        advance()
        return analyse_for_project(path)

    if find_pause_start(home) is not None:  # paused everywhere: hooks would do nothing either
        return {"next": PAUSE_SECONDS, "ended": 0}
    problems = drain_spool(home)
    with Ledger.open(home) as ledger:
        unfinished = ledger.list_unfinished()
    record_ended_writers(home, unfinished)
    problems += recover_sessions(
        home, at, idle_timeout=idle_timeout, analyse_log=analyse_log, is_active=partial(is_active, home)
    )
    prune_daily(home, at, get_retention_days(), get_max_episodes())
    problems += continue_redaction(home)
    with Ledger.open(home) as ledger:
        remaining = ledger.list_unfinished()
        remove_other_writers(home, remaining)
        projects = _list_recent_projects(ledger, at)
    waits = [
        _find_last_activity(session) + idle_timeout - at if is_active(home, session.project) else PAUSE_SECONDS * 1000
        for session in remaining
        if not processes.is_running(SessionMarkers(home, session.session_id).running.read())
    ]
    ended = {session.session_id for session in unfinished} - {session.session_id for session in remaining}
    wait = max(MIN_SEARCH_SECONDS, min(waits) / 1000) if waits else None
    return {"problems": problems, "ended": len(ended), "next": wait, "projects": projects}


def _find_last_activity(session: ReportedSession) -> int:
    """Return when a session or its log was last active (UTC ms)."""
    try:
        return max(session.seen_at, measure_log(session.log)[1] // 1_000_000)
    except OSError:
        return session.seen_at  # finishing the session reports the problem


def _list_recent_projects(ledger: Ledger, at: int) -> list[str]:
    """Return the folders of the active projects with the most recent sessions, newest first."""
    sessions = sorted(
        [*ledger.list_unfinished(), *ledger.list_finished_since(at - MAX_SESSION_AGE_MS)],
        key=lambda session: -session.seen_at,
    )
    roots = dict.fromkeys(session.project.root for session in sessions)
    return [root for root in roots if os.path.isdir(root) and is_enabled(root)][:MAX_PROJECTS]


def link_skill(home: str, path: str, root: str, at: int) -> JobResult:
    """Accept the candidates that a new or changed skill names, and mark those that installed skills cover.

    ``root`` is the skill's project, or empty for a user skill.
    """
    linked: list[str] = []
    with Ledger.open(home) as ledger:
        project = resolve_project(project_folder=root) if root else None
        for id_ in find_candidate_ids(path):
            try:
                record = ledger.find_candidate(id_, project)
            except StagingError:
                continue  # the id is unknown or ambiguous
            if record.state in ("accepted", "dismissed") or _was_undone(ledger, record, path):
                continue
            target_project = project or _find_record_project(ledger, record)
            if target_project is None or not is_active(home, target_project):
                continue
            ledger.accept(record.candidate.id, path, at, target_project)
            memory_records.sync_accepted_records(ledger, target_project, at)
            linked.append(record.candidate.id)
        if project is not None and is_active(home, project) and ledger.has_coverable(project):
            ledger.update_pending_file(project, at, find_installed_skills(project.root).skills)
        return {"problems": ledger.problems, "linked": linked}


def _was_undone(ledger: Ledger, record: StoredCandidate, path: str) -> bool:
    """Return whether the user undid that the candidate became the skill at ``path``, which must not bring it back."""
    receipts = ledger.list_candidate_receipts(record)
    undone = {each.detail["undoes"] for each in receipts if each.event == "undone"}
    skills = [str(each.detail["skill"]) for each in receipts if each.event == "accepted" and each.n in undone]
    return os.path.realpath(path) in map(os.path.realpath, skills)


def _find_record_project(ledger: Ledger, record: StoredCandidate) -> Project | None:
    """Return the project of a record, as one of its sessions recorded it."""
    sessions = [ledger.find_session(session_id) for session_id in record.candidate.sessions]
    return next(
        (session.project for session in sessions if session is not None and session.project.id == record.project), None
    )


def restore_pending_file(home: str, root: str, at: int) -> JobResult:
    """Rewrite a project's pending file after another program or a person changed it."""
    project = resolve_project(project_folder=root)
    if not is_active(home, project):
        return {}
    with Ledger.open(home) as ledger:
        ledger.update_pending_file(
            project, at, find_installed_skills(root).skills if ledger.has_coverable(project) else None
        )
        return {"problems": ledger.problems}


def identify_log(path: Path) -> Owner | None:
    """Identify a log's session from its beginning. Raises LogError.

    Returns None for the log of a subagent, or if the log does not name its session and project.
    """
    log_format = detect_format(path)
    if is_subagent_log(path):
        return None
    opened_log = open_log(path, log_format)
    header = opened_log.session
    for observation in islice(opened_log.observations, _MAX_HEADER_OBSERVATIONS):
        if log_format == "claude-code" and observation.agent == "subagent":
            return None  # a subagent's log is read with its session's log, which has the same id
        if header.session_id and header.project:
            break
    cast("Generator[Any]", opened_log.observations).close()
    session_id = header.session_id
    if header.host == "claude-code" and _SESSION_UUID.fullmatch(path.stem):
        session_id = path.stem  # a resumed or copied session begins with lines of another session
    project = header.project or (_read_gemini_project(path) if header.host == "gemini" else "")
    if not project or not session_id:
        return None
    return Owner(header.host, session_id, _find_root(project, is_root=header.host == "claude-code"))


def _find_root(folder: str, *, is_root: bool = False) -> str:
    """Return the root of the project of a folder that a log names; one of another system is returned as it is."""
    if not os.path.isabs(folder):
        return folder
    return resolve_project(project_folder=folder).root if is_root else resolve_project(folder=folder).root


def _read_gemini_project(path: Path) -> str:
    """Return the project folder that Gemini CLI stores next to its chats, since a chat's header may lack it."""
    try:
        with (path.parent.parent / ".project_root").open("rb") as file:
            project = os.fsdecode(file.read(4096)).strip()
    except OSError:
        return ""
    return project if os.path.isabs(project) else ""


def _locate_session(owner: Owner, path: str, registered: ReportedSession | None) -> tuple[str, str, str]:
    """Return host, project folder and log of a session. Registered values take precedence, unless the log has been moved."""
    if registered is None:
        return owner.host, owner.project, path
    log = registered.log if measure_log(registered.log)[0] >= 0 else path
    return registered.host, registered.project.root, log


def _inspect_session(home: str, owner: Owner, path: str, at: int, *, paced: bool) -> JobResult:
    """Inspect the log of a session as an idle hook does, and end the session if the log says that it is over."""
    with Ledger.open(home) as ledger:
        registered = ledger.find_session(owner.session)
    host, project, log = _locate_session(owner, path, registered)
    call = HookCall(host, owner.session, project, log, at, source=WATCH_SOURCE)
    is_here = os.path.isabs(project)  # neither relative nor of another operating system
    if is_here and not is_active(home, resolve_project(project)):
        return {}
    if not (is_here and os.path.isdir(project)):
        return {"problems": [f"{path}: its project {project} does not exist on this machine"]}
    try:
        extent = measure_log(log)
        if registered is not None and registered.finished_at is not None:
            if extent[0] <= registered.size:
                return {}
            if extent[1] // 1_000_000 <= registered.finished_at + LATE_GROWTH_MS:
                return {"recover": True}  # ``recover_sessions`` reads what was added after the end
        original_result = (
            _inspect_original(home, call, at) if registered is None or registered.checkpoint_at is None else {}
        )
        if original_result.get("again"):
            return original_result
        return _combine_results([original_result, _run_checkpoint(home, call, extent, at, paced=paced)])
    except Exception as error:  # noqa: BLE001 -- one failing log must not stop the others
        return log_failure(home, at, "watch", path, error)


def _inspect_original(home: str, call: HookCall, at: int) -> JobResult:
    """Detect a session that began as a copy of another one, as the hook at a session start does, and record the copy.

    The original is inspected first, so that what both sessions contain is attributed to the original. Returns the
    result of that inspection, or an empty result.
    """
    if SessionMarkers(home, call.session_id).forked.read():
        return {}
    path = Path(call.log)
    with Ledger.open(home) as ledger:
        try:
            original = find_origin(path, detect_format(path), _list_siblings(ledger, call, at))
        except LogError:
            return {}  # inspecting the log reports the problem
        original_session = None if original is None else ledger.find_session(original.session_id)
    if original is None or (original.session_id and original.log is None and original_session is None):
        return {}  # the original has not been inspected, and cannot be
    SessionMarkers(home, call.session_id).forked.write(str(original.at))
    if original.log is None or (
        original_session is not None
        and measure_log(str(original.log)) == (original_session.size, original_session.mtime)
    ):
        return {}
    result = inspect_log(home, str(original.log), at, paced=False)
    if result.get("again"):  # another process is working on the original
        SessionMarkers(home, call.session_id).forked.remove()
    return result


def _list_siblings(ledger: Ledger, call: HookCall, at: int) -> list[Path]:
    """Return the logs of other sessions of the project and host: unfinished ones, then the last finished ones."""
    sessions = [*ledger.list_unfinished(), *reversed(ledger.list_finished_since(at - MAX_SESSION_AGE_MS))]
    key = (call.host, resolve_project(call.project).id)
    return [
        Path(session.log)
        for session in sessions
        if (session.host, session.project.id) == key and session.session_id != call.session_id
    ][:MAX_SIBLINGS]


def _run_checkpoint(home: str, call: HookCall, extent: tuple[int, int], at: int, *, paced: bool) -> JobResult:
    interval = get_idle_seconds(call.project) * 1000 if paced else 0
    if interval and not is_checkpoint_due(home, call, interval):
        checked_at = int(SessionMarkers(home, call.session_id).checked.read() or 0)
        return {"again": max(0.1, (checked_at + interval - at) / 1000)}
    analyses: list[Analysis] = []

    def analyse_whole(path: Path) -> Analysis:
        analyses.append(analyse_for_project(path, call.project))
        return analyses[-1]

    def analyse_increment(path: Path, previous: SavedState | None) -> Analysis:
        analyses.append(analyse_increment_for_project(path, previous, call.project))
        return analyses[-1]

    problems = run_checkpoint(home, call, interval=interval, analyse_increment=analyse_increment)
    record_writer(home, call)
    result: JobResult = {"recover": False, "projects": [call.project]}
    if not analyses:
        with Ledger.open(home) as ledger:
            session = ledger.find_session(call.session_id)
        is_busy = session is None or ((session.size, session.mtime) != extent and session.attempts < MAX_ATTEMPTS - 1)
        return {"again": BUSY_RETRY_SECONDS} if is_busy else result
    if analyses[-1].session.end_reason and f"skills_dir.{call.host}" not in TABLE:
        handle_session_end(home, call, analyse_log=analyse_whole)
        result = {"ended": 1, "projects": [call.project]}
    inspection = {"host": call.host, "session": call.session_id, "project": call.project}
    return {**result, "problems": problems, "looks": [{**inspection, "candidates": len(analyses[-1].candidates)}]}


def _combine_results(results: list[JobResult]) -> JobResult:
    combined: JobResult = {}
    for name in ("problems", "looks", "projects"):
        combined[name] = [value for result in results for value in result.get(name, ())]
    combined["ended"] = sum(result.get("ended", 0) for result in results)
    combined["failed"] = any(result.get("failed") for result in results)
    if waits := [result["again"] for result in results if result.get("again")]:
        combined["again"] = min(waits)
    if recover := [result["recover"] for result in results if "recover" in result]:
        combined["recover"] = any(recover)
    return combined


def log_failure(home: str, at: int, operation: str, name: str, error: Exception) -> JobResult:
    """Write an error to the hooks' log, and return the result of the failed job."""
    append_note(home, at, operation, f"{name}: {describe_error(error)}")
    return {"failed": True, "problems": [f"{name}: {type(error).__name__}: {error}"]}
