"""The files that are watched, and the state of each: session logs, spools of hooks, skills, pending files.

Only names and the results of ``stat`` are used; no file is read here.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mind_skills.hosts import HOST_NAMES, load_all_specs, load_spec
from mind_skills.hosts.skills import HOME_SKILL_FOLDERS, PROJECT_SKILL_FOLDERS
from mind_skills.observations.open_file import COMPRESSED_SUFFIX, can_decompress

LOG_SUFFIXES = (".jsonl", ".json", ".traj", ".db")
"""Suffixes of logs in folders that the user gives as arguments, as in observations/find_logs.py."""
COMPRESSED_LOG_SUFFIX = f".jsonl{COMPRESSED_SUFFIX}"
SPOOL_FOLDER = "spool"
"""A folder in the state folder. Must match hooks/captured_spools.py, which this process does not import (a test checks)."""
PENDING_PATH = os.path.join(".claude", "mind-skills-pending.json")
"""The pending file in a project. Must match staging/pending_file.py, which this process does not import (a test checks)."""
MAX_DEPTH = 12
"""Maximum depth of folders below a root; no host uses more than six levels."""
MAX_SKILLS_PER_FOLDER = 500
SKILL_FOLDERS_IN_PROJECT = tuple(
    dict.fromkeys(folder for folders in PROJECT_SKILL_FOLDERS.values() for folder in folders)
)
SKILL_FOLDERS_AT_HOME = tuple(dict.fromkeys(folder for folders in HOME_SKILL_FOLDERS.values() for folder in folders))


class Root(NamedTuple):
    """A folder to watch: ``real`` is ``path`` with links resolved.

    ``name`` is the only file of interest in the folder, or empty for all files. ``host`` is empty for a path that the user
    gave, and ``spool`` for the folder in which hooks leave events.
    """

    host: str
    path: str
    real: str
    name: str = ""


class Item(NamedTuple):
    """An item to inspect. ``kind`` is log, database, spool, skill, pending or ended; ``path`` is as the host spells it."""

    kind: str
    path: str


class Snapshot(NamedTuple):
    """An item with its ``state`` (64 bits that differ after a change) and its mtime in seconds since the epoch."""

    item: Item
    state: int
    changed_at: float


def list_roots(home: str, paths: Iterable[str] = ()) -> list[Root]:
    """List every folder in which logs of sessions may be written, whether or not the folder exists.

    ``home`` is the state folder. The environment locates the hosts' folders; ``paths`` are additional files and folders.
    """
    user_home = os.path.expanduser("~")
    roots: list[Root] = []
    for spec in load_all_specs():
        if spec.log_folders:
            top = os.path.join(user_home, spec.settings_folder)
            if custom_folder := os.environ.get(spec.settings_folder_env_var):
                top = os.path.join(custom_folder, spec.settings_folder_suffix)
            roots += [_make_root(spec.name, os.path.join(os.path.abspath(top), folder)) for folder in spec.log_folders]
        else:
            roots.append(_make_root(spec.name, *os.path.split(spec.get_database_path(os.environ, user_home))))
    roots.append(_make_root("spool", os.path.join(home, SPOOL_FOLDER)))
    for path in paths:
        absolute = os.path.abspath(os.path.expanduser(path))
        # The system reports changes of a file, but not of a link to it.
        parts = (absolute,) if os.path.isdir(absolute) else os.path.split(os.path.realpath(absolute))
        roots.append(_make_root("", *parts))
    return list({(root.real, root.name): root for root in roots}.values())


def _make_root(host: str, path: str, name: str = "") -> Root:
    return Root(host, path, os.path.realpath(path), name)


def find_item(root: Root, path: str) -> Item | None:
    """Return the item that a file below ``root.real`` belongs to, or None."""
    relative_path = path[len(root.real) :].lstrip(os.sep)
    name = os.path.basename(relative_path)
    if root.host == "spool":
        return Item("spool", root.path) if name.endswith(".jsonl") else None
    log_name = name.removesuffix("-wal")
    if root.name:
        return _make_log_item(root, log_name) if log_name == root.name and relative_path == name else None
    find_log = load_spec(root.host).find_log if root.host else None
    if find_log is not None:
        log_path = find_log(root.real, relative_path.replace(os.sep, "/")).replace("/", os.sep)
    else:
        log_path = relative_path.removesuffix("-wal") if log_name.endswith(LOG_SUFFIXES) else ""
    is_readable = log_path and (not log_path.endswith(COMPRESSED_LOG_SUFFIX) or can_decompress())
    return _make_log_item(root, log_path) if is_readable else None


def _make_log_item(root: Root, relative_path: str) -> Item:
    return Item("database" if relative_path.endswith(".db") else "log", os.path.join(root.path, relative_path))


def list_snapshots(root: Root) -> Iterator[Snapshot]:
    """Yield a snapshot of every item of this user below a root, once. Items that cannot be read at the moment are skipped."""
    items: Iterable[Item]
    if root.name:
        items = [_make_log_item(root, root.name)]
    elif root.host == "spool":
        items = [Item("spool", root.path)]
    else:
        # A database's -wal and a subagent's log are skipped, because the file that their item is named after is listed too.
        items_and_paths = ((find_item(root, path), path) for path in _list_files(root.real))
        items = (
            item for item, path in items_and_paths if item and os.path.basename(item.path) == os.path.basename(path)
        )
    yield from filter(None, map(take_snapshot, items))


def list_compressed_logs(home: str, changed_since: int = 0) -> list[str]:
    """List the logs that cannot be read because they are compressed, if they changed at ``changed_since`` (UTC ms) or later."""
    if can_decompress():
        return []
    roots = [root for root in list_roots(home) if root.host in HOST_NAMES and not root.name]
    paths = [path for root in roots for path in _list_files(root.real) if path.endswith(COMPRESSED_LOG_SUFFIX)]
    snapshots = filter(None, (take_snapshot(Item("log", path)) for path in paths))
    return sorted(snapshot.item.path for snapshot in snapshots if snapshot.changed_at * 1000 >= changed_since)


def list_skills(projects: Iterable[str]) -> Iterator[tuple[str, Snapshot]]:
    """Yield (project folder, snapshot) of each skill and pending file; the folder is empty for the user's own skills.

    These files are polled: native watches on each folder of fifty projects would need fifty threads, and more kernel watches
    than all session logs together.
    """
    user_home = os.path.expanduser("~")
    folders = [(os.path.join(user_home, folder_path), "") for folder_path in SKILL_FOLDERS_AT_HOME]
    for project in projects:
        if (snapshot := take_snapshot(Item("pending", os.path.join(project, PENDING_PATH)))) is not None:
            yield project, snapshot
        folders += [(os.path.join(project, folder_path), project) for folder_path in SKILL_FOLDERS_IN_PROJECT]
    for folder, project in folders:
        try:
            names = os.listdir(folder)
        except OSError:
            continue  # most projects have no skills in most of these folders
        for name in names[:MAX_SKILLS_PER_FOLDER]:
            if (snapshot := take_snapshot(Item("skill", os.path.join(folder, name, "SKILL.md")))) is not None:
                yield project, snapshot


def take_snapshot(item: Item) -> Snapshot | None:
    """Return a snapshot of an item; None if the item is not a regular file, or is a log or database of another user."""
    if item.kind == "spool":  # one item for all files, since they are inspected together
        paths = sorted(path for path in _list_files(os.path.realpath(item.path)) if path.endswith(".jsonl"))
        snapshots = [snapshot for path in paths if (snapshot := take_snapshot(Item("log", path))) is not None]
        state = combine_state(*(snapshot.state for snapshot in snapshots))
        return Snapshot(item, state, max(snapshot.changed_at for snapshot in snapshots)) if snapshots else None
    try:
        status = os.stat(item.path)
    except OSError:
        return None
    is_foreign = item.kind in ("log", "database") and os.name == "posix" and status.st_uid != os.geteuid()
    if is_foreign or not stat.S_ISREG(status.st_mode):
        return None
    fields, changed_at = [status.st_ino, status.st_size, status.st_mtime_ns], status.st_mtime
    if item.kind == "database":
        try:
            wal = os.stat(item.path + "-wal")
        except OSError:
            return Snapshot(item, combine_state(*fields), changed_at)
        fields += [wal.st_size, wal.st_mtime_ns]
        changed_at = max(changed_at, wal.st_mtime)
    return Snapshot(item, combine_state(*fields), changed_at)


def list_folders(root: Root) -> Iterator[str]:
    """Yield the folders to watch for a root, first the root itself; unreadable folders are omitted."""
    yield root.real
    if not root.name:
        for entry in _walk(root.real):
            if entry.is_dir(follow_symlinks=False) and os.access(entry.path, os.R_OK):
                yield entry.path


def _list_files(top: str) -> Iterator[str]:
    return (entry.path for entry in _walk(top) if entry.is_file(follow_symlinks=False))


def _walk(top: str, depth: int = 0) -> Iterator[os.DirEntry[str]]:
    """Yield everything below a folder, without following links. Unreadable folders are skipped."""
    try:
        with os.scandir(top) as entries:
            children = list(entries)
    except OSError:
        return
    for entry in children:
        yield entry
        if depth < MAX_DEPTH and entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, depth + 1)


def digest_name(name: str) -> int:
    """Return the 64-bit digest of a path or a name."""
    from hashlib import blake2b  # `mind-skills status`, which lists compressed logs, does not need it

    return int.from_bytes(blake2b(os.fsencode(name), digest_size=8).digest(), "little")


def combine_state(*numbers: int) -> int:
    """Combine numbers, for example inode, size and mtime, into one state of 64 bits."""
    return hash(numbers) & 0xFFFF_FFFF_FFFF_FFFF  # hashes of integers do not depend on the hash seed
