"""Access to the files that an installation changes.

A file is read whole and written atomically, and symbolic links to it are followed. Special files are never overwritten.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.store.atomic import Folder
from mind_skills.store.home import FILE_MODE

MAX_BYTES = 16 * 1024 * 1024
"""Maximum size of a file in bytes; settings files are much smaller."""


class HostFile(NamedTuple):
    """The state of a file when it was read; ``content`` is None and ``mode`` 0 if it did not exist.

    ``real`` is ``path`` with links resolved: settings files are often links into the user's own repository.
    """

    path: str
    real: str
    content: bytes | None
    mode: int


def read_file(path: str) -> HostFile:
    """Read the file at ``path``.

    Raises MindSkillsError if it is a broken link or too large, StoreError if it is not a regular file or access is denied.
    """
    real = os.path.realpath(path)
    parent = os.path.dirname(real)
    if os.path.islink(path) and not os.path.isdir(parent):
        raise MindSkillsError(
            "broken_link", f"{path} is a link to {real}, which does not exist", "Fix or remove the link."
        )
    if not os.path.isdir(parent):
        return HostFile(path, real, None, 0)
    name = os.path.basename(real)
    content: bytes | None = None
    state: os.stat_result | None = None
    with ignore_removal(parent), Folder(parent) as folder:
        content = folder.read(name, MAX_BYTES)
        state = folder.stat_entry(name)
    if content is not None and len(content) > MAX_BYTES:
        raise MindSkillsError(
            "too_large", f"{path} is larger than {MAX_BYTES} bytes", "Move it away: it cannot be a settings file."
        )
    return HostFile(path, real, content, stat.S_IMODE(state.st_mode) if state is not None else 0)


def require_writable(file: HostFile) -> None:
    """Raise MindSkillsError if the file or its folder is read-only; a tool that generates a file may make it read-only."""
    folder = os.path.dirname(file.real)
    is_protected = file.content is not None and not (file.mode & 0o200 and os.access(file.real, os.W_OK))
    if is_protected and os.path.lexists(file.real):  # unless another process has just deleted the file
        raise MindSkillsError(
            "read_only",
            f"{file.path} is read-only and was not changed",
            "Make it writable, or have the tool that manages it write the change that `--dry-run` shows.",
        )
    # In this order, because another process may remove the folder in between.
    if not os.access(folder, os.W_OK) and os.path.isdir(folder):
        raise MindSkillsError("read_only", f"{folder} is read-only; nothing was changed", "Make that folder writable.")


def remove_leftovers(path: str) -> None:
    """Remove temporary files that a killed installation left next to ``path``. The caller must hold the journal's lock."""
    real = os.path.realpath(path)
    parent = os.path.dirname(real)
    if os.path.isdir(parent):
        with ignore_removal(parent), Folder(parent) as folder:
            folder.remove_temporary_files(os.path.basename(real))


@contextmanager
def ignore_removal(folder: str) -> Generator[None]:
    """Ignore a StoreError or OSError if ``folder`` is missing: another uninstallation may have just removed the empty folder."""
    try:
        yield
    except (StoreError, OSError):
        if os.path.isdir(folder):
            raise


def write(file: HostFile, content: bytes | None) -> None:
    """Replace the file with ``content``, or delete the file if that is None.

    Mode and owner are preserved; a new file is private. Raises MindSkillsError if the file has changed since it was read.
    """
    if read_file(file.path) != file:
        raise _make_changed_error(file)
    try:
        _write_file(file, content)
    except StoreError as error:
        if file.content is None or os.path.isdir(os.path.dirname(file.real)):
            raise
        raise _make_changed_error(file) from error  # another uninstallation has just removed the empty folder


def _make_changed_error(file: HostFile) -> MindSkillsError:
    message = f"{file.path} was changed by another process at the same time"
    return MindSkillsError("changed_meanwhile", message, "Run the command again.")


def _write_file(file: HostFile, content: bytes | None) -> None:
    with Folder(os.path.dirname(file.real)) as folder:
        name = os.path.basename(file.real)
        before = folder.stat_entry(name)
        if content is None:
            folder.remove(name)
            return
        folder.write(name, content, file.mode if before is not None else FILE_MODE)
    if before is not None and os.name == "posix":
        after = os.stat(file.real)
        if (after.st_uid, after.st_gid) != (before.st_uid, before.st_gid):
            os.chown(file.real, before.st_uid, before.st_gid)  # `sudo mind-skills install` must not change the owner
