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

from mind_skills.hooks.hotpath import apply_places, decode_payload, read_payload, seal_output
from mind_skills.hooks.session_state import (
    SessionMarkers,
    announce_end,
    defer_offer,
    is_checkpoint_due,
    release_offer,
)
from mind_skills.hosts import spec
from mind_skills.store.home import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mind_skills.hooks.moment import Moment
    from mind_skills.plugin.adapters import Adapter

DETACHED = "--detached"
"""Second argument of the process that does the work where the platform cannot fork."""

NICE = 10
"""The work behind a hook never pushes the user's own aside."""
PROBE = "MIND_SKILLS_PROBE"
"""Set by `mind-skills doctor`, which starts hooks to see whether they run: then nothing is done behind them."""


def main(arguments: list[str], *, leave: bool = False) -> int:
    """Handle one moment and return 0, whatever happens; with ``leave``, end the process instead of returning."""
    now = time.time_ns() // 1_000_000
    arguments = apply_places(arguments)
    leave_open: list[object] | None = [] if leave else None
    try:
        out = seal_output()
        answer(arguments, read_payload(), out, now, leave_open)
    except BaseException as error:  # noqa: BLE001 -- the one boundary where nothing may pass
        complain(now, " ".join(arguments), error)
    if leave:
        os._exit(0)  # nothing of ours waits for the end of the interpreter, and the host does
    return 0


def answer(arguments: list[str], payload: bytes, out: int, now: int, leave_open: list[object] | None) -> None:
    """Say to the host, on the descriptor ``out``, what it is to be told, and leave the rest to another process.

    ``now`` is UTC milliseconds. ``leave_open`` is from a caller that ends this process at once: it takes what need not be
    closed then. Raises whatever goes wrong.
    """
    moment, name, speaks = _read_moment(arguments, payload, now)
    if not _is_wanted(name, moment, out):
        return
    if DETACHED in arguments:
        _work(name, moment)
        return
    # Before anything opens a database, which no fork may carry on; it goes on when this process has let go of its end.
    gate = _detach(name, moment, payload) if name == "start" and hasattr(os, "fork") else -1
    try:
        text = _prepare_text(name, moment, leave_open)
        reply = _reply(name, moment, speaks, text)
        if reply is not None:
            _write(out, reply.encode())
        os.close(out)  # the host reads to the end of it, so no child may hold it
        _mark_delivered(moment, text)
    finally:
        if gate >= 0 and leave_open is None:
            os.close(gate)
    if gate < 0 and _leaves_work(name, moment):
        gate = _detach(name, moment, payload)
        if gate >= 0 and leave_open is None:
            os.close(gate)


def run_detached(arguments: list[str], payload: bytes, now: int, pid: int) -> None:
    """Do what the host does not wait for, in the process that is there for it, where nothing was to be said.

    ``pid`` is the process that runs the session, 0 where its host says so itself. Never raises.
    """
    try:
        moment, name, _ = _read_moment(arguments, payload, now, pid)
        if _is_wanted(name, moment):
            _work(name, moment)
    except BaseException as error:  # noqa: BLE001 -- a forked process must not return into its parent's code
        complain(now, " ".join(arguments), error)


def _read_moment(arguments: list[str], payload: bytes, now: int, pid: int = 0) -> tuple[Moment, str, Adapter]:
    """What happened, its name, and who speaks the host's language."""
    host = arguments[0] if arguments else ""
    from mind_skills.plugin.adapters import adapter

    speaks = adapter(host)
    name, moment = speaks.moment(decode_payload(payload), os.environ, now)
    if pid:
        moment.pid = pid
    elif not moment.pid and spec(host).finds_process and name != "prompt":
        from mind_skills.plugin.parent import find_host_process

        moment.pid = find_host_process()
    return moment, name, speaks


def _is_wanted(name: str, moment: Moment, out: int = -1) -> bool:
    """Whether mind-skills is to do anything here and now; if not, nobody reads on ``out`` any more."""
    from mind_skills.plugin.pausing import is_paused_here as paused
    from mind_skills.settings.lenient import enabled, unclear

    resting = paused(moment.project)
    if not resting and enabled(moment.project):
        return True
    if out >= 0:
        os.close(out)
    why = "" if resting else unclear(moment.project)
    if spec(moment.host).protocol == "plugin" and not why:  # else it may be wanted, once the settings can be read
        from mind_skills.plugin.adapters.opencode import drop_spool

        drop_spool(state_folder(), moment.pid)
    if name == "start" and why:
        _note(moment.at, f"{moment.host} start {moment.session_id[:60]}", why)
    return False


def _reply(name: str, moment: Moment, speaks: Adapter, text: str | None) -> str | None:
    """The one object that the host is answered with at this moment, None for nothing."""
    if name == "start" and spec(moment.host).shows_user_lines and (line := _user_line(moment, text)):
        from mind_skills.plugin.adapters.json_hooks import HookAdapter

        return HookAdapter(spec(moment.host)).reply_with_line(line, text)
    if text is not None and moment.removes:
        from mind_skills.plugin.adapters.opencode import reply_marked

        return reply_marked(text, state_folder(), moment.session_id)
    return None if text is None else speaks.reply(text)


def _mark_delivered(moment: Moment, text: str | None) -> None:
    """Its host has been told this (hooks/unread_offers.py). Where it holds no offer, nothing is known of one: another copy of
    the hook may be about to tell it, or have died over it.
    """
    if text is None or moment.removes:
        return  # it has been told when it says so itself
    from mind_skills.staging.frame import OPENING

    if OPENING in text:
        SessionMarkers(state_folder(), moment.session_id).handing.drop()


def _prepare_text(name: str, moment: Moment, leave_open: list[object] | None) -> str | None:
    """What the session is told at this moment: at its start, or where the host wants it so with its first prompt."""
    if name not in ("start", "prompt"):
        return None
    home = state_folder()
    if name == "prompt":
        return release_offer(home, moment)
    if not spec(moment.host).offers_at_prompt:
        return _start_session(home, moment, leave_open)
    waited = SessionMarkers(home, moment.session_id).deferred.exists()
    text = _start_session(home, moment, leave_open)
    if text is not None or waited:  # what another copy of the hook holds back meanwhile is not ours to drop
        defer_offer(home, moment, text)
        _mark_delivered(moment, text)  # what is deferred is a marker itself
    return None


def _start_session(home: str, moment: Moment, leave_open: list[object] | None) -> str | None:
    from mind_skills.hooks.start import start

    return start(home, moment, leave_open=leave_open, marked=True)


def _user_line(moment: Moment, text: str | None) -> str:
    """What the user is told at a start, and the model is not. Never in the way of an offer: that has been claimed.

    ``text`` is what the model is told.
    """
    return "\n".join(filter(None, (_describe_offer(moment, text), _take_user_lines(moment))))


def _describe_offer(moment: Moment, text: str | None) -> str:
    """That the agent is handed something; nothing where nobody would see it."""
    if text is None:
        return ""
    from mind_skills.hooks.start import find_command, is_headless
    from mind_skills.staging.frame import describe_offer

    return "" if is_headless(moment.host) else describe_offer(text, find_command())


def _take_user_lines(moment: Moment) -> str:
    """The lines that were left for the user."""
    home, data = state_folder(), os.environ.get("CLAUDE_PLUGIN_DATA", "")
    first = data and not any(os.path.exists(os.path.join(data, name)) for name in ("venv", "environment"))
    if not first and not os.path.exists(os.path.join(home, "receipts")):  # nearly always
        return ""
    from mind_skills.plugin.asides import take_user_lines

    try:
        return take_user_lines(home, moment, os.environ)
    except OSError as error:
        complain(moment.at, f"{moment.host} start {moment.session_id[:60]}", error)
        return ""


def _leaves_work(name: str, moment: Moment) -> bool:
    """Whether there is anything to do that the host does not wait for."""
    from mind_skills.settings.lenient import idle_seconds

    if name == "idle":
        return is_checkpoint_due(state_folder(), moment, idle_seconds(moment.project) * 1000)
    if name in ("end", "recover"):
        announce_end(state_folder(), moment)
    return name != "prompt"


def _write(out: int, data: bytes) -> None:
    """Write all of it; a pipe may take it in pieces."""
    while data:
        data = data[os.write(out, data) :]


def _detach(name: str, moment: Moment, payload: bytes) -> int:
    """Do the rest in a process of its own session, with nothing of the host's open.

    It begins when this process ends, or closes the descriptor that is returned: until then the host waits, and nothing
    is to be in its way.
    """
    if hasattr(os, "fork"):
        ours, gate = os.pipe()
        if os.fork() == 0:
            _run_alone(name, moment, ours)
        os.close(ours)
        return gate
    import subprocess  # a platform without fork: start again, with the same payload

    flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    entry = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entry.py")
    line = [sys.executable, "-I", entry, moment.host, DETACHED]
    nowhere = subprocess.DEVNULL
    child = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, creationflags=flags)
    assert child.stdin is not None
    child.stdin.write(payload)
    child.stdin.close()
    return -1


def _run_alone(name: str, moment: Moment, gate: int) -> None:
    """The detached process, from its first step to its end."""
    try:
        os.setsid()
        os.dup2(gate, 0)
        os.closerange(3, 256)  # a descriptor that the host leaked to us would keep its reader waiting
        os.chdir("/")  # nobody's folder is kept from being removed
        os.nice(NICE)
        os.read(0, 1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        _work(name, moment)
    except BaseException as error:  # noqa: BLE001 -- a forked process must not return into its parent's code
        complain(moment.at, f"{moment.host} {name} {moment.session_id[:60]}", error)
    os._exit(0)


def _work(name: str, moment: Moment) -> None:
    """Everything that the host does not wait for."""
    if PROBE in os.environ:
        return
    from mind_skills.plugin.worker import work

    work(name, moment)


def complain(now: int, what: str, error: BaseException) -> None:
    """One line in the log; where even that is impossible, nothing: there is no one left to tell."""
    try:
        from mind_skills.plugin.hooklog import describe_error

        _note(now, what, describe_error(error))
    except Exception:  # noqa: BLE001, S110 -- see above
        pass


def _note(now: int, what: str, text: str) -> None:
    from mind_skills.plugin.hooklog import append_note

    append_note(state_folder(), now, what, text)
