"""``mind-skills hook HOST [MOMENT]``: handles one call of a hook. The payload is on stdin.

A hook never fails, slows or kills its host: the exit code is always 0, stdout is empty or contains one JSON object,
other output is discarded, exceptions are logged in the state folder, and work that the host need not wait for is done
by a detached process, which survives the host.

This is on the hot path of session starts: large modules are imported only if the call needs them.
"""

from __future__ import annotations

import os
import sys
import time

from mind_skills.hooks.hotpath import (
    apply_location_arguments,
    decode_payload,
    make_failure_reply,
    read_payload,
    seal_output,
    write_all,
)
from mind_skills.hooks.session_state import (
    RECEIPTS,
    HookCall,
    SessionMarkers,
    announce_end,
    defer_offer,
    is_checkpoint_due,
    list_markers,
    take_deferred_offer,
)
from mind_skills.hosts import HOST_NAMES, load_spec
from mind_skills.store.home import get_state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from mind_skills.plugin.adapters import Adapter

DETACHED = "--detached"
"""Third argument of the detached process on platforms without fork."""
NICE = 10
"""Niceness of detached processes, so that they do not slow down the user's work."""
PROBE = "MIND_SKILLS_PROBE"
"""Variable set by `mind-skills doctor`, which only tests that hooks run: no detached work is done."""
DATA_VARIABLE = "CLAUDE_PLUGIN_DATA"
"""Set in hooks of the Claude Code plugin (plugin/environment/)."""
TIMEOUT_SECONDS = 300
"""Seconds after which the system ends a detached process (not on Windows); unfinished work is recovered later."""
GC_THRESHOLD = 50_000
"""Number of new objects after which a detached process collects garbage (Python's default: 700 or 2,000). Modules and
observations form hardly any cycles, and a full collection takes half as long as starting an interpreter.
"""
MAX_LINES, MAX_LINE_LENGTH = 3, 700
"""Maximum number of receipts shown at one start (of older ones, only the number is shown), and characters of a line."""


def main(arguments: list[str], *, leave: bool = False) -> int:
    """Handle one hook call and return 0; with ``leave``, exit with code 0. Raises only EOFError (``log_error``)."""
    now = time.time_ns() // 1_000_000
    arguments = apply_location_arguments(arguments)
    if arguments and arguments[0] not in HOST_NAMES:  # mistyped by a person; hosts may log what is on stderr
        if sys.stderr is not None and sys.stderr.isatty():
            names = ", ".join(HOST_NAMES)
            sys.stderr.write(f"mind-skills: no such host: {arguments[0][:40]!r}; the hosts are {names}\n")
        return 0
    open_databases: list[object] | None = [] if leave else None
    try:
        out = seal_output()
        handle_call(arguments, read_payload(), out, now, open_databases)
    except BaseException as error:  # noqa: BLE001 -- the outermost boundary: nothing may propagate
        log_error(now, " ".join(arguments), error)
    if leave:
        os._exit(0)  # skip interpreter teardown, which the host would wait for
    return 0


def handle_call(arguments: list[str], payload: bytes, out: int, now: int, open_databases: list[object] | None) -> None:
    """Write the reply to the descriptor ``out``, and leave the remaining work to a detached process.

    With ``DETACHED`` in ``arguments``, this is that process. ``now`` is UTC milliseconds. A caller that exits right
    afterwards passes a list as ``open_databases``, which collects objects that are then not closed; others pass None. Any
    exception propagates to the caller.
    """
    call, moment, host_adapter = _read_call(arguments, payload, now)
    if _stop_if_inactive(moment, call, out):
        return
    if DETACHED in arguments:
        run_detached_work(moment, call)
        return
    if load_spec(call.host).starts_late and moment in ("start", "late"):
        if not _claim_start(moment, call):
            return
        moment = "start"
    # Fork before a database is opened. The child starts working when this process exits or closes its end of the pipe.
    gate = _detach(moment, call, payload) if moment == "start" and hasattr(os, "fork") else -1
    try:
        text = _prepare_text(moment, call, open_databases)
        reply = _make_reply(moment, call, host_adapter, text)
        if reply is not None:
            write_all(out, reply.encode())
        os.close(out)  # the host reads until EOF, so no child may have the descriptor open
        _mark_delivered(call, text)
    finally:
        if gate >= 0 and open_databases is None:
            os.close(gate)
    if gate < 0 and _has_detached_work(moment, call):
        if moment in ("end", "recover"):
            announce_end(get_state_folder(), call)
        gate = _detach(moment, call, payload)
        if gate >= 0 and open_databases is None:
            os.close(gate)


def run_detached(arguments: list[str], payload: bytes, now: int, pid: int) -> None:
    """Do the detached work in this process; called if no reply is needed.

    ``pid`` is the process that runs the session, or 0 if it is unknown or in the payload. Raises only EOFError.
    """
    operation = " ".join(arguments)
    try:
        call, moment, _ = _read_call(arguments, payload, now, pid)
        operation = _name_operation(moment, call)
        if not _stop_if_inactive(moment, call):
            run_detached_work(moment, call)
    except BaseException as error:  # noqa: BLE001 -- a forked process must not return into its parent's code
        log_error(now, operation, error)


def _claim_start(moment: str, call: HookCall) -> bool:
    """Return whether the session starts now; at the moment ``late``, only if nothing has started it. Raises OSError, HomeError."""
    is_first = SessionMarkers(get_state_folder(), call.session_id).started.claim()
    if not is_first:
        call.source = "resume"
    return is_first or moment == "start"


def _read_call(arguments: list[str], payload: bytes, now: int, pid: int | None = None) -> tuple[HookCall, str, Adapter]:
    """Return the call, its moment (start, late, prompt, idle, end or recover) and the host's adapter.

    ``pid`` is the result of a search for the host's process, or None if none was made: a forked process cannot make one.
    """
    host, named_moment = (*arguments, "", "")[:2]
    from mind_skills.plugin.adapters import get_adapter

    host_adapter = get_adapter(host)
    moment, call = host_adapter.parse_payload(decode_payload(payload), os.environ, now, named_moment)
    if pid is not None:
        call.pid = pid or call.pid
    elif not call.pid and load_spec(host).searches_ancestor_processes and moment not in ("prompt", "failure"):
        from mind_skills.plugin.host_process import find_host_process

        call.pid = find_host_process(load_spec(host).process_name)
    return call, moment, host_adapter


def _stop_if_inactive(moment: str, call: HookCall, out: int = -1) -> bool:
    """If mind-skills is paused or disabled in this project, close ``out``, if given, and return True.

    The spool of an OpenCode process is then deleted. If mind-skills is disabled only because the settings cannot be read,
    the spool stays, and a start logs the reason.
    """
    from mind_skills.plugin.pausing import is_paused_here
    from mind_skills.settings.lenient import explain_disabling_problem, is_enabled

    is_paused_now = is_paused_here(call.project)
    if not is_paused_now and is_enabled(call.project):
        return False
    if out >= 0:
        os.close(out)
    problem = "" if is_paused_now else explain_disabling_problem(call.project)
    # If there is a problem, mind-skills may turn out to be enabled once the settings can be read.
    if load_spec(call.host).protocol == "plugin" and not problem:
        from mind_skills.plugin.opencode import drop_spool

        drop_spool(get_state_folder(), call.pid)
    if moment == "start" and problem:
        _append_note(call.at, _name_operation("start", call), problem)
    return True


def _make_reply(moment: str, call: HookCall, host_adapter: Adapter, text: str | None) -> str | None:
    if moment == "failure" and text and load_spec(call.host).protocol == "hooks":
        return make_failure_reply(call.host, text)
    if load_spec(call.host).can_show_text_to_user and (lines := _make_user_lines(moment, call, text)):
        from mind_skills.plugin.adapters import HookAdapter

        return HookAdapter(load_spec(call.host)).make_reply_with_lines(lines, text)
    if text is not None and call.host_removes_marker:
        from mind_skills.plugin.opencode import make_marked_reply

        return make_marked_reply(text, get_state_folder(), call.session_id)
    return None if text is None else host_adapter.make_reply(text)


def _mark_delivered(call: HookCall, text: str | None) -> None:
    """Record that the host received an offer (hooks/unread_offers.py).

    If the text contains no offer, the marker stays: another copy of the hook may be about to deliver an offer.
    """
    if text is None or call.host_removes_marker:
        return  # the plugin file removes the marker on delivery
    from mind_skills.staging.offer import OPENING

    if OPENING in text:
        SessionMarkers(get_state_folder(), call.session_id).delivering.remove()


def _prepare_text(moment: str, call: HookCall, open_databases: list[object] | None) -> str | None:
    """Return the text for the session: at its start or, for some hosts, with the first prompt, or at a failure. None if there is none."""
    if moment == "failure":
        return _find_reminder(call)
    if moment not in ("start", "prompt"):
        return None
    home = get_state_folder()
    if moment == "prompt":
        return take_deferred_offer(home, call)
    if not load_spec(call.host).offers_at_prompt:
        return _start_session(home, call, open_databases)
    was_deferred = SessionMarkers(home, call.session_id).deferred.exists()
    text = _start_session(home, call, open_databases)
    # If nothing was deferred before, another copy of the hook may have just deferred a text, which must not be deleted.
    if text is not None or was_deferred:
        defer_offer(home, call, text)
        _mark_delivered(call, text)  # the file with the deferred text serves as a marker
    return None


def _find_reminder(call: HookCall) -> str | None:
    """Return the line about a failed command, or None."""
    from mind_skills.hooks.failure import claim, find_hits
    from mind_skills.settings.lenient import get_setting
    from mind_skills.store.project import digest_text, resolve_project

    if call.subagent or PROBE in os.environ:
        return None
    home, session = get_state_folder(), digest_text(call.session_id)
    hits = find_hits(home, resolve_project(call.project).id, session, *call.failed)
    if not hits or not get_setting(call.project, "reminders"):
        return None
    return claim(home, session, hits, call.at, get_setting(call.project, "reminders_silent_share")) or None


def _start_session(home: str, call: HookCall, open_databases: list[object] | None) -> str | None:
    from mind_skills.hooks.start import handle_session_start

    return handle_session_start(home, call, open_databases=open_databases, caller_removes_marker=True)


def _make_user_lines(moment: str, call: HookCall, text: str | None) -> str:
    """Return the lines that only the user sees; empty if there are none. ``text`` is the text for the model.

    Claude Code, Codex and Gemini CLI show ``systemMessage`` on their terminal. Only Claude Code marks sessions without a
    terminal (``claude -p``); these are skipped, so that the lines wait for the next session.
    """
    if moment == "idle":
        return _take_learnings_line(call)
    if moment == "failure":
        return ""
    lines = [_describe_offer(call, text)]
    if moment == "start":
        try:
            lines.append(take_start_lines(get_state_folder(), call, os.environ))
        except OSError as error:  # must not stop the delivery of an offer
            log_error(call.at, _name_operation("start", call), error)
    return "\n".join(filter(None, lines))


def _take_learnings_line(call: HookCall) -> str:
    """Return the line about new learnings of this session, once; empty if there are none, or no user to see it."""
    from mind_skills.hooks.start import find_command, is_headless

    if call.subagent or is_headless(call.host) or PROBE in os.environ:
        return ""
    marker = SessionMarkers(get_state_folder(), call.session_id).noticed
    titles = marker.read().splitlines()
    if not titles:
        return ""
    try:
        os.unlink(marker.path)
    except FileNotFoundError:
        return ""  # another copy of the hook has taken the titles
    subject = "1 new learning" if len(titles) == 1 else f"{len(titles)} new learnings"
    review = f"To decide about {'it' if len(titles) == 1 else 'them'}, run `{find_command()} review`."
    shown = "; ".join(titles)[: MAX_LINE_LENGTH - len(review) - 80].rstrip(".")
    return f"mind-skills: {subject} from this session: {shown}{'' if shown.endswith('…') else '.'} {review}"


def _describe_offer(call: HookCall, text: str | None) -> str:
    """Return a line saying that the agent receives an offer; empty without an offer, or without a user to see it."""
    if text is None:
        return ""
    from mind_skills.hooks.start import find_command, is_headless
    from mind_skills.staging.offer import describe_offer

    return "" if is_headless(call.host) else describe_offer(text, find_command())


def take_start_lines(home: str, call: HookCall, environ: Mapping[str, str]) -> str:
    """Return and delete the lines that wait for the user: receipts, and a note while the plugin's packages are installed.

    Empty if there are none or no user would see them. ``home`` is the state folder. Raises OSError.
    """
    data = "" if environ.get("MIND_SKILLS_NO_ENVIRONMENT") else environ.get(DATA_VARIABLE, "")  # as in hooks/hotpath.py
    is_first_start = data and not any(os.path.lexists(os.path.join(data, name)) for name in ("venv", "environment"))
    if not is_first_start and not os.path.exists(os.path.join(home, RECEIPTS)):  # the usual case
        return ""
    from mind_skills.hooks.start import is_headless

    if is_headless(call.host, environ):
        return ""
    lines = _take_receipts(home, call.project)
    if is_first_start:
        from mind_skills.plugin.environment import find_data_folder, is_due

        data = find_data_folder(environ)
        if data and is_due(data, call.at):
            lines.append(
                "mind-skills: the packages that its command line needs are being installed into "
                f"{data}, once and in the background. Learning works without them."
            )
    return "\n".join(line[:MAX_LINE_LENGTH] for line in lines)


def _take_receipts(home: str, project: str) -> list[str]:
    """Return the newest receipts of this project and the number of others; delete all, so that none is shown twice."""
    from mind_skills.store.project import resolve_project

    receipts: list[str] = []
    id_ = resolve_project(project).id
    for path in sorted(list_markers(home, RECEIPTS, id_), key=_read_mtime):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read(1 << 14).splitlines()
            os.unlink(path)
        except FileNotFoundError:
            continue  # another session start has taken it
        receipts += lines
    for folder in (os.path.join(home, RECEIPTS, id_), os.path.join(home, RECEIPTS)):
        try:
            os.rmdir(folder)  # later checks then need only one stat call
        except OSError:
            break  # receipts of other projects remain, or there were none
    hidden_count = len(receipts) - MAX_LINES
    if hidden_count <= 0:
        return receipts
    hidden = f"mind-skills: {hidden_count} more; `mind-skills status --verbose` lists the newest."
    return [*receipts[-MAX_LINES:], hidden]


def _read_mtime(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:
        return 0


def _has_detached_work(moment: str, call: HookCall) -> bool:
    """Return whether there is work that the host need not wait for."""
    from mind_skills.settings.lenient import get_idle_seconds

    if moment == "idle":
        return is_checkpoint_due(get_state_folder(), call, get_idle_seconds(call.project) * 1000)
    return moment not in ("prompt", "failure")


def _detach(moment: str, call: HookCall, payload: bytes) -> int:
    """Start a process in its own session for the remaining work, with none of the host's descriptors open.

    The new process starts working when this process exits or closes the returned descriptor, so that the two do not
    compete. Without fork, it starts at once, and -1 is returned.
    """
    if hasattr(os, "fork"):
        read_fd, gate = os.pipe()
        if os.fork() == 0:
            _run_detached_process(moment, call, read_fd)
        os.close(read_fd)
        return gate
    import subprocess  # no fork on this platform: run the script again with the same payload

    flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    entry = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entry.py")
    command_line = [sys.executable, "-I", entry, call.host, moment, DETACHED]
    devnull = subprocess.DEVNULL
    child = subprocess.Popen(command_line, stdin=subprocess.PIPE, stdout=devnull, stderr=devnull, creationflags=flags)
    assert child.stdin is not None
    child.stdin.write(payload)
    child.stdin.close()
    return -1


def _run_detached_process(moment: str, call: HookCall, gate: int) -> None:
    """Run the detached process from start to exit. It waits until the other end of the pipe ``gate`` is closed."""
    try:
        os.setsid()
        os.dup2(gate, 0)
        os.closerange(3, 256)  # a descriptor leaked by the host would keep its reader waiting
        os.chdir("/")  # do not block the removal of any folder
        os.nice(NICE)
        os.read(0, 1)
        devnull = os.open(os.devnull, os.O_RDWR)
        os.dup2(devnull, 0)
        run_detached_work(moment, call)
    except BaseException as error:  # noqa: BLE001 -- a forked process must not return into its parent's code
        log_error(call.at, _name_operation(moment, call), error)
    os._exit(0)


def run_detached_work(moment: str, call: HookCall) -> None:
    """Do the work that the host need not wait for, and log problems. The caller logs exceptions."""
    if PROBE in os.environ:
        return
    _prepare_process()
    home = get_state_folder()
    try:
        for problem in _do_work(moment, home, call):
            _append_note(call.at, _name_operation(moment, call), problem)
    finally:
        if moment == "start" and DATA_VARIABLE in os.environ:  # last, since it may take a long time
            _build_environment(call.at)


def _do_work(moment: str, home: str, call: HookCall) -> list[str]:
    """Do the work for a moment and return problems to log."""
    from functools import partial

    from mind_skills.plugin.pausing import is_active

    is_project_active = partial(is_active, home)
    if moment == "idle":  # without importing the modules for a session's start and end
        from mind_skills.hooks.idle import run_checkpoint

        return run_checkpoint(home, call, is_active=is_project_active)
    from mind_skills.hooks.end import handle_session_end
    from mind_skills.hooks.recover import recover_sessions, register_start
    from mind_skills.hooks.redact_again import continue_redaction
    from mind_skills.hooks.retention import prune_daily
    from mind_skills.plugin.opencode.spool import drain_spool
    from mind_skills.settings.lenient import get_max_episodes, get_retention_days
    from mind_skills.store.project import resolve_project

    if moment == "start":
        problems = [*register_start(home, call), *drain_spool(home)]
        return problems + recover_sessions(home, call.at, except_session=call.session_id, is_active=is_project_active)
    if moment == "recover":  # a session that starts meanwhile waits briefly, as after another's end
        try:
            return [*drain_spool(home), *recover_sessions(home, call.at, is_active=is_project_active)]
        finally:
            SessionMarkers(home, call.session_id, resolve_project(call.project).id).ending.remove()
    problems = handle_session_end(home, call, is_active=is_project_active)
    prune_daily(home, call.at, get_retention_days(), get_max_episodes())
    problems += drain_spool(home, exiting_pid=call.pid) if load_spec(call.host).protocol == "plugin" else []
    return problems + continue_redaction(home)


def _build_environment(at: int) -> None:
    """Build the private environment of the Claude Code plugin if a build is due."""
    from mind_skills.plugin.environment import find_data_folder, is_due

    data = find_data_folder(os.environ)
    if data and is_due(data, at):
        from mind_skills.plugin.environment.build import ensure_environment

        if os.name == "posix":
            import signal

            signal.alarm(0)  # each build step has its own timeout
        if problem := ensure_environment(data, at):
            _append_note(at, "claude-code environment", problem)


def _prepare_process() -> None:
    """Limit this process's lifetime and garbage collections, and add site-packages."""
    import gc

    gc.set_threshold(GC_THRESHOLD)
    if os.name == "posix":
        import signal

        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(TIMEOUT_SECONDS)
    if sys.flags.no_site:  # the hook started without site-packages, which may have orjson, a faster parser
        import site

        site.main()


def _name_operation(moment: str, call: HookCall) -> str:
    return f"{call.host} {moment} {call.session_id[:60]}"


def log_error(now: int, operation: str, error: BaseException) -> None:
    """Log an exception, unless it says that there is no project. Errors in doing so are ignored: there is nowhere to report them.

    An EOFError is re-raised: plugin/entry.py or plugin/cli.py then removes the truncated bytecode.
    """
    if isinstance(error, EOFError):
        raise error
    try:
        from mind_skills.plugin.adapters import NoProjectError

        if isinstance(error, NoProjectError):
            return
        from mind_skills.plugin.hooklog import describe_error

        _append_note(now, operation, describe_error(error))
    except Exception:  # noqa: BLE001, S110 -- see above
        pass


def _append_note(now: int, operation: str, text: str) -> None:
    from mind_skills.plugin.hooklog import append_note

    append_note(get_state_folder(), now, operation, text)
