"""Which files are watched, and the state of each: session logs, spools of hooks, skills, pending files.

Names and ``stat`` alone decide; no file is read here.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

from mind_skills.hosts import all_specs
from mind_skills.hosts.skills import HOME, PROJECT

SUFFIXES = (".jsonl", ".json", ".traj", ".db")
"""What a log that a user names is called: as in observations/find_logs.py."""
SPOOLS = "spool"
"""In the state folder, as in hooks/captured.py, which the watching process does not import; a test compares."""
PENDING = os.path.join(".claude", "mind-skills-pending.json")
"""As in staging/pending_file.py, which the watching process does not import; a test compares."""
DEPTH = 12
"""Folders below a root: no host nests deeper than six."""
SKILLS_PER_FOLDER = 500
PROJECT_SKILLS = tuple(dict.fromkeys(place for places in PROJECT.values() for place in places))
USER_SKILLS = tuple(dict.fromkeys(place for places in HOME.values() for place in places))


class Root(NamedTuple):
    """A folder to watch: ``path`` is its name, ``real`` where that leads once links are followed.

    ``name`` is the one file in it that counts, empty for all. ``host`` is empty for a path that the user named, and
    ``spool`` for the folder in which hooks leave events.
    """

    host: str
    path: str
    real: str
    name: str = ""


class Item(NamedTuple):
    """One thing to inspect. ``kind`` is log, database, spool, skill or pending; ``path`` as its host names it."""

    kind: str
    path: str


class Snapshot(NamedTuple):
    """An item with its ``state`` (64 bits that differ after a change) and its mtime, in seconds since the epoch."""

    item: Item
    state: int
    changed: float


def list_roots(home: str, named: Iterable[str] = ()) -> list[Root]:
    """Every folder in which sessions may be written, whether or not it exists. ``home`` is the state folder.

    The environment says where the hosts keep things; ``named`` are further files and folders.
    """
    user = os.path.expanduser("~")
    found: list[Root] = []
    for spec in all_specs():
        if spec.log_folder:
            moved = os.environ.get(spec.folder_variable)
            top = os.path.join(moved, spec.folder_below) if moved else os.path.join(user, spec.folder)
            found.append(_make_root(spec.name, os.path.join(os.path.abspath(top), spec.log_folder)))
        else:
            found.append(_make_root(spec.name, *os.path.split(spec.database_path(os.environ, user))))
    found.append(_make_root("spool", os.path.join(home, SPOOLS)))
    for path in named:
        whole = os.path.abspath(os.path.expanduser(path))
        found.append(_make_root("", whole) if os.path.isdir(whole) else _make_root("", *os.path.split(whole)))
    return list({(root.real, root.name): root for root in found}.values())


def _make_root(host: str, path: str, name: str = "") -> Root:
    return Root(host, path, os.path.realpath(path), name)


def find_item(root: Root, path: str) -> Item | None:
    """The item that a file below ``root.real`` belongs to; None for a file that is part of none."""
    below = path[len(root.real) :].lstrip(os.sep)
    name = os.path.basename(below)
    if root.host == "spool":
        return Item("spool", root.path) if name.endswith(".jsonl") else None
    plain = name.removesuffix("-wal")
    if root.name:
        return _log(root, plain) if plain == root.name and below == name else None
    if root.host == "claude-code":
        parts = below.split(os.sep)
        if not name.endswith(".jsonl") or len(parts) < 2:
            return None
        if len(parts) == 2:  # older versions keep the logs of subagents here, too
            return None if name.startswith("agent-") else _log(root, below)
        # The log of a subagent belongs to its session.
        return _log(root, os.path.join(parts[0], f"{parts[1]}.jsonl")) if parts[2] == "subagents" else None
    if root.host == "codex":
        return _log(root, below) if name.startswith("rollout-") and name.endswith(".jsonl") else None
    if root.host == "gemini":
        chats = os.path.basename(os.path.dirname(below)) == "chats"
        return (
            _log(root, below) if chats and name.startswith("session-") and name.endswith((".json", ".jsonl")) else None
        )
    return _log(root, below[: len(below) - len(name)] + plain) if plain.endswith(SUFFIXES) else None


def _log(root: Root, below: str) -> Item:
    return Item("database" if below.endswith(".db") else "log", os.path.join(root.path, below))


def list_snapshots(root: Root) -> Iterator[Snapshot]:
    """Every item below a root that is this user's own, once. What cannot be read is passed over: it may come and go."""
    items: Iterable[Item]
    if root.name:
        items = [_log(root, root.name)]
    elif root.host == "spool":
        items = [Item("spool", root.path)]
    else:
        # A file of another name is a database's -wal or a subagent's log; the item's own file turns up as well.
        found = ((find_item(root, path), path) for path in _list_files(root.real))
        items = (item for item, path in found if item and os.path.basename(item.path) == os.path.basename(path))
    yield from filter(None, map(take_snapshot, items))


def list_skills(projects: Iterable[str]) -> Iterator[tuple[str, Snapshot]]:
    """Each skill and pending file that exists, with the folder of its project: empty for the user's own skills.

    They are polled: a system watch on each folder of fifty projects would take fifty threads, and more of the system's
    watches than all session logs together.
    """
    user = os.path.expanduser("~")
    folders = [(os.path.join(user, place), "") for place in USER_SKILLS]
    for project in projects:
        if (found := take_snapshot(Item("pending", os.path.join(project, PENDING)))) is not None:
            yield project, found
        folders += [(os.path.join(project, place), project) for place in PROJECT_SKILLS]
    for folder, project in folders:
        try:
            names = os.listdir(folder)
        except OSError:
            continue  # most projects keep no skills in most of these places
        for name in names[:SKILLS_PER_FOLDER]:
            if (found := take_snapshot(Item("skill", os.path.join(folder, name, "SKILL.md")))) is not None:
                yield project, found


def take_snapshot(item: Item) -> Snapshot | None:
    """An item as it is now; None where there is no regular file, or a log is somebody else's."""
    if item.kind == "spool":  # all files as one: whoever inspects it takes all of it
        paths = sorted(path for path in _list_files(os.path.realpath(item.path)) if path.endswith(".jsonl"))
        files = [found for path in paths if (found := take_snapshot(Item("log", path))) is not None]
        state = fold(*(each.state for each in files))
        return Snapshot(item, state, max(each.changed for each in files)) if files else None
    try:
        file = os.stat(item.path)
    except OSError:
        return None
    foreign = item.kind in ("log", "database") and os.name == "posix" and file.st_uid != os.geteuid()
    if foreign or not stat.S_ISREG(file.st_mode):
        return None
    numbers, changed = [file.st_ino, file.st_size, file.st_mtime_ns], file.st_mtime
    if item.kind == "database":
        try:
            ahead = os.stat(item.path + "-wal")
        except OSError:
            return Snapshot(item, fold(*numbers), changed)
        numbers += [ahead.st_size, ahead.st_mtime_ns]
        changed = max(changed, ahead.st_mtime)
    return Snapshot(item, fold(*numbers), changed)


def list_folders(root: Root) -> Iterator[str]:
    """The folders that the system is to watch for a root, itself first; those that may not be read are left out."""
    yield root.real
    if not root.name:
        for entry in _walk(root.real):
            if entry.is_dir(follow_symlinks=False) and os.access(entry.path, os.R_OK):
                yield entry.path


def _list_files(top: str) -> Iterator[str]:
    return (entry.path for entry in _walk(top) if entry.is_file(follow_symlinks=False))


def _walk(top: str, depth: int = 0) -> Iterator[os.DirEntry[str]]:
    """All that is below a folder. No link is followed, and what cannot be read is left out."""
    try:
        with os.scandir(top) as entries:
            found = list(entries)
    except OSError:
        return
    for entry in found:
        yield entry
        if depth < DEPTH and entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, depth + 1)


def digest_name(name: str) -> int:
    """The 64 bits that stand for a path or a name."""
    return int.from_bytes(blake2b(os.fsencode(name), digest_size=8).digest(), "little")


def fold(*numbers: int) -> int:
    """Several numbers as one of 64 bits: inode, size and mtime of a file as its state."""
    return hash(numbers) & 0xFFFF_FFFF_FFFF_FFFF  # of integers alone, which no seed changes
