"""Files in the state folder that the start of a session reads before, or without, the database. Imports ``os`` only.

- Flags, empty files that answer "could anything wait?" with one stat: ``ready/<project>``, ``offered/<session>``. They are
  hints: a flag without a candidate costs one look into the database, and whoever writes sets them inside the transaction
  that makes them true, so a candidate never waits without its flag for longer than that transaction.
- Advice, warnings and proven patterns for the next sessions of a project: ``advice/<project>``. A projection of what the
  learning rules hold; losing it costs nothing but the advice until the next session ends.
- Reminders, what is open of a project's tasks, for its sessions that are resumed: ``reminders/<project>/``. In it
  ``any-session`` is for every session, a session's digest for that session alone and instead; ``told-...`` says that a
  session has been told a text already. A projection of the errors that are kept (hooks/reminding.py).
"""

from __future__ import annotations

import os
from _thread import get_ident  # the calls of an MCP server run in threads, and threading is a large module

from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.project import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

READY, OFFERED, ADVICE, REMINDERS = "ready", "offered", "advice", "reminders"
"""Folders."""
ADVICE_BYTES = 1_200
"""Six lines and their headings; old mistakes in a context are no help in themselves."""
REMINDER_BYTES = 1_600
_ANY, _TOLD = "any-session", "told-"


def project_flag(home: str, project_id: str) -> str:
    """Path of the flag that says: candidates of this project wait for somebody."""
    return os.path.join(home, READY, project_id)


def session_flag(home: str, session_id: str) -> str:
    """Path of the flag that says: this session holds an offer."""
    return os.path.join(home, OFFERED, digest(session_id))


def set_flag(path: str, *, up: bool) -> None:
    """Raise or lower a flag; harmless when repeated. Raises HomeError or OSError where the state folder refuses."""
    if up == os.path.exists(path):
        return
    if up:
        ensure(os.path.dirname(path))
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE_MODE))
    else:
        _delete(path)


def write_advice(home: str, project_id: str, text: str) -> None:
    """Set the advice of a project, none where ``text`` is empty. Raises OSError, HomeError."""
    path = os.path.join(home, ADVICE, project_id)
    if not text:
        _delete(path)
        return
    ensure(home)
    ensure(os.path.dirname(path))
    _replace(path, path, text)
    set_flag(project_flag(home, project_id), up=True)


def read_advice(home: str, project_id: str) -> str:
    """The advice of a project, empty where there is none. Raises OSError."""
    return _read(os.path.join(home, ADVICE, project_id), ADVICE_BYTES)


def write_reminders(home: str, project_id: str, texts: Mapping[str, str]) -> None:
    """Set what the sessions of a project are reminded of: by session id, the empty one for all others.

    What is not named any more is gone; nothing is left of a project without reminders. Raises OSError, HomeError.
    """
    top = os.path.join(home, REMINDERS, project_id)
    wanted = {digest(session) if session else _ANY: text for session, text in texts.items() if text}
    for name in _list(top):
        if name not in wanted and (not wanted or not name.startswith(_TOLD)):
            _delete(os.path.join(top, name))
    if not wanted:
        try:
            os.rmdir(top)
        except OSError:
            if os.path.exists(top) and not os.listdir(top):
                raise
    for name, text in wanted.items():
        for folder in (home, os.path.dirname(top), top):
            ensure(folder)
        _replace(os.path.join(top, name), os.path.join(top, f"{_TOLD}draft"), text)


def has_reminders(home: str, project_id: str) -> bool:
    """Whether any session of a project could be reminded of anything. One stat."""
    return os.path.exists(os.path.join(home, REMINDERS, project_id))


def list_reminded_projects(home: str) -> list[str]:
    """The ids of the projects that have reminders."""
    return sorted(_list(os.path.join(home, REMINDERS)))


def read_reminder(home: str, project_id: str, session_id: str) -> str:
    """What a session is reminded of when it is resumed, empty where there is nothing. Raises OSError."""
    top = os.path.join(home, REMINDERS, project_id)
    return _read(os.path.join(top, digest(session_id)), REMINDER_BYTES) or _read(
        os.path.join(top, _ANY), REMINDER_BYTES
    )


def claim_reminder(home: str, project_id: str, session_id: str, text: str) -> bool:
    """Note that a session is told ``text``; False where it was told this before, and True to one of several callers.

    Raises OSError, HomeError.
    """
    top = ensure(os.path.join(home, REMINDERS, project_id))
    name = f"{_TOLD}{digest(session_id)}-{digest(text)}"
    try:
        os.close(os.open(os.path.join(top, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
    except FileExistsError:
        return False
    return True


def _replace(path: str, draft: str, text: str) -> None:
    """Write a file whole or not at all, over a draft whose name begins so."""
    draft = f"{draft}.{os.getpid()}.{get_ident()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
    try:
        os.write(descriptor, text.encode("utf-8", "replace"))
    finally:
        os.close(descriptor)
    os.replace(draft, path)


def _read(path: str, most: int) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return ""
    try:
        return os.read(descriptor, most).decode("utf-8", "ignore")
    finally:
        os.close(descriptor)


def _list(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _delete(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # another process was faster
