"""``mind-skills hook HOST [MOMENT]``: what a host starts at a moment of a session. The payload comes on stdin.

A hook never fails, slows or kills its host. So the exit code is always 0; stdout carries one JSON object or nothing;
whatever else anybody prints goes nowhere; an exception becomes a line in the log of the state folder; and all work
that the host need not wait for is done by a detached process, which the host's death or impatience does not end.

This is the hot path of every start: ``os``, ``sys`` and what the moment needs, imported when it needs it.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mind_skills.hooks.moment import Moment

MAX_PAYLOAD = 32 * 1024 * 1024
"""Bytes. The last message of the agent rides along, so there is no telling; beyond this it is no payload."""
DETACHED = "--detached"
"""Second argument of the process that does the work where the platform cannot fork."""

PROBE = "MIND_SKILLS_PROBE"
"""Set by `mind-skills doctor`, which starts hooks to see whether they run: then nothing is done behind them."""


def main(arguments: list[str], *, leave: bool = False) -> int:
    """Handle one moment and return 0, whatever happens; with ``leave``, end the process instead of returning."""
    now = time.time_ns() // 1_000_000
    try:
        _handle(arguments, _seal(), now)
    except BaseException as error:  # noqa: BLE001 -- the one boundary where nothing may pass
        _complain(now, " ".join(arguments), error)
    if leave:
        os._exit(0)  # nothing of ours waits for the end of the interpreter, and the host does
    return 0


def _seal() -> int:
    """Keep stdout for the reply alone: from here on descriptors 1 and 2 lead nowhere. Returns the reply's descriptor."""
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    return out


def _handle(arguments: list[str], out: int, now: int) -> None:
    host = arguments[0] if arguments else ""
    from mind_skills.plugin.adapters import SILENT_ABOUT_PROCESS, adapter

    speaks = adapter(host)
    payload = _payload()
    name, moment = speaks.moment(_decoded(payload), os.environ, now)
    if host in SILENT_ABOUT_PROCESS and name != "prompt":
        from mind_skills.plugin.parent import host_process

        moment.pid = host_process()
    from mind_skills.plugin.pausing import here as paused
    from mind_skills.plugin.settings import enabled, unclear

    if paused(moment.project):
        os.close(out)
        return
    if not enabled(moment.project):
        os.close(out)
        if name == "start" and (why := unclear(moment.project)):
            _note(now, f"{host} start {moment.session_id[:60]}", why)
        return
    if DETACHED in arguments:
        _work(name, moment)
        return
    text = _told(name, moment)
    if text is not None:
        _write(out, speaks.reply(text).encode())
    os.close(out)  # the host reads to the end of it, so no child may hold it
    if _leaves_work(name, moment):
        _detach(name, moment, payload, host)


def _told(name: str, moment: Moment) -> str | None:
    """What the session is told at this moment: at its start, or where the host wants it so with its first prompt."""
    if name not in ("start", "prompt"):
        return None
    from mind_skills.plugin.adapters import AT_PROMPT
    from mind_skills.store.home import state_folder

    home, host, project = state_folder(), moment.host, moment.project
    if name == "prompt":
        from mind_skills.hooks.held import release

        return release(home, moment)
    from mind_skills.hooks.start import start
    from mind_skills.plugin.settings import cap, skills_dir

    text = start(home, moment, wishes=lambda: (skills_dir(project, host), cap(project, "per_offer")))
    if host not in AT_PROMPT:
        return text
    from mind_skills.hooks.held import hold

    hold(home, moment, text)
    return None


def _leaves_work(name: str, moment: Moment) -> bool:
    """Whether there is anything to do that the host does not wait for."""
    from mind_skills.hooks.traces import announce, due
    from mind_skills.plugin.settings import idle_seconds
    from mind_skills.store.home import state_folder

    if name == "idle":
        return due(state_folder(), moment, idle_seconds(moment.project) * 1000)
    if name in ("end", "recover"):
        announce(state_folder(), moment)
    return name != "prompt"


def _payload() -> bytes:
    """All of stdin; nothing where a person is at it."""
    if os.isatty(0):
        raise ValueError("no payload: this command is for hosts, which send one on stdin")
    parts: list[bytes] = []
    size = 0
    while part := os.read(0, 1 << 16):
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD:
            raise ValueError(f"the payload is larger than {MAX_PAYLOAD} bytes")
    return b"".join(parts)


def _decoded(payload: bytes) -> object:
    """The payload as objects. The C scanner alone: importing json costs the price of a whole interpreter start."""
    text = payload.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass").strip()
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without the C half
        from json import loads

        return loads(text)
    context: Any = _Reading()
    try:
        value, end = make_scanner(context)(text, 0)
    except StopIteration as stopped:
        raise ValueError(f"the payload is no JSON at character {stopped.value}") from stopped
    if end != len(text):
        raise ValueError("text after the payload")
    return value


class _Reading:
    """What the C scanner asks of its context: plain objects, no hooks."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    array_hook = None


def _write(out: int, data: bytes) -> None:
    """Write all of it; a pipe may take it in pieces."""
    while data:
        data = data[os.write(out, data) :]


def _detach(name: str, moment: Moment, payload: bytes, host: str) -> None:
    """Do the rest in a process of its own session, with nothing of the host's open."""
    if hasattr(os, "fork"):
        if os.fork() == 0:
            _alone(name, moment)
        return
    import subprocess  # a platform without fork: start again, with the same payload

    flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    entry = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entry.py")
    line = [sys.executable, "-I", entry, host, DETACHED]
    nowhere = subprocess.DEVNULL
    child = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, creationflags=flags)
    assert child.stdin is not None
    child.stdin.write(payload)
    child.stdin.close()


def _alone(name: str, moment: Moment) -> None:
    """The detached process, from its first step to its end."""
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        os.closerange(3, 256)  # a descriptor that the host leaked to us would keep its reader waiting
        os.chdir("/")  # nobody's folder is kept from being removed
        _work(name, moment)
    except BaseException as error:  # noqa: BLE001 -- a forked process must not return into its parent's code
        _complain(moment.at, f"{moment.host} {name} {moment.session_id[:60]}", error)
    os._exit(0)


def _work(name: str, moment: Moment) -> None:
    """Everything that the host does not wait for."""
    if PROBE in os.environ:
        return
    from mind_skills.plugin.worker import work

    work(name, moment)


def _complain(now: int, what: str, error: BaseException) -> None:
    """One line in the log; where even that is impossible, nothing: there is no one left to tell."""
    try:
        from mind_skills.plugin.hooklog import described

        _note(now, what, described(error))
    except Exception:  # noqa: BLE001, S110 -- see above
        pass


def _note(now: int, what: str, text: str) -> None:
    from mind_skills.plugin.hooklog import note
    from mind_skills.store.home import state_folder

    note(state_folder(), now, what, text)
