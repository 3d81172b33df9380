"""Lifecycle of capture spools (hooks/spool.py), used as the logs of sessions whose own log is missing or empty.

A session with no log but its spool is finished like one whose hooks did not run. A spool is removed when its
session has ended, even if the session's own log could be read.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from mind_skills.hooks.session_state import HookCall
from mind_skills.observations.codec import as_integer, as_object, as_string, parse_json
from mind_skills.settings.lenient import is_enabled_if_known
from mind_skills.staging.ledger import Ledger
from mind_skills.store.home import remove_file
from mind_skills.store.project import digest_text

FOLDER = os.path.join("spool", "capture")
LATE_EVENT_PERIOD_MS = 60_000
"""Milliseconds after a session's end in which a late event belongs to it; a later event means that it was resumed."""
MAX_UNKNOWN_AGE_MS = 7 * 24 * 60 * 60_000
"""Milliseconds without a change after which a spool is removed if its session or its project's settings cannot be read, or
if its project's folder is gone."""
HEAD_BYTES = 2 << 20
"""Bytes searched for the first complete line of a spool: twice the length of almost any line."""


def choose_log(home: str, host: str, session_id: str, log: str) -> str:
    """Return the log to read for a session: its own log, or its spool if that log is missing or empty and the spool exists."""
    spool = os.path.join(home, FOLDER, f"{host}-{digest_text(session_id)}.jsonl")
    return spool if os.path.isfile(spool) and not _may_have_content(log) else log


def adopt_spools(home: str, now: int) -> list[str]:
    """Make each spool the log of its session unless the session has another log. Returns problems to log.

    Sessions that no hook has registered are registered. Spools of projects in which mind-skills is disabled are removed
    instead. If that cannot be known, as for a folder that is gone, they stay until the next run, but no longer than
    ``MAX_UNKNOWN_AGE_MS``. ``now`` is UTC milliseconds. Raises StoreError, OSError.
    """
    spools = _list_spools(home)
    if not spools:
        return []
    problems: list[str] = []
    with Ledger.open(home) as ledger:
        for path, call in spools:
            enabled = None
            if call is not None and (os.path.isdir(call.project) or ledger.find_session(call.session_id)):
                enabled = is_enabled_if_known(call.project)
            if call is None or enabled is None:
                if now - os.stat(path).st_mtime_ns // 1_000_000 > MAX_UNKNOWN_AGE_MS:
                    remove_file(path)
            elif not enabled:
                remove_file(path)
            else:
                problems += _adopt_spool(home, ledger, call)
        return [*ledger.problems, *problems]


def _adopt_spool(home: str, ledger: Ledger, call: HookCall) -> list[str]:
    # Not at the top, so that importing choose_log does not load hooks/end.py.
    from mind_skills.hooks.recover import register_missed_sessions

    recorded = ledger.find_session(call.session_id)
    if recorded is None:
        return register_missed_sessions(home, [call])
    call.log = choose_log(home, call.host, call.session_id, recorded.log)
    if recorded.finished_at is not None and call.at > recorded.finished_at + LATE_EVENT_PERIOD_MS:
        return register_missed_sessions(home, [call])  # resumed, but the start was not reported
    if recorded.finished_at is None and call.log != recorded.log:
        ledger.register_session(recorded.session_id, recorded.host, recorded.project, call.log, recorded.seen_at)
    return []


def remove_finished_spools(home: str) -> None:
    """Remove the spools of sessions that have ended and were not resumed since. Raises StoreError, OSError."""
    spools = _list_spools(home)
    if not spools:
        return
    with Ledger.open(home) as ledger:
        for path, call in spools:
            recorded = None if call is None else ledger.find_session(call.session_id)
            finished_at = recorded.finished_at if recorded else None
            if call and finished_at is not None and call.at <= finished_at + LATE_EVENT_PERIOD_MS:
                remove_file(path)


def _list_spools(home: str) -> list[tuple[str, HookCall | None]]:
    """Return each spool's path, and a hook call of its session at the time of the last write.

    The call is None if no complete line in the first ``HEAD_BYTES`` is valid.
    """
    try:
        names = sorted(os.listdir(os.path.join(home, FOLDER)))
    except (FileNotFoundError, NotADirectoryError):
        return []
    spools: list[tuple[str, HookCall | None]] = []
    for name in names:
        path = os.path.join(home, FOLDER, name)
        with suppress(FileNotFoundError):  # another process removed it
            if stat.S_ISREG(os.lstat(path).st_mode):
                spools.append((path, _read_session(path)))
    return spools


def _read_session(path: str) -> HookCall | None:
    with open(path, "rb") as file:
        lines = file.read(HEAD_BYTES).split(b"\n")
        at = os.fstat(file.fileno()).st_mtime_ns // 1_000_000
    for text in filter(None, lines):
        try:
            line = as_object(parse_json(text))
        except ValueError:
            continue  # incomplete: a full disk, a write in progress, or the end of the head
        session, project = as_string(as_object(line.get("event")).get("session_id")), as_string(line.get("project"))
        if session and project:
            return HookCall(
                as_string(line.get("host")), session, project, path, at, pid=as_integer(line.get("pid")) or 0
            )
    return None


def _may_have_content(log: str) -> bool:
    """Return whether the log may have content: a regular file that is not empty, a pipe or the like, or an OpenCode session."""
    if not log or "?session=" in os.path.basename(log):
        return bool(log)
    try:
        status = os.stat(log)
        return not stat.S_ISREG(status.st_mode) or status.st_size > 0
    except OSError:
        return False
