"""Project identity: a repository and all its worktrees are one project, every clone another. Git is not run; a ``.git``
file counts only if the git folder that it names points back (gitrepository-layout(5)), as an archive can contain
one. Imports little, and reads at most three small files.
"""

from __future__ import annotations

import os
import sys

from mind_skills.store.home import find_git_entry, list_ancestors

_MAX_BYTES = 64 * 1024
"""Maximum number of bytes read from one of git's small files: ``.git``, ``gitdir``, ``commondir``, ``config``."""


class Project:
    """A project: ``id`` (16 hex digits) is shared by worktrees, ``root`` is this one's folder, ``git_folder`` the
    common one or "".
    """

    __slots__ = ("git_folder", "id", "name", "root")

    def __init__(self, root: str, id: str, name: str, git_folder: str = "") -> None:  # noqa: A002 -- the name used everywhere else
        """Store plain values; use ``resolve_project`` to get the project of a folder."""
        self.root = root
        self.id = id
        self.name = name
        self.git_folder = git_folder

    def __repr__(self) -> str:
        return f"Project(root={self.root!r}, id={self.id!r}, name={self.name!r}, git_folder={self.git_folder!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Project):
            return NotImplemented
        return (self.root, self.id, self.name, self.git_folder) == (other.root, other.id, other.name, other.git_folder)

    def __hash__(self) -> int:
        return hash((self.root, self.id))


def resolve_project(project_folder: str = "", folder: str = "") -> Project:
    """Return the project of a session: ``project_folder`` if named, else the nearest folder with ``.git`` or
    ``.claude`` (not ``~/.claude``) from ``folder`` upwards, else ``folder``. Raises OSError if the working directory
    is needed and gone.
    """
    start = _resolve(project_folder or folder or os.getcwd())
    root = start if project_folder else _find_project_root(start, _resolve(os.path.expanduser("~")))
    top = find_git_entry(root)
    git = _find_common_git_folder(top) if top else ""
    base = os.path.dirname(git) if os.path.basename(git) == ".git" else root
    # Worktrees share the common git folder; clones do not.
    return Project(root, digest_text(git or root), os.path.basename(base) or root, git)


def list_settings_folders(root: str) -> list[str]:
    """List the folders that may have settings, nearest first: from ``root`` to the top of the work tree, then the main
    checkout.
    """
    project = resolve_project(project_folder=root)
    ancestors = list_ancestors(project.root)
    settings_folders = ancestors[: ancestors.index(find_git_entry(project.root) or project.root) + 1]
    main = os.path.dirname(project.git_folder)
    if os.path.basename(project.git_folder) == ".git" and main not in settings_folders:
        settings_folders.append(main)
    return settings_folders


def digest_text(text: str, size: int = 8) -> str:
    """Return a digest of ``text`` in ``2 * size`` hex digits, safe as a file name."""
    try:
        # The C module behind hashlib: hashlib itself loads OpenSSL, which takes a third of an interpreter's start-up time.
        from _blake2 import blake2b
    except ImportError:  # pragma: no cover -- an interpreter other than CPython
        from hashlib import blake2b
    # Not os.fsencode: a session id from external JSON may contain characters that are invalid in paths.
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()


def _resolve(path: str) -> str:
    path = path.replace("\0", "")
    if sys.getfilesystemencoding() != "utf-8" and not os.path.lexists(path):
        path = os.fsdecode(path.encode("utf-8", "surrogateescape"))  # as in a log, which names folders in UTF-8
    return os.path.realpath(os.path.abspath(path))


def _find_project_root(folder: str, home: str) -> str:
    """Return the nearest folder, upwards from ``folder``, that contains ``.git`` or ``.claude``; ``folder`` itself if there is none."""
    for current in list_ancestors(folder):
        if os.path.lexists(os.path.join(current, ".git")):
            return current
        if current != home and os.path.isdir(os.path.join(current, ".claude")):
            return current
    return folder


def _find_common_git_folder(top: str) -> str:
    """Return the common git folder of the work tree at ``top``; empty if ``find_git_folder`` returns nothing."""
    git = find_git_folder(top)
    common = (
        _read_small_file(os.path.join(git, "commondir")) if git and os.path.isfile(os.path.join(top, ".git")) else ""
    )
    return _resolve(os.path.join(git, common)) if common else git


def find_git_folder(top: str) -> str:
    """Return the git folder of the work tree at ``top``, or "" if ``.git`` is a link or is not pointed back to."""
    link = os.path.join(top, ".git")
    if os.path.islink(link):
        return ""  # git does not create such links, and an archive could point it at another checkout
    if os.path.isdir(link):
        return _resolve(link)
    content = _read_small_file(link)
    git = _resolve(os.path.join(top, content[7:].strip()))
    if not content.startswith("gitdir:") or not os.path.isdir(git):
        return ""
    common = _read_small_file(os.path.join(git, "commondir"))
    if not common:
        worktree = parse_core_worktree(_read_small_file(os.path.join(git, "config")))
        return git if worktree and _resolve(os.path.join(git, worktree)) == top else ""
    backlink = _read_small_file(os.path.join(git, "gitdir"))
    worktrees = os.path.join(_resolve(os.path.join(git, common)), "worktrees")
    return (
        git if backlink and _resolve(os.path.join(git, backlink)) == link and os.path.dirname(git) == worktrees else ""
    )


def parse_core_worktree(config: str) -> str:
    """Return the last ``core.worktree`` in a git config, in the syntax that git writes, or ""."""
    section = found = ""
    for line in map(str.strip, config.splitlines()):
        if line.startswith("["):
            section = line.partition("]")[0][1:].strip().lower()
            continue
        key, equals, value = line.partition("=")
        if section == "core" and equals and key.strip().lower() == "worktree":
            found = _unquote(value.strip())
    return found


_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def _unquote(value: str) -> str:
    """Unquote a value: resolve its escapes, and drop its quotation marks and a trailing comment."""
    text, is_quoted, is_escaped = "", False, False
    for character in value:
        if is_escaped or character not in '\\"':
            if character in "#;" and not (is_quoted or is_escaped):
                return text.rstrip()
            text += _ESCAPES.get(character, character) if is_escaped else character
            is_escaped = False
        elif character == "\\":
            is_escaped = True
        else:
            is_quoted = not is_quoted
    return text


def _read_small_file(path: str) -> str:
    """Return the stripped content of a regular file; empty if there is none or it is unreadable. Never blocks."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return ""
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            return ""
        return os.fsdecode(os.read(descriptor, _MAX_BYTES)).strip()
    except OSError:
        return ""
    finally:
        os.close(descriptor)
