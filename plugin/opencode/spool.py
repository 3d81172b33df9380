"""What the plugin file left in the state folder: ``spool/opencode/PID.START.BOOT.SPACE.jsonl``, one file a process.

The name says which process it is in the terms of hooks/processes.py: its number, its start in clock ticks, this boot's
id, the namespace in which the number counts. Where the system has no such things, and in files of older versions, it is
the number alone. ``NAME-N.json`` is a payload that its hook is about to open.

A line, one a moment, is the payload that the hook gets at the same moment (plugin/adapters/opencode.py), so that a
moment whose hook never ran is not lost. Files of processes that are gone are taken over and removed. What a line cannot
say, OpenCode's own database holds: nothing of what was said or done in a session stands here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from mind_skills.hooks import processes
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import register_missed
from mind_skills.observations.codec import integer, loads, mapping
from mind_skills.plugin.adapters.opencode import SPOOL, moment
from mind_skills.settings.lenient import unclear, wanted

FOLDER = SPOOL
MAX_BYTES = 4 << 20
"""Bytes of one file that are read: the plugin file stops at a quarter of it."""
STRANGE = 7 * 24 * 60 * 60
"""Seconds without a change after which a file goes of whose process nobody here can say whether it runs. Its sessions
have long been registered by then, and are finished when they have been silent (hooks/recover.py)."""
KEPT = 7 * 24 * 60 * 60
"""Seconds without a change after which a file goes although it cannot be said whether a project that it tells of is
switched off, as with the spools of capture (hooks/captured.py): its settings may stay unreadable for ever."""
STEP, STEPS = 0.05, 40
"""Seconds, and how often: OpenCode is gone 20 to 200 ms after it said that it leaves (measured)."""


def drain_spool(home: str, *, leaving: int = 0) -> list[str]:
    """Register the sessions that the spool knows of, remove the files of processes that are gone.

    ``leaving`` is a process that is about to be gone; it is waited for, two seconds at most. Returns problems worth a
    log line. Raises StoreError, OSError.
    """
    folder = os.path.join(home, FOLDER)
    if not os.path.isdir(folder):
        return []
    for _ in range(STEPS):
        if not leaving or not processes.is_alive(leaving):
            break
        time.sleep(STEP)
    problems: list[str] = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        words = parse_writer(name)
        try:
            if name.endswith(".jsonl"):
                found, unsure = read_last_moments(path)
                problems += register_missed(home, found, words if " " in words else "")
                if unsure and not _silent(path, KEPT):
                    problems.append(f"{path} waits: {unsure}")
                    continue
            if _gone(words, path):
                os.unlink(path)
        except FileNotFoundError:
            continue  # another process was faster
        except OSError as error:
            problems.append(f"{path} was passed over: {error.strerror}")
    return problems


def parse_writer(name: str) -> str:
    """The process that a file of the spool belongs to, in the words of hooks/processes.py, or its number alone."""
    stem = name.removesuffix(".jsonl") if name.endswith(".jsonl") else name.removesuffix(".json").rpartition("-")[0]
    parts = stem.split(".")
    if len(parts) != len(("pid", "start", "boot", "space")) or not all(parts):
        return parts[0]
    return f"{parts[0]} {parts[1]} {parts[2]} pid:[{parts[3]}]"


def _gone(words: str, path: str) -> bool:
    """Whether nobody appends to this file of the spool any more. Raises OSError where it is gone itself."""
    if " " not in words:
        return not words.isdecimal() or processes.is_alive(int(words)) is False
    runs = processes.is_running(words)
    return _silent(path, STRANGE) if runs is None else not runs


def _silent(path: str, seconds: int) -> bool:
    return time.time() - os.stat(path).st_mtime > seconds


def read_last_moments(path: str) -> tuple[list[Moment], str]:
    """The last moment of each session in a file of the spool, of those projects that are not switched off; and why that
    cannot be read just now of one of them, empty where it can be of all. Raises OSError.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        last = {found.session_id: found for found in parse_moments(file.read(MAX_BYTES))}
    said = {found.session_id: wanted(found.project) for found in last.values()}
    unsure = [found.project for found in last.values() if said[found.session_id] is None]
    why = next(filter(None, (unclear(project) for project in unsure)), "try again") if unsure else ""
    return [found for found in last.values() if said[found.session_id]], why


def parse_moments(content: bytes) -> Iterator[Moment]:
    """Every moment in the spool of a process; the half line that it died over is passed over."""
    for line in content.split(b"\n"):
        try:
            payload = loads(line)
            yield moment(payload, {}, integer(mapping(payload).get("at")) or 0)[1]
        except ValueError:
            continue
