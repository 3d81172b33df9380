"""What the plugin file left in the state folder: ``spool/opencode/PID.jsonl``, one line a moment, one file a process.

A line is the payload that the hook gets at the same moment (plugin/adapters/opencode.py), so that a moment whose hook
never ran is not lost. Files of processes that are gone are taken over and removed. What a line cannot say, OpenCode's
own database holds: nothing of what was said or done in a session stands here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from mind_skills.hooks import processes
from mind_skills.hooks.moment import Moment
from mind_skills.hooks.recover import missed
from mind_skills.observations.codec import integer, loads, mapping
from mind_skills.plugin.adapters.opencode import moment
from mind_skills.plugin.settings import enabled

FOLDER = os.path.join("spool", "opencode")
MAX_BYTES = 4 << 20
"""Bytes of one file that are read: the plugin file stops at a quarter of it."""
STEP, STEPS = 0.05, 40
"""Seconds, and how often: OpenCode is gone 20 to 200 ms after it said that it leaves (measured)."""


def drain(home: str, *, leaving: int = 0) -> list[str]:
    """Register the sessions that the spool knows of, remove the files of processes that are gone.

    ``leaving`` is a process that is about to be gone; it is waited for, two seconds at most. Returns problems worth a
    log line. Raises StoreError, OSError.
    """
    folder = os.path.join(home, FOLDER)
    if not os.path.isdir(folder):
        return []
    for _ in range(STEPS):
        if not leaving or not processes.alive(leaving):
            break
        time.sleep(STEP)
    problems: list[str] = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        pid = name.split(".")[0].split("-")[0]
        gone = not pid.isdecimal() or processes.alive(int(pid)) is False
        try:
            if name.endswith(".jsonl"):
                problems += missed(home, last_moments(path))
            if gone:
                os.unlink(path)
        except FileNotFoundError:
            continue  # another process was faster
        except OSError as error:
            problems.append(f"{path} was passed over: {error.strerror}")
    return problems


def last_moments(path: str) -> list[Moment]:
    """The last moment of each session in a file of the spool, of those projects that are not switched off.

    Raises OSError.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        last = {found.session_id: found for found in moments(file.read(MAX_BYTES))}
    return [found for found in last.values() if enabled(found.project)]


def moments(content: bytes) -> Iterator[Moment]:
    """Every moment in the spool of a process; the half line that it died over is passed over."""
    for line in content.split(b"\n"):
        try:
            payload = loads(line)
            yield moment(payload, {}, integer(mapping(payload).get("at")) or 0)[1]
        except ValueError:
            continue
