"""A hook from its first step: what nearly always is to be done, without the modules that the rest needs.

A first look (hooks/hotpath.py) shows whether there is anything to tell the host. If not, it may go on at once, and what is left
is done by a process of its own; else plugin/hook.py takes over in this one, with the payload that was read.
"""

from __future__ import annotations

import posix
import time
from posix import _exit as leave  # pyright: ignore[reportPrivateUsage]

from mind_skills.hooks.hotpath import (
    NOTHING,
    NOWHERE,
    UNSURE,
    WORK_LEFT,
    apply_places,
    decode_payload,
    look_first,
    read_payload,
    seal_output,
)
from mind_skills.hosts import spec

NICE = 10
"""As plugin/hook.py."""


def main(arguments: list[str]) -> None:
    """Handle one moment and end the process, with exit code 0, whatever happens."""
    now = time.time_ns() // 1_000_000
    arguments = apply_places(arguments)
    try:
        out = seal_output()
        payload = read_payload()
        verdict = _look_first(arguments, payload, now)
        if verdict == NOTHING:
            leave(0)
        if verdict == WORK_LEFT:
            posix.close(out)  # the host reads to the end of it, so no child may hold it
            _run_detached(arguments, payload, now)
        from mind_skills.plugin.hook import answer

        leave_open: list[object] = []
        answer(arguments, payload, out, now, leave_open)
    except BaseException as error:  # noqa: BLE001 -- the boundary where nothing may pass
        from mind_skills.plugin.hook import complain

        complain(now, " ".join(arguments), error)
    leave(0)  # nothing of ours waits for the end of the interpreter, and the host does


def _look_first(arguments: list[str], payload: bytes, now: int) -> int:
    try:
        given = decode_payload(payload)
    except (ValueError, RecursionError):
        return UNSURE  # the handler says what is wrong with it
    return look_first(arguments[0] if arguments else "", given, posix.environ, now)


def _run_detached(arguments: list[str], payload: bytes, now: int) -> None:
    """Go on in a process of its own; this one ends."""
    pid = _host_process(arguments[0])
    if posix.fork():
        leave(0)
    posix.setsid()
    posix.close(0)
    posix.open(NOWHERE, posix.O_RDWR)
    posix.closerange(3, 256)  # a descriptor that the host leaked to us would keep its reader waiting
    posix.chdir("/")  # nobody's folder is kept from being removed
    posix.nice(NICE)
    from mind_skills.plugin.hook import run_detached

    run_detached(arguments, payload, now, pid)
    leave(0)


def _host_process(host: str) -> int:
    """Who runs the session, asked while the host still waits: later this process has another parent."""
    if not spec(host).finds_process:
        return 0  # it says so itself
    from mind_skills.plugin.parent import find_host_process

    return find_host_process()
