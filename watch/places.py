"""Where sessions are written on this machine, and which file there belongs to which session's log.

Standard library only, and no reading: names alone decide.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from mind_skills.hosts import all_specs

SUFFIXES = (".jsonl", ".json", ".traj", ".db")
"""What a log that a user names is called: as in observations/find_logs.py."""
SPOOLS = "spool"
"""In the state folder, as in hooks/captured.py, which the watching process does not import; a test compares."""


class Root(NamedTuple):
    """A folder to watch: ``path`` is what it is called, ``real`` where its links lead.

    ``name`` is that of the one file in it that counts, empty for all. ``host`` is empty for what a user named, and
    ``spool`` for what hooks leave for us.
    """

    host: str
    path: str
    real: str
    name: str = ""


class Log(NamedTuple):
    """What a change is about: ``kind`` is log, database or spool, ``path`` the log of the session, as its host names it."""

    kind: str
    path: str


def roots(home: str, named: Iterable[str] = ()) -> list[Root]:
    """Every folder in which sessions may be written, whether or not it is there. ``home`` is the state folder.

    The environment says where the hosts keep things; ``named`` are further files and folders.
    """
    user = os.path.expanduser("~")
    found: list[Root] = []
    for spec in all_specs():
        if spec.log_folder:
            moved = os.environ.get(spec.folder_variable)
            top = os.path.join(moved, spec.folder_below) if moved else os.path.join(user, spec.folder)
            found.append(_root(spec.name, os.path.join(os.path.abspath(top), spec.log_folder)))
        else:
            database = spec.database_path(os.environ, user)
            found.append(_root(spec.name, os.path.dirname(database), os.path.basename(database)))
    found.append(_root("spool", os.path.join(home, SPOOLS)))
    for path in named:
        whole = os.path.abspath(os.path.expanduser(path))
        folder = os.path.isdir(whole)
        found.append(_root("", whole) if folder else _root("", os.path.dirname(whole), os.path.basename(whole)))
    return list({(root.real, root.name): root for root in found}.values())


def _root(host: str, path: str, name: str = "") -> Root:
    return Root(host, path, os.path.realpath(path), name)


def log_of(root: Root, path: str) -> Log | None:
    """The log that a file below ``root.real`` belongs to; None for a file that is no part of one."""
    below = path[len(root.real) :].lstrip(os.sep)
    name = os.path.basename(below)
    if root.host == "spool":
        return Log("spool", root.path) if name.endswith(".jsonl") else None
    if root.name:
        plain = name.removesuffix("-wal")
        if plain != root.name or below != name:
            return None
        return Log("database" if plain.endswith(".db") else "log", os.path.join(root.path, plain))
    inner = _inner(root.host, below, name)
    if inner is None:
        return None
    kind = "database" if inner.endswith(".db") else "log"
    return Log(kind, os.path.join(root.path, inner))


def _inner(host: str, below: str, name: str) -> str | None:
    """Path below the root of the log that a file belongs to; a subagent's belongs to its session's."""
    if host == "claude-code":
        parts = below.split(os.sep)
        if not name.endswith(".jsonl") or len(parts) < 2:
            return None
        if len(parts) == 2:  # older versions keep those of subagents here, too
            return None if name.startswith("agent-") else below
        return os.path.join(parts[0], f"{parts[1]}.jsonl") if parts[2] == "subagents" else None
    if host == "codex":
        return below if name.startswith("rollout-") and name.endswith(".jsonl") else None
    if host == "gemini":
        chats = os.path.basename(os.path.dirname(below)) == "chats"
        return below if chats and name.startswith("session-") and name.endswith((".json", ".jsonl")) else None
    plain = name.removesuffix("-wal")
    return below[: len(below) - len(name)] + plain if plain.endswith(SUFFIXES) else None
