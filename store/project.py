"""Which project a folder belongs to: one identity for a repository and all its worktrees, another for each clone.

Git is not run: a worktree's ``.git`` is a file that names its git folder, and that folder names the common one
(gitrepository-layout(5): ``gitdir``, ``commondir``). Such a file counts only if the git folder points back at it, because
a folder that was unpacked from an archive can carry one that names somebody else's repository: a worktree's does so by
its ``gitdir`` and by standing in the common folder, every other by ``core.worktree`` (git-config(1)), as git sets it for
submodules. One that does not, as ``git init --separate-git-dir`` leaves it, is a project of its own, by its path.

The start of a session passes through here: ``os`` only, a few stats and at most three small files.
"""

from __future__ import annotations

import os

_SMALL = 64 * 1024
"""No file that git writes to link folders comes near this size."""


class Project:
    """A project. ``id`` (16 hex digits) is the same for all worktrees; ``root`` is where this one's files are.

    ``name`` is for people, ``git`` the common git folder, empty where there is none.
    """

    __slots__ = ("git", "id", "name", "root")

    def __init__(self, root: str, id: str, name: str, git: str = "") -> None:  # noqa: A002 -- the word of the design
        """Plain values, nothing is looked up; ``find`` is the way to get one from a folder."""
        self.root = root
        self.id = id
        self.name = name
        self.git = git

    def __repr__(self) -> str:
        return f"Project(root={self.root!r}, id={self.id!r}, name={self.name!r}, git={self.git!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Project):
            return NotImplemented
        return (self.root, self.id, self.name, self.git) == (other.root, other.id, other.name, other.git)

    def __hash__(self) -> int:
        return hash((self.root, self.id))


def find(named: str = "", folder: str = "", alias: str = "", home: str | None = None) -> Project:
    """The project of a session.

    ``named`` is the folder that the host calls the project; without it the nearest ancestor of ``folder`` (default:
    the working directory) that holds ``.git`` or ``.claude`` counts, else ``folder`` itself. ``alias`` (from the
    user's config) makes several clones one project. The user's own ``~/.claude`` marks no project; ``home`` is for
    tests. A folder that does not exist is taken by its name: nothing here raises.
    """
    start = _real(named or folder or os.getcwd())
    root = start if named else _nearest(start, _real(home if home is not None else os.path.expanduser("~")))
    top = _holder_of_git(root)
    git = _git_folder(top) if top else ""
    # The common git folder is the one thing that worktrees share and clones do not.
    identity = f"name:{alias}" if alias else (git or root)
    base = os.path.dirname(git) if os.path.basename(git) == ".git" else root
    return Project(root, digest(identity), alias or os.path.basename(base) or root, git)


def folders(root: str) -> list[str]:
    """Where a repository may say something about the project whose folder is ``root``, the nearest first.

    From ``root``, which may be a folder inside it or one of its worktrees, upwards to the top of the work tree; then
    the main checkout. Without a repository ``root`` alone.
    """
    project = find(named=root)
    found = [project.root]
    while not os.path.lexists(os.path.join(found[-1], ".git")):
        above = os.path.dirname(found[-1])
        if above == found[-1]:
            del found[1:]  # no repository at all
            break
        found.append(above)
    main = os.path.dirname(project.git)
    return [*found, main] if os.path.basename(project.git) == ".git" and main not in found else found


def digest(text: str) -> str:
    """16 hex digits that stand for ``text``, safe as a file name."""
    try:
        # The module behind hashlib: importing hashlib itself loads OpenSSL, which costs a third of an interpreter.
        from _blake2 import blake2b
    except ImportError:  # pragma: no cover -- an interpreter other than CPython
        from hashlib import blake2b
    # Not os.fsencode: a session id from somebody else's JSON may hold what no path can.
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _real(path: str) -> str:
    return os.path.realpath(os.path.abspath(path.replace("\0", "")))


def _nearest(folder: str, home: str) -> str:
    here = folder
    while True:
        if os.path.lexists(os.path.join(here, ".git")):
            return here
        if here != home and os.path.isdir(os.path.join(here, ".claude")):
            return here
        above = os.path.dirname(here)
        if above == here:
            return folder
        here = above


def _holder_of_git(folder: str) -> str:
    here = folder
    while not os.path.lexists(os.path.join(here, ".git")):
        above = os.path.dirname(here)
        if above == here:
            return ""
        here = above
    return here


def _git_folder(top: str) -> str:
    """The common git folder of the work tree at ``top``; empty if its ``.git`` names one that does not name it."""
    git = git_folder(top)
    common = _line(os.path.join(git, "commondir")) if git and os.path.isfile(os.path.join(top, ".git")) else ""
    return _real(os.path.join(git, common)) if common else git


def git_folder(top: str) -> str:
    """The git folder of the work tree at ``top``, its own where that is a worktree; empty as for the common one."""
    link = os.path.join(top, ".git")
    if os.path.islink(link):
        return ""  # git makes no such link, and an archive could point it at another checkout
    if os.path.isdir(link):
        return _real(link)
    named = _line(link)
    git = _real(os.path.join(top, named[7:].strip()))
    if not named.startswith("gitdir:") or not os.path.isdir(git):
        return ""
    common = _line(os.path.join(git, "commondir"))
    if not common:
        worktree = core_worktree(_line(os.path.join(git, "config")))
        return git if worktree and _real(os.path.join(git, worktree)) == top else ""
    back = _line(os.path.join(git, "gitdir"))
    held = os.path.join(_real(os.path.join(git, common)), "worktrees")
    return git if back and _real(os.path.join(git, back)) == link and os.path.dirname(git) == held else ""


def core_worktree(config: str) -> str:
    """What the text of a repository's config says for ``core.worktree``, the last word; empty where it says nothing.

    Its syntax, as far as git writes it (git-config(1), "Syntax"): quotes around a value, and escapes in it.
    """
    section = found = ""
    for line in map(str.strip, config.splitlines()):
        if line.startswith("["):
            section = line.partition("]")[0][1:].strip().lower()
            continue
        key, equals, value = line.partition("=")
        if section == "core" and equals and key.strip().lower() == "worktree":
            found = _unquoted(value.strip())
    return found


def _unquoted(value: str) -> str:
    text, quoted, escaped = "", False, False
    for sign in value:
        if escaped or sign not in '\\"':
            if sign in "#;" and not (quoted or escaped):
                return text.rstrip()
            text, escaped = text + sign, False
        elif sign == "\\":
            escaped = True
        else:
            quoted = not quoted
    return text


def _line(path: str) -> str:
    """The content of a small regular file, stripped; empty where there is none. Never waits on a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return ""
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            return ""
        return os.fsdecode(os.read(descriptor, _SMALL)).strip()
    except OSError:
        return ""
    finally:
        os.close(descriptor)
