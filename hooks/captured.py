"""What becomes of the spools of capture (hooks/spool.py): each is the log of a session whose own log cannot be read.

A session that no start ever told of is known by its spool alone, and is finished like one whose hooks got lost. When a
session has ended its spool is removed, whether or not it was needed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from mind_skills.hooks.moment import Moment
from mind_skills.observations.codec import integer, loads, mapping, string
from mind_skills.settings.lenient import wanted
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import digest

FOLDER = os.path.join("spool", "capture")
LATE = 60_000
"""Milliseconds after its end in which an event of a session still comes in; later ones are of its resumption."""
KEPT = 7 * 24 * 60 * 60_000
"""Milliseconds after which a spool is removed of which nobody knows the session."""
HEAD = 2 << 20
"""Bytes in which the first whole line of a spool is looked for: a line takes at most half of it."""


def log_or_spool(home: str, host: str, session_id: str, log: str) -> str:
    """The log to read for a session: its own, unless that cannot be read and there is a spool."""
    spool = os.path.join(home, FOLDER, f"{host}-{digest(session_id)}.jsonl")
    return spool if os.path.isfile(spool) and not _is_readable(log) else log


def adopt_spools(home: str, now: int, *, wanted: Callable[[str], bool | None] = wanted) -> list[str]:
    """Make the spools the logs of those sessions that have no other. Returns problems worth a log line.

    Those of projects that are not ``wanted`` are removed unread; where that is not known (None), they stay for the next
    time. ``now`` is UTC milliseconds. Raises StoreError, OSError.
    """
    found = _list_spools(home)
    if not found:
        return []
    problems: list[str] = []
    with Ledger.open(home) as ledger:
        for path, moment in found:
            word = None if moment is None else wanted(moment.project)
            if moment is None or word is None:
                if now - os.stat(path).st_mtime_ns // 1_000_000 > KEPT:
                    _remove(path)
            elif not word:
                _remove(path)
            else:
                problems += _adopt(home, ledger, moment)
        return [*ledger.problems, *problems]


def _adopt(home: str, ledger: Ledger, moment: Moment) -> list[str]:
    from mind_skills.hooks.recover import register_missed  # whoever asks for a log alone does not finish sessions

    known = ledger.find_session(moment.session_id)
    if known is None:
        return register_missed(home, [moment])
    moment.log = log_or_spool(home, moment.host, moment.session_id, known.log)
    if known.finished_at is not None and moment.at > known.finished_at + LATE:
        return register_missed(home, [moment])  # it goes on, and its start got lost
    if known.finished_at is None and moment.log != known.log:
        ledger.register_session(known.session_id, known.host, known.project, moment.log, known.seen_at)
    return []


def remove_finished_spools(home: str) -> None:
    """Remove the spools of sessions that have ended. Raises StoreError, OSError."""
    found = _list_spools(home)
    if not found:
        return
    with Ledger.open(home) as ledger:
        for path, moment in found:
            known = None if moment is None else ledger.find_session(moment.session_id)
            if moment and known and known.finished_at is not None and moment.at <= known.finished_at + LATE:
                _remove(path)


def _list_spools(home: str) -> list[tuple[str, Moment | None]]:
    """Every spool with the session it is of, at the time of its last event; None where no line of it is whole."""
    try:
        names = sorted(os.listdir(os.path.join(home, FOLDER)))
    except (FileNotFoundError, NotADirectoryError):
        return []
    found: list[tuple[str, Moment | None]] = []
    for name in names:
        path = os.path.join(home, FOLDER, name)
        with suppress(FileNotFoundError):  # another process was faster
            if stat.S_ISREG(os.lstat(path).st_mode):
                found.append((path, _read_session(path)))
    return found


def _read_session(path: str) -> Moment | None:
    with open(path, "rb") as file:
        lines = file.read(HEAD).split(b"\n")
        at = os.fstat(file.fileno()).st_mtime_ns // 1_000_000
    for text in filter(None, lines):
        try:
            line = mapping(loads(text))
        except ValueError:
            continue  # one that a full disk cut short
        session, project = string(mapping(line.get("event")).get("session_id")), string(line.get("project"))
        if session and project:
            return Moment(string(line.get("host")), session, project, path, at, pid=integer(line.get("pid")) or 0)
    return None


def _is_readable(log: str) -> bool:
    """Whether there is anything to read. What is no file, an OpenCode session say, is for its reader to judge."""
    if not log or "?session=" in Path(log).name:
        return bool(log)
    try:
        found = os.stat(log)
        return not stat.S_ISREG(found.st_mode) or found.st_size > 0
    except OSError:
        return False


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):  # another process was faster
        os.unlink(path)
