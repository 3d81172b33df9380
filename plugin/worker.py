"""What a detached hook process does: the slow half of each moment, in bounded time and at low priority."""

from __future__ import annotations

import gc
import os
import sys

from mind_skills.errors import StoreError
from mind_skills.hooks.moment import Moment
from mind_skills.plugin.hooklog import append_note
from mind_skills.settings.lenient import episodes, retention_days
from mind_skills.store.home import state_folder

LIFETIME = 300
"""Seconds. A process that is not done by then is ended by the system; what it left undone is recovered later."""


GARBAGE = 50_000
"""Objects after which cycles are looked for, where Python does so after 700: modules and observations form none, and a look at
them all costs half a bare interpreter's start."""


def work(name: str, moment: Moment) -> None:
    """Do the detached part of a moment. Problems go to the log; an exception is for the caller to log."""
    _bound()
    home = state_folder()
    try:
        for problem in _parts(name, home, moment):
            append_note(home, moment.at, f"{moment.host} {name} {moment.session_id[:60]}", problem)
    finally:
        if name == "start" and "CLAUDE_PLUGIN_DATA" in os.environ:  # last, since it takes long where it does anything
            _environment(home, moment.at)


def _parts(name: str, home: str, moment: Moment) -> list[str]:
    if name == "idle":
        return _pause(home, moment)
    from mind_skills.hooks.captured import adopt_spools, log_or_spool, remove_finished_spools
    from mind_skills.hooks.end import end
    from mind_skills.hooks.recover import recover, register_start
    from mind_skills.hooks.redact_again import redact_again
    from mind_skills.hooks.retention import daily
    from mind_skills.hosts import spec
    from mind_skills.plugin.opencode.spool import drain_spool

    if name == "start":
        problems = [*register_start(home, moment), *drain_spool(home), *adopt_spools(home, moment.at)]
        problems += recover(home, moment.at, except_session=moment.session_id)
        remove_finished_spools(home)
        return problems
    if name == "recover":
        return _left_over(home, moment)
    moment.log = log_or_spool(home, moment.host, moment.session_id, moment.log)
    problems = end(home, moment)
    remove_finished_spools(home)
    daily(home, moment.at, retention_days(), episodes())
    problems += drain_spool(home, leaving=moment.pid) if spec(moment.host).protocol == "plugin" else []
    try:
        redact_again(home, moment.at)
    except (StoreError, OSError) as error:
        problems.append(f"what older rules left is not redacted yet: {error}")
    return problems


def _pause(home: str, moment: Moment) -> list[str]:
    """What comes after every turn imports nothing of what the beginning and the end of a session need."""
    from mind_skills.hooks.captured import log_or_spool
    from mind_skills.hooks.idle import idle

    moment.log = log_or_spool(home, moment.host, moment.session_id, moment.log)
    return idle(home, moment)


def _environment(home: str, at: int) -> None:
    """Build the private environment of the Claude Code plugin, where that is due."""
    from mind_skills.plugin.environment.place import due, own_data

    data = own_data(os.environ)
    if data and due(data, at):
        from mind_skills.plugin.environment.building import ensure

        if os.name == "posix":
            import signal

            signal.alarm(0)  # each of its steps has a time of its own
        if problem := ensure(data, at):
            append_note(home, at, "claude-code environment", problem)


def _left_over(home: str, moment: Moment) -> list[str]:
    """Finish what dead processes left behind; a session that begins meanwhile waits a moment for it, as for an end."""
    from mind_skills.hooks.recover import recover
    from mind_skills.hooks.session_state import SessionMarkers
    from mind_skills.plugin.opencode.spool import drain_spool
    from mind_skills.store.project import find

    try:
        return [*drain_spool(home), *recover(home, moment.at)]
    finally:
        SessionMarkers(home, moment.session_id, find(moment.project).id).ending.drop()


def _bound() -> None:
    """Never outlive the reason to run. That it pushes nobody's work aside is seen to where it is forked."""
    gc.set_threshold(GARBAGE)
    if os.name == "posix":
        import signal

        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LIFETIME)
    if sys.flags.no_site:  # the start ran without site-packages; here orjson is worth having
        import site

        site.main()
