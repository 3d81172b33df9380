"""The host's own files: read whole, written in one step, through the user's links and never over something odd."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from mind_skills.errors import MindSkillsError
from mind_skills.store.atomic import Folder

LIMIT = 16 * 1024 * 1024
"""Bytes. No file of settings comes near."""


class Found(NamedTuple):
    """A file as it is now: ``content`` None and ``mode`` 0 where there is none.

    ``path`` is its name, ``real`` what the name leads to: dotfiles are often links into a repository of the user's.
    """

    path: str
    real: str
    content: bytes | None
    mode: int


def read_file(path: str) -> Found:
    """The file at ``path``. Raises MindSkillsError where something else stands there, StoreError where it is refused."""
    real = os.path.realpath(path)
    parent = os.path.dirname(real)
    if os.path.islink(path) and not os.path.isdir(parent):
        raise MindSkillsError("broken_link", f"{path} is a link to {real}, which is not there", "Mend or remove it.")
    if not os.path.isdir(parent):
        return Found(path, real, None, 0)
    name = os.path.basename(real)
    with Folder(parent) as folder:
        content = folder.read(name, LIMIT)
        state = folder.state_of(name)
    if content is not None and len(content) > LIMIT:
        raise MindSkillsError("too_large", f"{path} is larger than {LIMIT} bytes", "That is no file of settings.")
    return Found(path, real, content, stat.S_IMODE(state.st_mode) if state is not None else 0)


def require_writable(found: Found) -> None:
    """Raise MindSkillsError where the user has protected the file, or a tool has made it that will write it again."""
    folder = os.path.dirname(found.real)
    refused = found.content is not None and not (found.mode & 0o200 and os.access(found.real, os.W_OK))
    if refused and os.path.lexists(found.real):  # another process may have removed it since: nothing protects it then
        raise MindSkillsError(
            "read_only",
            f"{found.path} is read-only, and was left as it is",
            "Make it writable; or, if a tool manages it, let that tool write what `--dry-run` shows.",
        )
    if os.path.isdir(folder) and not os.access(folder, os.W_OK):
        raise MindSkillsError("read_only", f"{folder} is read-only, nothing was changed", "Make it writable.")


def list_missing_folders(path: str) -> list[str]:
    """The folders that are missing on the way to the folder ``path``, itself included, the outermost first."""
    missing: list[str] = []
    while path and not os.path.lexists(path):
        missing.append(path)
        path = os.path.dirname(path)
    return missing[::-1]


def remove_leftovers(path: str) -> None:
    """Remove what an installation left beside this file that was killed in the middle. Only for who holds the journal."""
    real = os.path.realpath(path)
    if os.path.isdir(os.path.dirname(real)):
        with Folder(os.path.dirname(real)) as folder:
            folder.sweep(os.path.basename(real))


def write(found: Found, content: bytes | None, mode: int = 0o600) -> None:
    """Replace the file by ``content``, or remove it for None; mode and owner stay, ``mode`` is for a new one.

    Raises MindSkillsError if it is no longer as it was found: somebody else has just written it.
    """
    if read_file(found.path) != found:
        raise MindSkillsError("changed_meanwhile", f"{found.path} was changed at this very moment", "Run it again.")
    with Folder(os.path.dirname(found.real)) as folder:
        name = os.path.basename(found.real)
        before = folder.state_of(name)
        if content is None:
            folder.remove(name)
            return
        folder.write(name, content, found.mode if before is not None else mode)
    if before is not None and os.name == "posix":
        after = os.stat(found.real)
        if (after.st_uid, after.st_gid) != (before.st_uid, before.st_gid):
            os.chown(found.real, before.st_uid, before.st_gid)  # `sudo mind-skills install` must not take it away
