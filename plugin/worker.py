"""The detached work of a hook: the slow part of each moment, with a time limit and at low priority."""

from __future__ import annotations

import gc
import os
import sys

from mind_skills.hooks.moment import Moment
from mind_skills.plugin.hooklog import append_note
from mind_skills.settings.lenient import get_max_episodes, get_retention_days
from mind_skills.store.home import get_state_folder

TIMEOUT_SECONDS = 300
"""Seconds after which the system ends the process (not on Windows); unfinished work is recovered later."""
GC_THRESHOLD = 50_000
"""Number of new objects after which garbage is collected (Python's default: 700 or 2,000). Modules and observations
form hardly any cycles, and a full collection takes half as long as starting an interpreter.
"""


def run_detached_work(name: str, moment: Moment) -> None:
    """Do the detached part of a moment and log problems. The caller logs exceptions."""
    _prepare_process()
    home = get_state_folder()
    try:
        for problem in _handle_moment(name, home, moment):
            append_note(home, moment.at, f"{moment.host} {name} {moment.session_id[:60]}", problem)
    finally:
        if name == "start" and "CLAUDE_PLUGIN_DATA" in os.environ:  # last, since it may take a long time
            _build_environment(home, moment.at)


def _handle_moment(name: str, home: str, moment: Moment) -> list[str]:
    if name == "idle":
        return _run_checkpoint(home, moment)
    from mind_skills.hooks.captured_spools import adopt_spools, choose_log, remove_finished_spools
    from mind_skills.hooks.end import handle_session_end
    from mind_skills.hooks.recover import recover_sessions, register_start
    from mind_skills.hooks.redact_again import continue_redaction
    from mind_skills.hooks.retention import prune_daily
    from mind_skills.hosts import load_spec
    from mind_skills.plugin.opencode.spool import drain_spool

    if name == "start":
        problems = [*register_start(home, moment), *drain_spool(home), *adopt_spools(home, moment.at)]
        problems += recover_sessions(home, moment.at, except_session=moment.session_id)
        remove_finished_spools(home)
        return problems
    if name == "recover":
        return _recover_sessions(home, moment)
    moment.log = choose_log(home, moment.host, moment.session_id, moment.log)
    problems = handle_session_end(home, moment)
    remove_finished_spools(home)
    prune_daily(home, moment.at, get_retention_days(), get_max_episodes())
    problems += drain_spool(home, exiting_pid=moment.pid) if load_spec(moment.host).protocol == "plugin" else []
    return problems + continue_redaction(home, moment.at)


def _run_checkpoint(home: str, moment: Moment) -> list[str]:
    """Run the checkpoint of a turn's end, without importing the modules for a session's start and end."""
    from mind_skills.hooks.captured_spools import choose_log
    from mind_skills.hooks.idle import run_checkpoint

    moment.log = choose_log(home, moment.host, moment.session_id, moment.log)
    return run_checkpoint(home, moment)


def _build_environment(home: str, at: int) -> None:
    """Build the private environment of the Claude Code plugin if a build is due."""
    from mind_skills.plugin.environment.paths import find_data_folder, is_due

    data = find_data_folder(os.environ)
    if data and is_due(data, at):
        from mind_skills.plugin.environment.build import ensure_environment

        if os.name == "posix":
            import signal

            signal.alarm(0)  # each build step has its own timeout
        if problem := ensure_environment(data, at):
            append_note(home, at, "claude-code environment", problem)


def _recover_sessions(home: str, moment: Moment) -> list[str]:
    """Finish the sessions of dead processes. A session that starts meanwhile waits briefly, as after another's end."""
    from mind_skills.hooks.recover import recover_sessions
    from mind_skills.hooks.session_state import SessionMarkers
    from mind_skills.plugin.opencode.spool import drain_spool
    from mind_skills.store.project import resolve_project

    try:
        return [*drain_spool(home), *recover_sessions(home, moment.at)]
    finally:
        SessionMarkers(home, moment.session_id, resolve_project(moment.project).id).ending.remove()


def _prepare_process() -> None:
    """Limit this process's lifetime and garbage collections, and add site-packages."""
    gc.set_threshold(GC_THRESHOLD)
    if os.name == "posix":
        import signal

        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(TIMEOUT_SECONDS)
    if sys.flags.no_site:  # the hook started without site-packages, which may have orjson, a faster parser
        import site

        site.main()
