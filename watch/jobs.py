"""The worker's jobs: each does for a session what one of its hooks would have done.

Each returns what the schedule has to know (schedule.py: ``add_answer``): a plain dictionary with any of ``again`` (seconds
after which to inspect the item again), ``failed`` (it could not be done now), ``problems`` (sentences for people),
``looks`` (host, session, project and number of candidates of each log that was read), ``recover`` (sessions may be over:
now if true, after the silence if false), ``next`` (seconds after which to search for those), ``ended`` (how many were
finished), ``projects`` (their folders), ``linked`` (ids of candidates), ``since`` (up to when a database was inspected).
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Generator, Iterable
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, cast

from mind_skills.errors import LogError
from mind_skills.errors.records import StagingError
from mind_skills.hooks import processes, remember
from mind_skills.hooks.captured import FOLDER as CAPTURE
from mind_skills.hooks.captured import adopt_spools, remove_finished_spools
from mind_skills.hooks.end import end
from mind_skills.hooks.idle import SEEN_FROM_OUTSIDE, idle, measure_log, read_further, read_log
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import recover
from mind_skills.hooks.retention import daily
from mind_skills.hooks.session_state import Marker, SessionMarkers, is_checkpoint_due, list_markers
from mind_skills.learning.skills.discovery import find_installed
from mind_skills.learning.skills.files import read_text
from mind_skills.observations.copies import origin
from mind_skills.observations.following import Kept
from mind_skills.observations.read import choose, open_log
from mind_skills.observations.readers import codex_subagents, opencode_db
from mind_skills.plugin.hooklog import append_note, describe_error
from mind_skills.plugin.opencode.spool import drain_spool
from mind_skills.plugin.pausing import is_paused, paused_since
from mind_skills.settings.lenient import enabled, episodes, idle_seconds, retention_days, wanted
from mind_skills.settings.table import TABLE
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.sessions import ATTEMPTS, Seen
from mind_skills.store.project import Project, digest, find
from mind_skills.watch.schedule import Answer

FOLDER = os.path.join("watch", "writers")
MOST_BYTES = 1 << 16
"""Of a file in which Claude Code registers a process."""


def record_writer(home: str, moment: Moment) -> None:
    """Record which process writes the log of a session now; nothing where that is not known."""
    process = find_writer(moment)
    if process:
        Marker(home, FOLDER, moment.session_id).put(process)
    else:
        Marker(home, FOLDER, moment.session_id).drop()


def pass_on_ended(home: str, unfinished: Iterable[Seen]) -> None:
    """Record for ``recover`` which of these sessions' processes are gone, as if a hook had said who ran them."""
    for seen in unfinished:
        process = Marker(home, FOLDER, seen.session_id).read()
        recorded = SessionMarkers(home, seen.session_id).running.read()
        if process and not recorded and processes.is_running(process) is False:
            SessionMarkers(home, seen.session_id).running.put(process)


def forget_others(home: str, unfinished: Iterable[Seen]) -> None:
    """Forget the processes of all other sessions than these."""
    names = {digest(seen.session_id) for seen in unfinished}
    for path in list_markers(home, FOLDER):
        if os.path.basename(path) not in names:
            with suppress(FileNotFoundError):
                os.unlink(path)


def find_writer(moment: Moment) -> str:
    """The process as hooks/processes.py writes it; empty where there is none, or it is not certain."""
    if moment.host == "claude-code":
        return _find_registered(os.path.dirname(os.path.dirname(os.path.dirname(moment.log))), moment.session_id)
    if moment.host in ("codex", "opencode"):
        log = moment.log.partition("?session=")[0]
        with suppress(OSError):
            found = os.stat(log)
            writers = _list_open_files(os.path.basename(log)).get((found.st_dev, found.st_ino), set())
            return processes.describe_process(writers.pop()) if len(writers) == 1 else ""
    return ""


def _find_registered(top: str, session_id: str) -> str:
    """The process that registers in Claude Code's own folder that it runs this session."""
    folder = os.path.join(top, "sessions")
    with suppress(OSError):
        for name in os.listdir(folder):
            entry = _read_entry(os.path.join(folder, name)) if name.endswith(".json") else {}
            pid = entry.get("pid")
            if entry.get("sessionId") == session_id and isinstance(pid, int):
                process = processes.describe_process(pid)
                if processes.is_alive(pid) and process.split(" ")[1] in ("", str(entry.get("procStart", ""))):
                    return process
    return ""


def _read_entry(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            entry: Any = json.loads(file.read(MOST_BYTES))
    except (OSError, ValueError):  # of a process that comes or goes just now
        return {}
    return cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}


@cache  # for the short life of the worker
def _list_open_files(name: str) -> dict[tuple[int, int], set[int]]:
    """By device and inode of each file of this name that is open for writing, the processes of this user that hold it."""
    held: dict[tuple[int, int], set[int]] = {}
    ours = (os.getpid(), os.getppid())
    with suppress(OSError):
        for process in filter(str.isdecimal, os.listdir("/proc")):
            if int(process) not in ours:
                _add_open_files(f"/proc/{process}/fd", name, int(process), held)
    return held


def _add_open_files(folder: str, name: str, pid: int, held: dict[tuple[int, int], set[int]]) -> None:
    with suppress(OSError):  # another user's, or gone meanwhile
        for number in os.listdir(folder):
            path = os.path.join(folder, number)
            with suppress(OSError):
                # The link itself is writable where the file is open for writing: the end of a mere reader means nothing.
                if os.path.basename(os.readlink(path)) == name and os.lstat(path).st_mode & stat.S_IWUSR:
                    found = os.stat(path)
                    held.setdefault((found.st_dev, found.st_ino), set()).add(pid)


LATE = 60_000
"""Milliseconds after its end in which a log still grows; later the session goes on."""
BUSY = 2.0
"""Seconds after which to look again where another process was at work on the same log."""
MONTH = 30 * 24 * 60 * 60_000
"""Milliseconds: a session is seldom copied that ended longer ago, and longer silent projects are not watched."""
SIBLINGS = 100
"""Sessions of one project that are compared with a new one, by the beginning of their logs."""
DATABASE_SESSIONS, PROJECTS = 50, 50
"""Those that changed last, in one look."""
SOONEST = 0.5
"""Seconds between two searches for sessions that are over, at the least."""
_BEGINNING = 200
"""Observations in which a log says whose it is: most do in the first line."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ID = re.compile(r"(?<!\w)sc_[0-9a-f]{8}(?!\w)")


class Owner(NamedTuple):
    """The session of a log, in the words that the host's hooks use for it."""

    host: str
    session: str
    project: str


def inspect_log(home: str, path: str, at: int, *, paced: bool) -> Answer:
    """Look at one file, if it is a log. ``at`` is UTC milliseconds; ``paced`` keeps the least time between two looks."""
    try:
        owner = identify_log(Path(path))
    except LogError as error:
        if error.code in ("empty", "not_found", "unknown_format", "directory"):
            return {}
        return describe_failure(home, at, "watch", path, error)
    return {} if owner is None else _inspect_session(home, owner, path, at, paced=paced)


def inspect_database(home: str, path: str, at: int, changed_since: int, *, paced: bool) -> Answer:
    """Look at every session of OpenCode's database that changed since (its own UTC ms)."""
    try:
        rows = opencode_db.changed_since(Path(path), changed_since, DATABASE_SESSIONS)
    except OSError as error:
        return {} if not os.path.exists(path) else {"failed": True, "problems": [f"{path}: {error}"]}
    answers: list[Answer] = []
    for name, place, _ in reversed(rows):  # a copy comes after its original
        owner, log = Owner("opencode", name, find(folder=place).root), f"{path}?session={name}"
        waits = [each["again"] for each in answers if each.get("again")]
        if waits and opencode_db.copied_at(Path(log)):
            answers.append({"again": max(waits)})
        else:
            answers.append(_inspect_session(home, owner, log, at, paced=paced))
    answer = _combine(answers)
    if not answer.get("again") and not answer.get("failed"):
        answer["since"] = max([changed_since, *(changed for _, _, changed in rows)])
    return answer


def take_spool(home: str, at: int, *, paced: bool) -> Answer:
    """Take over what hooks left, and look at the sessions of which there is no other log."""
    problems = _adopt_spools(home, at)
    top = os.path.join(home, CAPTURE) + os.sep
    with Ledger.open(home) as ledger:
        unfinished = [seen for seen in ledger.list_unfinished() if seen.log.startswith(top)]
    answers = [
        _inspect_session(home, Owner(seen.host, seen.session_id, seen.project.root), seen.log, at, paced=paced)
        for seen in unfinished
        if measure_log(seen.log) != (seen.size, seen.mtime)
    ]
    return _combine([{"problems": problems, "recover": False}, *answers])


def _adopt_spools(home: str, at: int) -> list[str]:
    return [
        *drain_spool(home),
        *adopt_spools(home, at, wanted=lambda project: False if is_paused(home, project) else wanted(project)),
    ]


def finish_sessions(home: str, at: int, quiet: int) -> Answer:
    """Finish every session that is over, as the start of a session does.

    ``quiet`` is the milliseconds of silence after which one is over whose process is not known.
    """
    if paused_since(home) is not None:  # a pause everywhere: no hook would have done anything
        return {"next": None, "ended": 0}
    problems = _adopt_spools(home, at)
    with Ledger.open(home) as ledger:
        unfinished = ledger.list_unfinished()
    pass_on_ended(home, unfinished)
    problems += recover(home, at, quiet=quiet)
    remove_finished_spools(home)
    daily(home, at, retention_days(), episodes())
    with Ledger.open(home) as ledger:
        left = ledger.list_unfinished()
        forget_others(home, left)
        projects = _list_recent_projects(ledger, at)
    waits = [
        _last_sign(seen) + quiet - at
        for seen in left
        if not bool(processes.is_running(SessionMarkers(home, seen.session_id).running.read()))
    ]
    ended = {seen.session_id for seen in unfinished} - {seen.session_id for seen in left}
    wait = max(SOONEST, min(waits) / 1000) if waits else None
    return {"problems": problems, "ended": len(ended), "next": wait, "projects": projects}


def _last_sign(seen: Seen) -> int:
    """When a session, or its log, showed its last sign of life (UTC ms)."""
    try:
        return max(seen.seen_at, measure_log(seen.log)[1] // 1_000_000)
    except OSError:
        return seen.seen_at  # whoever finishes it says what is wrong with its log


def _list_recent_projects(ledger: Ledger, at: int) -> list[str]:
    """The projects of the sessions that were seen last, the newest first."""
    seen = sorted([*ledger.list_unfinished(), *ledger.list_finished_since(at - MONTH)], key=lambda each: -each.seen_at)
    roots = dict.fromkeys(each.project.root for each in seen)
    return [root for root in roots if os.path.isdir(root) and enabled(root)][:PROJECTS]


def accept_skill(home: str, path: str, root: str, at: int) -> Answer:
    """Link a skill that is new or has changed to the candidates that it names, and set aside what it covers.

    ``root`` is the project whose skill it is, empty for one that every project can use.
    """
    text = read_text(path)
    linked: list[str] = []
    with Ledger.open(home) as ledger:
        project = find(named=root) if root else None
        for id_ in dict.fromkeys(_ID.findall(text)):
            try:
                record = ledger.find_candidate(id_, project)
            except StagingError:
                continue  # nobody's, or of several projects
            if record.state in ("accepted", "dismissed"):
                continue
            place = project or _find_project(ledger, record)
            if place is None or _is_off(home, place.root):
                continue
            ledger.accept(record.candidate.id, path, at, place)
            remember.update_accepted(ledger, place, at)
            linked.append(record.candidate.id)
        if project is not None and not _is_off(home, project.root) and ledger.has_coverable(project):
            ledger.update_pending_file(project, at, find_installed(project.root).skills)
        return {"problems": ledger.problems, "linked": linked}


def _find_project(ledger: Ledger, record: Record) -> Project | None:
    """The project of a record, as one of its sessions named it."""
    found = [ledger.find_session(name) for name in record.candidate.sessions]
    return next((seen.project for seen in found if seen is not None and seen.project.id == record.project), None)


def restore_pending(home: str, root: str, at: int) -> Answer:
    """Bring a project's pending file in step again, which somebody has changed."""
    if _is_off(home, root):
        return {}
    with Ledger.open(home) as ledger:
        project = find(named=root)
        ledger.update_pending_file(project, at, find_installed(root).skills if ledger.has_coverable(project) else None)
        return {"problems": ledger.problems}


def _is_off(home: str, project: str) -> bool:
    """Whether mind-skills is to do nothing in this project, as its hooks would do nothing."""
    return is_paused(home, project) or not enabled(project)


def identify_log(path: Path) -> Owner | None:
    """Whose log this is, from its beginning; None where it is not that of a root session. Raises LogError."""
    chosen = choose(path)
    if chosen == "capture" or (chosen == "codex-rollout" and codex_subagents.belongs(path)):
        return None
    opened = open_log(path, chosen)
    header = opened.session
    for observation in islice(opened.observations, _BEGINNING):
        if chosen == "claude-code" and observation.agent == "subagent":
            return None  # it is read with its session's, whose id it bears
        if header.session_id and header.project:
            break
    cast("Generator[Any]", opened.observations).close()
    name = header.session_id
    if header.host == "claude-code" and _UUID.fullmatch(path.stem):
        name = path.stem  # the first lines of a session that was resumed or copied are of another
    project = header.project or (_read_gemini_project(path) if header.host == "gemini" else "")
    if not project or not name:
        return None
    place = find(named=project) if header.host == "claude-code" else find(folder=project)
    return Owner(header.host, name, place.root)


def _read_gemini_project(path: Path) -> str:
    """The project that Gemini CLI notes beside its chats, whose own header need not name it."""
    try:
        with (path.parent.parent / ".project_root").open("rb") as file:
            project = os.fsdecode(file.read(4096)).strip()
    except OSError:
        return ""
    return project if os.path.isabs(project) else ""


def _inspect_session(home: str, owner: Owner, path: str, at: int, *, paced: bool) -> Answer:
    """Look at the log of one session as at an idle moment of it, and end it where its log says that it is over."""
    with Ledger.open(home) as ledger:
        known = ledger.find_session(owner.session)
    host, project, log = owner.host, owner.project, path
    if known is not None:  # the words in which one of the host's hooks announced this session
        host, project = known.host, known.project.root
        log = known.log if measure_log(known.log)[0] >= 0 else path  # else it has been moved
    moment = Moment(host, owner.session, project, log, at, source=SEEN_FROM_OUTSIDE)
    if _is_off(home, project):
        return {}
    if not os.path.isdir(project):
        return {"problems": [f"{path}: its project {project} is not on this machine"]}
    try:
        extent = measure_log(log)
        if known is not None and known.finished_at is not None:
            if extent[0] <= known.size:
                return {}
            if extent[1] // 1_000_000 <= known.finished_at + LATE:
                return {"recover": True}  # which reads once more what has grown since its end
        first = _inspect_original(home, moment, at) if known is None or known.checkpoint_at is None else {}
        if first.get("again"):
            return first
        return _combine([first, _checkpoint(home, moment, extent, at, paced=paced)])
    except Exception as error:  # noqa: BLE001 -- one bad log must not keep the others waiting
        return describe_failure(home, at, "watch", path, error)


def _inspect_original(home: str, moment: Moment, at: int) -> Answer:
    """Note that a session began as a copy of another, as the hook of its start does where there is one.

    The original is looked at first, so that what both hold is its learning; the answer of that look, empty for none.
    """
    if SessionMarkers(home, moment.session_id).forked.read():
        return {}
    path = Path(moment.log)
    with Ledger.open(home) as ledger:
        try:
            found = origin(path, choose(path), _list_siblings(ledger, moment, at))
        except LogError:
            return {}  # whoever looks at it says what is wrong with it
        other = None if found is None else ledger.find_session(found.session)
    if found is None or (found.session and found.log is None and other is None):
        return {}  # nobody has read the other, nor will
    SessionMarkers(home, moment.session_id).forked.put(str(found.at))
    if found.log is None or (other is not None and measure_log(str(found.log)) == (other.size, other.mtime)):
        return {}
    answer = inspect_log(home, str(found.log), at, paced=False)
    if answer.get("again"):  # somebody else is at work on it
        SessionMarkers(home, moment.session_id).forked.drop()
    return answer


def _list_siblings(ledger: Ledger, moment: Moment, at: int) -> list[Path]:
    """The logs of the same project's other sessions with this host, the newest first."""
    seen = [*ledger.list_unfinished(), *reversed(ledger.list_finished_since(at - MONTH))]
    same = (moment.host, find(moment.project).id)
    return [Path(s.log) for s in seen if (s.host, s.project.id) == same and s.session_id != moment.session_id][
        :SIBLINGS
    ]


def _checkpoint(home: str, moment: Moment, extent: tuple[int, int], at: int, *, paced: bool) -> Answer:
    interval = idle_seconds(moment.project) * 1000 if paced else 0
    if interval and not is_checkpoint_due(home, moment, interval):
        last = int(SessionMarkers(home, moment.session_id).checked.read() or 0)
        return {"again": max(0.1, (last + interval - at) / 1000)}
    read: list[Analysis] = []

    def read_whole(path: Path) -> Analysis:
        read.append(read_log(path, moment.project))
        return read[-1]

    def read_on(path: Path, kept: Kept | None) -> Analysis:
        read.append(read_further(path, kept, moment.project))
        return read[-1]

    problems = idle(home, moment, interval=interval, read_on=read_on)
    record_writer(home, moment)
    answer: Answer = {"recover": False, "projects": [moment.project]}
    if not read:
        with Ledger.open(home) as ledger:
            after = ledger.find_session(moment.session_id)
        busy = after is None or ((after.size, after.mtime) != extent and after.attempts < ATTEMPTS - 1)
        return {"again": BUSY} if busy else answer
    if read[-1].session.end_reason and f"skills_dir.{moment.host}" not in TABLE:
        end(home, moment, read=read_whole)
        answer = {"ended": 1, "projects": [moment.project]}
    look = {"host": moment.host, "session": moment.session_id, "project": moment.project}
    return {**answer, "problems": problems, "looks": [{**look, "candidates": len(read[-1].candidates)}]}


def _combine(answers: list[Answer]) -> Answer:
    answer: Answer = {}
    for name in ("problems", "looks", "projects"):
        answer[name] = [value for each in answers for value in each.get(name, ())]
    answer["ended"] = sum(each.get("ended", 0) for each in answers)
    answer["failed"] = any(each.get("failed") for each in answers)
    if waits := [each["again"] for each in answers if each.get("again")]:
        answer["again"] = min(waits)
    if recover := [each["recover"] for each in answers if "recover" in each]:
        answer["recover"] = any(recover)
    return answer


def describe_failure(home: str, at: int, moment: str, what: str, error: Exception) -> Answer:
    """Put an error down in the hooks' log, and say that ``what`` could not be done now."""
    append_note(home, at, moment, f"{what}: {describe_error(error)}")
    return {"failed": True, "problems": [f"{what}: {type(error).__name__}: {error}"]}
