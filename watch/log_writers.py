"""Which process writes a session's log, where no hook said so: when that process is gone, the session has ended.

Claude Code says it in a file beside its logs, ``sessions/PID.json`` (seen with 2.1.329); Codex keeps the log open and
OpenCode its database (seen with 0.169 and 1.18.33), which Linux shows in ``/proc/PID/fd``. Gemini CLI does neither. Where
it is not certain, nothing is recorded, and the silence after a session decides, as it does for a process that goes on.

``<state folder>/watch/writers/<session>`` holds it as hooks/processes.py writes a process.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any, cast

from mind_skills.hooks import processes
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.session_state import Marker, SessionMarkers, list_markers
from mind_skills.staging.tables.sessions import Seen
from mind_skills.store.project import digest

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
