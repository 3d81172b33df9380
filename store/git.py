"""What git says of a file of ours: whether it would commit it.

Only git knows: what is tracked, and what of the lists in the repository, beside it and in the user's settings wins
(gitignore(5)). It is run with nothing of the environment that names a repository, and so that a repository from anybody has
it start no program (``core.fsmonitor``) and fetch nothing (a partial clone lacks files that git asks for by itself).
"""

from __future__ import annotations

import os
import stat
from typing import Literal, NamedTuple

from mind_skills.store import exclude
from mind_skills.store.errors import StoreError
from mind_skills.store.project import git_folder

PATIENCE = 5.0
"""Seconds for one answer; a repository of 100,000 files takes some 50 ms."""
_SIBLINGS = ("", ".corrupt-1", f".{'0' * 12}.tmp")
"""The file, and what stands beside it: what is set aside, and for a moment what is about to replace it."""
_LOCATING = frozenset(
    """GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CEILING_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_COUNT
    GIT_CONFIG_PARAMETERS GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NAMESPACE
    GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE""".split()
)
"""``git rev-parse --local-env-vars``, and where a search would end."""
_QUIET = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
_OUTSIDE = b"not a git repository"
"""Of git's message (setup.c), which is not translated under ``LC_ALL=C``."""


class Verdict(NamedTuple):
    """Whether a file may be written: ``kind`` is empty where it may. ``detail`` is a sentence about it, for people.

    ``seen`` is the ``stamp`` of right before git was asked, empty where it has to be asked again.
    """

    kind: Literal["", "tracked", "not_ignored", "unknown"] = ""
    detail: str = ""
    seen: str = ""


def verdict(root: str, path: str, git: str) -> Verdict:
    """Whether git keeps the file at ``path`` (relative to the folder ``root``) out of what it commits.

    Where it does not, and ``git`` is the project's own git folder (store/project.py), our line is put into its private
    list, and git is asked again. Outside of a work tree it may be written.
    """
    seen = stamp(root, path, git)
    if not _marked(root):
        return Verdict(seen=seen)
    try:
        answer = _ask(root, path)
        if answer.kind == "not_ignored" and git:
            try:
                added = exclude.add(git)
            except StoreError as error:
                return answer._replace(
                    detail=f"{answer.detail}, and {error}"
                )  # asked again: it may be so for now alone
            if added:
                seen = stamp(root, path, git)
                answer = _ask(root, path)
    except OSError as error:
        return Verdict("unknown", f"git cannot be asked: {error.strerror or error}")
    return answer if answer.kind == "unknown" else answer._replace(seen=seen)


def stamp(root: str, path: str, git: str) -> str:
    """What changes when git's answer may: by the index, the lists of what is ignored, and git's settings.

    A list that ``core.excludesFile`` names elsewhere is not looked at.
    """
    top, folder = root, os.path.dirname(os.path.join(root, path))
    lists = [os.path.join(folder, ".gitignore")]
    while not os.path.lexists(os.path.join(top, ".git")) and os.path.dirname(top) != top:
        lists.append(os.path.join(top, ".gitignore"))
        top = os.path.dirname(top)
    own = git_folder(top) or os.path.join(top, ".git")
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    looked = [
        *lists,
        os.path.join(top, ".gitignore"),
        os.path.join(folder, ".git"),
        os.path.join(top, ".git"),
        *(os.path.join(own, name) for name in ("HEAD", "index", "config", "config.worktree")),
        os.path.join(git or own, "config"),
        os.path.join(git or own, "info", "exclude"),
        os.path.expanduser("~/.gitconfig"),
        *(os.path.join(settings, "git", name) for name in ("config", "ignore")),
    ]
    return " ".join(map(_state, looked))


def _state(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return "-"
    size = found.st_size if stat.S_ISREG(found.st_mode) else ""
    return f"{found.st_ino}:{found.st_mtime_ns if size != '' else ''}:{size}"


def _marked(folder: str) -> bool:
    """Whether anything above could make git take this for a work tree."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return False
    return True


def _ask(root: str, path: str) -> Verdict:
    inner = os.path.join(root, os.path.dirname(path))
    # From where it stands, since a folder of ours may be a repository of its own.
    base, name = (inner, os.path.basename(path)) if os.path.isdir(inner) else (root, path)
    names = b"\0".join(os.fsencode(name + end) for end in _SIBLINGS)
    code, out, said = _run(base, "check-ignore", "-v", "-n", "-z", "--stdin", given=names)
    if code not in (0, 1):
        return Verdict() if _OUTSIDE in said else Verdict("unknown", f"git says: {_first(said)}")
    fields = out.split(b"\0")
    rows = [fields[at : at + 4] for at in range(0, len(fields) - 3, 4)]
    loose = [row for row in rows if not row[2] or row[2].startswith(b"!")]
    if len(rows) == len(_SIBLINGS) and not loose:
        return Verdict()
    code, out, said = _run(base, "--literal-pathspecs", "ls-files", "-z", "--", name)
    if code:
        return Verdict("unknown", f"git says: {_first(said)}")
    if out:
        return Verdict("tracked", "git tracks it")
    source, number, pattern, _ = loose[0] if loose else (b"", b"", b"", b"")
    by = f": line {number.decode()} of {os.fsdecode(source)} says {os.fsdecode(pattern)}" if pattern else ""
    return Verdict("not_ignored", f"git does not ignore it{by}")


def _first(said: bytes) -> str:
    return said.decode("utf-8", "replace").strip().partition("\n")[0][:200] or "nothing"


def _run(folder: str, *arguments: str, given: bytes = b"") -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr. Raises OSError where it cannot be run, or does not answer."""
    import subprocess  # costs more than all else here, and is needed where a list changed

    environment = {key: value for key, value in os.environ.items() if key not in _LOCATING} | _QUIET
    line = ["git", "-c", "core.fsmonitor=false", "-C", folder, *arguments]
    try:
        done = subprocess.run(line, input=given, capture_output=True, env=environment, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"it did not answer within {PATIENCE:g} seconds") from error
    return done.returncode, done.stdout, done.stderr
