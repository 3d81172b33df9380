"""Whether the process that ran a session still runs. Standard library only, and of that only ``os``.

A number alone says little: it is given out again, counts within one container, and is kept by a process that has ended
until its parent asks for the result, which in a container without an init nobody ever does. Linux says more in
``/proc/PID/stat``: the state and the start of the process (proc_pid_stat(5)).
"""

from __future__ import annotations

import os

LONGEST = 10
"""Digits of a process's number; what is read here may have been written by anything."""
_ENDED = ("Z", "X", "x")
"""States of a process that has ended, but whose number has not been given back."""


def is_alive(pid: int) -> bool | None:
    """Whether a process runs; None where that cannot be known."""
    if pid <= 0 or os.name != "posix":  # elsewhere a signal of 0 is no question but an event
        return None
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):  # the second: no process ever had such a number
        return False
    except PermissionError:
        return True
    return _state(pid)[0] not in _ENDED


def describe_process(pid: int) -> str:
    """A process in words that others can tell: its number, its start, and among which processes the number counts."""
    return f"{pid} {_state(pid)[1]} {_among()}"


def is_running(words: str) -> bool | None:
    """Whether the process that ``describe_process`` put into words still runs; None where that cannot be known.

    A number says nothing about the processes of another container, or another machine, that shares the home folder.
    """
    pid, _, rest = words.partition(" ")
    start, _, among = rest.partition(" ")
    if not pid.isdecimal() or len(pid) > LONGEST or among != _among():
        return None
    now = _state(int(pid))[1]
    return is_alive(int(pid)) and (now == start or not (now and start))


def _state(pid: int) -> tuple[str, str]:
    """State and start (clock ticks after boot) of a process; both empty where the system does not say."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = os.fsdecode(file.read(1 << 10)).rpartition(")")[2].split()
    except OSError:
        return "", ""
    return (fields[0], fields[19]) if len(fields) > 19 else ("", "")


def _among() -> str:
    """This boot's id and the namespace of process numbers (pid_namespaces(7)); empty where the system has neither."""
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return f"{os.fsdecode(file.read(64)).strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""
