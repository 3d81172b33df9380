"""Empty files in the state folder that answer "could anything wait?" with one stat, before sqlite3 is imported.

They are hints: a flag without a candidate costs one look into the database, and whoever writes sets them inside the
transaction that makes them true, so a candidate never waits without its flag for longer than that transaction.
"""

from __future__ import annotations

import os

from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.project import digest

READY, OFFERED = "ready", "offered"


def project_flag(home: str, project_id: str) -> str:
    """Path of the flag that says: candidates of this project wait for somebody."""
    return os.path.join(home, READY, project_id)


def session_flag(home: str, session_id: str) -> str:
    """Path of the flag that says: this session holds an offer."""
    return os.path.join(home, OFFERED, digest(session_id))


def raised(path: str) -> bool:
    """Whether the flag is there."""
    return os.path.exists(path)


def put(path: str, *, up: bool) -> None:
    """Raise or lower a flag; harmless when repeated. Raises HomeError or OSError where the state folder refuses."""
    if up == os.path.exists(path):
        return
    if up:
        ensure(os.path.dirname(path))
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE_MODE))
        return
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # another process was faster
