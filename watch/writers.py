"""Which process writes a session's log, where no hook said so: when that process is gone, the session has ended.

Claude Code says it in a file beside its logs, ``sessions/PID.json`` (seen with 2.1.329); Codex keeps the log open and
OpenCode its database (seen with 0.169 and 1.18.33), which Linux shows in ``/proc/PID/fd``. Gemini CLI does neither. What
is not known for sure is not said: then the silence after a session decides, as it does for a process that goes on.

``<state folder>/watch/writers/<session>`` holds it in the words of hooks/processes.py.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Any, cast

from mind_skills.hooks import processes, traces
from mind_skills.hooks.moment import Moment
from mind_skills.staging.tables.sessions import Seen
from mind_skills.store.project import digest

FOLDER = os.path.join("watch", "writers")
SMALL = 1 << 16


def note(home: str, moment: Moment) -> None:
    """Put down which process writes the log of a session now; nothing where that is not known."""
    words = writer(moment)
    if words:
        traces.put(home, FOLDER, "", moment.session_id, words)
    else:
        traces.drop(home, FOLDER, "", moment.session_id)


def told(home: str, unfinished: Iterable[Seen]) -> None:
    """Pass on which of these sessions' processes are gone, as if a hook had said who ran them."""
    for seen in unfinished:
        words = traces.read(home, FOLDER, "", seen.session_id)
        known = traces.read(home, traces.RUNNING, "", seen.session_id)
        if words and not known and processes.runs(words) is False:
            traces.put(home, traces.RUNNING, "", seen.session_id, words)


def forget(home: str, unfinished: Iterable[Seen]) -> None:
    """Forget what was put down of all other sessions than these."""
    names = {digest(seen.session_id) for seen in unfinished}
    for path in traces.listed(home, FOLDER, ""):
        if os.path.basename(path) not in names:
            with suppress(FileNotFoundError):
                os.unlink(path)


def writer(moment: Moment) -> str:
    """The process in words, empty where there is none or it is not known."""
    if moment.host == "claude-code":
        return _registered(os.path.dirname(os.path.dirname(os.path.dirname(moment.log))), moment.session_id)
    if moment.host in ("codex", "opencode"):
        log = moment.log.partition("?session=")[0]
        with suppress(OSError):
            found = os.stat(log)
            writers = _open_files(os.path.basename(log)).get((found.st_dev, found.st_ino), set())
            return processes.process(writers.pop()) if len(writers) == 1 else ""
    return ""


def _registered(top: str, session_id: str) -> str:
    """The process that says in Claude Code's own folder that it runs this session."""
    folder = os.path.join(top, "sessions")
    with suppress(OSError):
        for name in os.listdir(folder):
            said = _said(os.path.join(folder, name)) if name.endswith(".json") else {}
            pid = said.get("pid")
            if said.get("sessionId") == session_id and isinstance(pid, int):
                words = processes.process(pid)
                if processes.alive(pid) and words.split(" ")[1] in ("", str(said.get("procStart", ""))):
                    return words
    return ""


def _said(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            said: Any = json.loads(file.read(SMALL))
    except (OSError, ValueError):  # of a process that comes or goes just now
        return {}
    return cast("dict[str, Any]", said) if isinstance(said, dict) else {}


@cache  # for the short life of the process that looks
def _open_files(name: str) -> dict[tuple[int, int], set[int]]:
    """By device and inode of each file of this name that is open for writing, the processes of this user that hold it."""
    held: dict[tuple[int, int], set[int]] = {}
    ours = (os.getpid(), os.getppid())
    with suppress(OSError):
        for process in filter(str.isdecimal, os.listdir("/proc")):
            if int(process) not in ours:
                _collect(f"/proc/{process}/fd", name, int(process), held)
    return held


def _collect(folder: str, name: str, pid: int, held: dict[tuple[int, int], set[int]]) -> None:
    with suppress(OSError):  # another user's, or gone meanwhile
        for number in os.listdir(folder):
            path = os.path.join(folder, number)
            with suppress(OSError):
                # The link itself can be written where the file is open for that: who only reads it says nothing of its end.
                if os.path.basename(os.readlink(path)) == name and os.lstat(path).st_mode & stat.S_IWUSR:
                    found = os.stat(path)
                    held.setdefault((found.st_dev, found.st_ino), set()).add(pid)
