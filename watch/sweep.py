"""Every log below a root with its state, without events: at the start, once in a while, and where there are no events."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from mind_skills.watch.known import fold
from mind_skills.watch.places import Log, Root, log_of

DEPTH = 12
"""Folders below a root: no host nests deeper than six."""


class Found(NamedTuple):
    """A log, its ``state``, when it changed last (seconds since the epoch)."""

    log: Log
    state: int
    changed: float


def sweep(root: Root) -> Iterator[Found]:
    """Every log below a root that is this user's own, once. What cannot be read is passed over: it may come and go."""
    if root.name:
        found = state(Log("database" if root.name.endswith(".db") else "log", os.path.join(root.path, root.name)))
        if found is not None:
            yield found
        return
    if root.host == "spool":
        yield from _spool(root)
        return
    for path in _files(root.real, 0):
        log = log_of(root, path)
        if log is None or (log.kind == "database" and path.endswith("-wal")):
            continue
        if log.kind == "log" and os.path.basename(log.path) != os.path.basename(path):
            continue  # a subagent's, whose session's own is met as well
        found = state(log)
        if found is not None:
            yield found


def _spool(root: Root) -> Iterator[Found]:
    """All that hooks left, as one: whoever looks, looks at all of it."""
    files = [log and state(Log("log", path)) for path in sorted(_files(root.real, 0)) if (log := log_of(root, path))]
    found = [each for each in files if each]
    if found:
        yield Found(Log("spool", root.path), fold(*(each.state for each in found)), max(each.changed for each in found))


def state(log: Log) -> Found | None:
    """A log as it is now; None where there is none, or it is somebody else's."""
    place = log.path
    try:
        found = os.stat(place)
    except OSError:
        return None
    if found.st_mode & 0o170000 != 0o100000 or (os.name == "posix" and found.st_uid != os.geteuid()):
        return None
    numbers = [found.st_ino, found.st_size, found.st_mtime_ns]
    changed = found.st_mtime
    if log.kind == "database":
        try:
            ahead = os.stat(place + "-wal")
        except OSError:
            return Found(log, fold(*numbers), changed)
        numbers += [ahead.st_size, ahead.st_mtime_ns]
        changed = max(changed, ahead.st_mtime)
    return Found(log, fold(*numbers), changed)


def folders(root: Root) -> Iterator[str]:
    """The folders there are to watch below a root, itself first; those that this user may not read are not watched."""
    yield root.real
    if not root.name:
        yield from _folders(root.real, 0)


def _folders(top: str, depth: int) -> Iterator[str]:
    for entry in _entries(top):
        if entry.is_dir(follow_symlinks=False) and os.access(entry.path, os.R_OK):
            yield entry.path
            if depth < DEPTH:
                yield from _folders(entry.path, depth + 1)


def _files(top: str, depth: int) -> Iterator[str]:
    for entry in _entries(top):
        if entry.is_dir(follow_symlinks=False):
            if depth < DEPTH:
                yield from _files(entry.path, depth + 1)
        elif entry.is_file(follow_symlinks=False):
            yield entry.path


def _entries(top: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(top) as entries:
            return list(entries)
    except OSError:
        return []
