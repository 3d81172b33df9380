"""Files that a session start reads instead of the database: flags (``ready/<project>``: there may be something to
offer; ``offered/<session>``), hints that are set in the transaction which makes them true; ``advice/<project>``; and
``open_errors/<project>/`` with a file per session, one for ``any-session``, and ``told-...`` for texts that were
received.
"""

from __future__ import annotations

import os
from _thread import get_ident  # an MCP server handles calls in threads; threading is slow to import

from mind_skills.store.home import create_file, ensure_folder, list_names, read_file, remove_file, write_small_file
from mind_skills.store.project import digest_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

READY_FOLDER, OFFERED_FOLDER, ADVICE_FOLDER, OPEN_ERRORS_FOLDER = "ready", "offered", "advice", "open_errors"
"""Folder names."""
MAX_ADVICE_BYTES = 1_200
"""Maximum number of bytes read: enough for six lines and their headings. A longer list of old mistakes does not help."""
MAX_OPEN_ERRORS_BYTES = 1_600
_ANY_SESSION, _RECEIVED_PREFIX = "any-session", "told-"


def get_project_flag_path(home: str, project_id: str) -> str:
    """Return the path of the flag that marks a project with candidates or advice to offer."""
    return os.path.join(home, READY_FOLDER, project_id)


def get_session_flag_path(home: str, session_id: str) -> str:
    """Return the path of the flag that marks a session with an offer."""
    return os.path.join(home, OFFERED_FOLDER, digest_text(session_id))


def set_flag(path: str, *, is_set: bool) -> None:
    """Set or clear a flag. Idempotent. Raises HomeError, OSError."""
    if is_set == os.path.exists(path):
        return
    if is_set:
        ensure_folder(os.path.dirname(path))
        write_small_file(path)
    else:
        remove_file(path)


def write_advice(home: str, project_id: str, text: str) -> None:
    """Write the advice of a project; an empty ``text`` removes it. Raises OSError, HomeError."""
    path = os.path.join(home, ADVICE_FOLDER, project_id)
    if not text:
        remove_file(path)
        return
    ensure_folder(home)
    ensure_folder(os.path.dirname(path))
    _replace(path, path, text)
    set_flag(get_project_flag_path(home, project_id), is_set=True)


def read_advice(home: str, project_id: str) -> str:
    """Read the advice of a project; empty if there is none. Raises OSError."""
    return _read(os.path.join(home, ADVICE_FOLDER, project_id), MAX_ADVICE_BYTES)


def write_open_errors(home: str, project_id: str, texts: Mapping[str, str]) -> None:
    """Replace a project's open errors: texts by session id, "" for all other sessions. Raises OSError, HomeError."""
    folder = os.path.join(home, OPEN_ERRORS_FOLDER, project_id)
    files = {digest_text(session) if session else _ANY_SESSION: text for session, text in texts.items() if text}
    for name in list_names(folder):
        if name not in files and (not files or not name.startswith(_RECEIVED_PREFIX)):
            remove_file(os.path.join(folder, name))
    if not files:
        try:
            os.rmdir(folder)
        except OSError:
            if os.path.exists(folder) and not os.listdir(folder):
                raise
    for name, text in files.items():
        for parent in (home, os.path.dirname(folder), folder):
            ensure_folder(parent)
        _replace(os.path.join(folder, name), os.path.join(folder, f"{_RECEIVED_PREFIX}draft"), text)


def has_open_errors(home: str, project_id: str) -> bool:
    """Return whether a project has open errors. Costs one stat."""
    return os.path.exists(os.path.join(home, OPEN_ERRORS_FOLDER, project_id))


def list_projects_with_open_errors(home: str) -> list[str]:
    """List the ids of the projects that have open errors."""
    return list_names(os.path.join(home, OPEN_ERRORS_FOLDER))


def read_open_errors(home: str, project_id: str, session_id: str) -> str:
    """Read the open errors that a resumed session is shown; empty if there is none. Raises OSError."""
    folder = os.path.join(home, OPEN_ERRORS_FOLDER, project_id)
    return _read(os.path.join(folder, digest_text(session_id)), MAX_OPEN_ERRORS_BYTES) or _read(
        os.path.join(folder, _ANY_SESSION), MAX_OPEN_ERRORS_BYTES
    )


def claim_open_errors(home: str, project_id: str, session_id: str, text: str) -> bool:
    """Record that a session receives ``text``; False if it was already, also by a concurrent process. Raises OSError,
    HomeError.
    """
    folder = ensure_folder(os.path.join(home, OPEN_ERRORS_FOLDER, project_id))
    name = f"{_RECEIVED_PREFIX}{digest_text(session_id)}-{digest_text(text)}"
    return create_file(os.path.join(folder, name))


def _replace(path: str, draft: str, text: str) -> None:
    """Replace the file at ``path`` atomically, by way of a temporary file whose path starts with ``draft``."""
    draft = f"{draft}.{os.getpid()}.{get_ident()}"
    write_small_file(draft, text.encode("utf-8", "replace"))
    os.replace(draft, path)


def _read(path: str, limit: int) -> str:
    return read_file(path, limit).decode("utf-8", "ignore")
