"""Advice for a project: warnings and proven patterns, made ready for the next sessions. ``advice/<project>``.

A projection of what the learning rules hold; losing it costs nothing but the advice until the next session ends. Read
at the start of a session, so it imports ``os`` only.
"""

from __future__ import annotations

import os
from _thread import get_ident  # a hook reads advice, and threading is a large module

from mind_skills.staging import flags
from mind_skills.store.home import FILE_MODE, ensure

FOLDER = "advice"
MOST = 1_200
"""Bytes: six lines and their headings; old mistakes in a context are no help in themselves."""


def put(home: str, project_id: str, text: str) -> None:
    """Set the advice of a project, none where ``text`` is empty. Raises OSError, HomeError."""
    path = _path(home, project_id)
    if not text:
        try:
            os.unlink(path)
        except FileNotFoundError:
            return
        return
    ensure(home)
    ensure(os.path.dirname(path))
    draft = f"{path}.{os.getpid()}.{get_ident()}"  # the calls of an MCP server run in threads
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
    os.replace(draft, path)
    flags.put(flags.project_flag(home, project_id), up=True)


def text(home: str, project_id: str) -> str:
    """The advice of a project, empty where there is none."""
    try:
        descriptor = os.open(_path(home, project_id), os.O_RDONLY)
    except FileNotFoundError:
        return ""
    try:
        return os.read(descriptor, MOST).decode("utf-8", "ignore")
    finally:
        os.close(descriptor)


def _path(home: str, project_id: str) -> str:
    return os.path.join(home, FOLDER, project_id)
