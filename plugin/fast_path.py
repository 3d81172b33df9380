"""Fast path of a hook: handles the usual case without importing the modules that other cases need.

A quick check (hooks/hotpath.py) determines whether a reply may be needed. If not, the host continues at once, and a
detached process does any remaining work; otherwise plugin/hook.py handles the payload in this process.
"""

from __future__ import annotations

import posix
import time
from posix import _exit as leave  # pyright: ignore[reportPrivateUsage]

from mind_skills.hooks.hotpath import (
    NOTHING,
    NULL_DEVICE,
    UNSURE,
    WORK_LEFT,
    apply_location_arguments,
    decide_early,
    decode_payload,
    make_failure_reply,
    read_payload,
    seal_output,
    write_all,
)
from mind_skills.hosts import load_spec

NICE = 10
"""Niceness of detached processes; must match plugin/hook.py."""


def main(arguments: list[str]) -> None:
    """Handle one hook call and exit with code 0. Raises only what plugin/entry.py handles, such as a failed import."""
    now = time.time_ns() // 1_000_000
    arguments = apply_location_arguments(arguments)
    try:
        out = seal_output()
        payload = read_payload()
        verdict = _check_quickly(arguments, payload, now)
        if isinstance(verdict, str):
            write_all(out, make_failure_reply(arguments[0], verdict).encode())
            leave(0)
        if verdict == NOTHING:
            leave(0)
        if verdict == WORK_LEFT:
            posix.close(out)  # the host reads until EOF, so no child may inherit the descriptor
            _run_detached(arguments, payload, now)
        from mind_skills.plugin.hook import handle_call

        open_databases: list[object] = []
        handle_call(arguments, payload, out, now, open_databases)
    except BaseException as error:  # noqa: BLE001 -- the outermost boundary: nothing may propagate
        from mind_skills.plugin.hook import log_error

        log_error(now, " ".join(arguments), error)
    leave(0)  # skip interpreter teardown, which the host would wait for


def _check_quickly(arguments: list[str], payload: bytes, now: int) -> int | str:
    try:
        fields = decode_payload(payload)
    except (ValueError, RecursionError):
        return UNSURE  # plugin/hook.py reports the error
    host, moment = (*arguments, "", "")[:2]
    return decide_early(host, fields, posix.environ, now, moment)


def _run_detached(arguments: list[str], payload: bytes, now: int) -> None:
    """Do the remaining work in a detached process. Both that process and the calling one exit."""
    pid = _find_host_process(arguments[0])
    if posix.fork():
        leave(0)
    posix.setsid()
    posix.close(0)
    posix.open(NULL_DEVICE, posix.O_RDWR)
    posix.closerange(3, 256)  # an inherited descriptor would keep whoever reads from it waiting
    posix.chdir("/")  # do not block the removal of any folder
    posix.nice(NICE)
    from mind_skills.plugin.hook import run_detached

    run_detached(arguments, payload, now, pid)
    leave(0)


def _find_host_process(host: str) -> int:
    """Return the id of the process that runs the session; 0 if unknown or not searched for. Call before forking."""
    if not load_spec(host).searches_ancestor_processes:
        return 0  # the id is in the payload or the environment, or unknown
    from mind_skills.plugin.host_process import find_host_process

    return find_host_process(load_spec(host).process_name)
