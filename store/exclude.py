"""Keep our files out of the user's commits through the repository's private ignore list, never through a versioned file.

That list, ``info/exclude`` in the common git folder, applies to every worktree (gitignore(5)).
"""

from __future__ import annotations

import os
import stat

from mind_skills.errors import UnwritablePathError
from mind_skills.store.atomic import Folder

PENDING_FILE_PATTERN = "**/.claude/mind-skills-pending.json*"
"""Matches the pending file at any depth, because a host's project may be a subfolder of the repository. The final ``*``
matches temporary files and files that were set aside."""

TIMEOUT_SECONDS = 10.0
"""Maximum time to wait for other processes that change the list, in seconds."""
_MAX_BYTES = 4 * 1024 * 1024


def add_pattern(git: str, pattern: str = PENDING_FILE_PATTERN) -> bool:
    """Add ``pattern`` to ``info/exclude`` of the common git folder ``git``; return whether it was missing.

    Raises RefusedPathError or UnwritablePathError (errors/); the rest of the list is preserved byte for byte.
    """
    with Folder(os.path.join(git, "info"), make=True) as folder:
        folder.lock(TIMEOUT_SECONDS)
        before = _read_list(folder)
        if _contains(pattern, before):
            return False
        separator = b"" if not before or before.endswith(b"\n") else b"\n"
        folder.remove_temporary_files("exclude")
        folder.write("exclude", before + separator + pattern.encode() + b"\n", _get_mode(folder))
    return True


def has_pattern(git: str, pattern: str = PENDING_FILE_PATTERN) -> bool:
    """Return whether ``pattern`` is in the list. Raises as ``add_pattern`` does."""
    if not os.path.isdir(os.path.join(git, "info")):
        return False
    with Folder(os.path.join(git, "info")) as folder:
        return _contains(pattern, _read_list(folder))


def remove_pattern(git: str, pattern: str = PENDING_FILE_PATTERN) -> bool:
    """Remove ``pattern`` when uninstalling; return whether it was in the list. Raises as ``add_pattern`` does."""
    if not os.path.isdir(os.path.join(git, "info")):
        return False
    with Folder(os.path.join(git, "info")) as folder:
        folder.lock(TIMEOUT_SECONDS)
        before = _read_list(folder)
        remaining = [line for line in before.splitlines(keepends=True) if line.strip() != pattern.encode()]
        after = b"".join(remaining)
        if after == before:
            return False
        folder.write("exclude", after, _get_mode(folder))
    return True


def _contains(pattern: str, content: bytes) -> bool:
    return pattern.encode() in (line.strip() for line in content.splitlines())


def _read_list(folder: Folder) -> bytes:
    content = folder.read("exclude", _MAX_BYTES) or b""
    if len(content) > _MAX_BYTES:
        message = f"{os.path.join(folder.path, 'exclude')} is larger than {_MAX_BYTES} bytes"
        raise UnwritablePathError(message, "Remove entries that are no longer needed.")
    return content


def _get_mode(folder: Folder) -> int:
    status = folder.stat_entry("exclude")
    return stat.S_IMODE(status.st_mode) if status is not None else 0o644
