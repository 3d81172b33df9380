"""What is open of the tasks of a project, made ready for its sessions that are resumed. ``reminders/<project>/``.

``any-session`` is for every session of the project, a session's digest for that session alone and instead; ``told-...``
says that a session has been told a text already. A projection of the errors that are kept (hooks/reminding.py); losing
it costs the reminder. Read where a session is resumed, so it imports ``os`` only.
"""

from __future__ import annotations

import os
from _thread import get_ident  # the calls of an MCP server run in threads

from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.store.project import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "reminders"
MOST = 1_600
"""Bytes of one reminder."""
_ANY, _TOLD = "any-session", "told-"


def put(home: str, project_id: str, texts: Mapping[str, str]) -> None:
    """Set what the sessions of a project are reminded of: by session id, the empty one for all others.

    What is not named any more is gone; nothing is left of a project without reminders. Raises OSError, HomeError.
    """
    top = _folder(home, project_id)
    wanted = {digest(session) if session else _ANY: text for session, text in texts.items() if text}
    for name in _names(top):
        if name not in wanted and (not wanted or not name.startswith(_TOLD)):
            _drop(os.path.join(top, name))
    if not wanted:
        try:
            os.rmdir(top)
        except OSError:
            if os.path.exists(top) and not os.listdir(top):
                raise
        return
    for name, text in wanted.items():
        _write(home, top, name, text)


def waits(home: str, project_id: str) -> bool:
    """Whether any session of a project could be reminded of anything. One stat."""
    return os.path.exists(_folder(home, project_id))


def projects(home: str) -> list[str]:
    """The ids of the projects that have reminders."""
    return sorted(_names(os.path.join(home, FOLDER)))


def text(home: str, project_id: str, session_id: str) -> str:
    """What a session is reminded of when it is resumed, empty where there is nothing. Raises OSError."""
    top = _folder(home, project_id)
    return _read(os.path.join(top, digest(session_id))) or _read(os.path.join(top, _ANY))


def tell(home: str, project_id: str, session_id: str, text: str) -> bool:
    """Put down that a session is told ``text``; False where it was told this before, to one caller of several True.

    Raises OSError, HomeError.
    """
    top = _folder(home, project_id)
    ensure(top)
    name = f"{_TOLD}{digest(session_id)}-{digest(text)}"
    try:
        os.close(os.open(os.path.join(top, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
    except FileExistsError:
        return False
    return True


def _write(home: str, top: str, name: str, text: str) -> None:
    ensure(home)
    ensure(os.path.dirname(top))
    ensure(top)
    draft = os.path.join(top, f"{_TOLD}draft.{os.getpid()}.{get_ident()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
    try:
        os.write(descriptor, text.encode("utf-8", "replace"))
    finally:
        os.close(descriptor)
    os.replace(draft, os.path.join(top, name))


def _read(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return ""
    try:
        return os.read(descriptor, MOST).decode("utf-8", "ignore")
    finally:
        os.close(descriptor)


def _names(top: str) -> list[str]:
    try:
        return os.listdir(top)
    except FileNotFoundError:
        return []


def _drop(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # another process was faster


def _folder(home: str, project_id: str) -> str:
    return os.path.join(home, FOLDER, project_id)
