"""What git says of a file of ours: whether it would commit it.

Only git knows: what is tracked, and what of the lists in the repository, beside it and in the user's settings wins
(gitignore(5)). It is run with nothing of the environment that names a repository, and so that a repository from anybody has
it start no program (``core.fsmonitor``, a ``git`` in a relative entry of PATH) and fetch nothing (a partial clone lacks
files that git asks for by itself).
"""

from __future__ import annotations

import os
import stat
from typing import Literal, NamedTuple

from mind_skills.errors import StoreError
from mind_skills.store import exclude
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
    if not _holders(root, path):
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
            now = stamp(root, path, git)
            if added or now != seen:  # by us, or by another process since git was asked
                seen = now
                answer = _ask(root, path)
    except OSError as error:
        return Verdict("unknown", f"git cannot be asked: {error.strerror or error}")
    return answer if answer.kind == "unknown" else answer._replace(seen=seen)


def tracked(path: str) -> bool:
    """Whether git tracks a file, which may then have come with the repository; so too where it cannot be asked."""
    try:
        for top in _holders(os.path.dirname(path), os.path.basename(path)):
            name = os.path.relpath(path, top).replace(os.sep, "/")
            code, out, stderr = _run(top, "--literal-pathspecs", "ls-files", "-z", "--", name)
            if not (code and _OUTSIDE in stderr):
                return bool(code or out)
    except OSError:
        return True
    return False


def stamp(root: str, path: str, git: str) -> str:
    """What changes when git's answer may: by the index, the lists of what is ignored, and git's settings.

    A list that ``core.excludesFile`` names elsewhere is not looked at.
    """
    holders = _holders(root, path)
    here, lists = os.path.dirname(os.path.join(root, path)), list[str]()
    while holders and here != os.path.dirname(holders[-1]):
        lists.append(os.path.join(here, ".gitignore"))
        here = os.path.dirname(here)
    for top in holders:
        own = git_folder(top) or os.path.join(top, ".git")
        lists.append(os.path.join(top, ".git"))
        lists += [os.path.join(own, name) for name in ("HEAD", "index", "config", "config.worktree", "info/exclude")]
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    looked = [
        *lists,
        *(os.path.join(git, name) for name in ("config", "info/exclude") if git),
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


def _holders(root: str, path: str) -> list[str]:
    """The folders from the one that holds the file upwards that git could take for a work tree's top, by their ``.git``."""
    found: list[str] = []
    here, below = os.path.dirname(os.path.join(root, path)), ""
    while here != below:
        if os.path.lexists(os.path.join(here, ".git")):
            found.append(here)
        here, below = os.path.dirname(here), here
    return found


def _ask(root: str, path: str) -> Verdict:
    """The word of the innermost work tree that is one. What names nothing (``.claude/.git`` out of an archive) is no
    repository to the one around it, which would commit the file; nor is a folder that is merely laid out like one.
    """
    for top in _holders(root, path):
        name = os.path.relpath(os.path.join(root, path), top).replace(os.sep, "/")
        answer = _answer(top, name)
        if answer is not None:
            return answer
    return Verdict()


def _answer(top: str, name: str) -> Verdict | None:
    """What git says at ``top`` of the file ``name`` below it; None where that is no repository."""
    names = b"\0".join(os.fsencode(name + end) for end in _SIBLINGS)
    code, out, stderr = _run(top, "check-ignore", "-v", "-n", "-z", "--stdin", given=names)
    if code not in (0, 1):
        return None if _OUTSIDE in stderr else Verdict("unknown", f"git says: {_first(stderr)}")
    fields = out.split(b"\0")
    rows = [fields[at : at + 4] for at in range(0, len(fields) - 3, 4)]
    loose = [row for row in rows if not row[2] or row[2].startswith(b"!")]
    if len(rows) == len(_SIBLINGS) and not loose:
        return Verdict()
    code, out, stderr = _run(top, "--literal-pathspecs", "ls-files", "-z", "--", name)
    if code:
        return Verdict("unknown", f"git says: {_first(stderr)}")
    if out:
        return Verdict("tracked", "git tracks it")
    source, number, pattern, _ = loose[0] if loose else (b"", b"", b"", b"")
    by = f": line {number.decode()} of {os.fsdecode(source)} says {os.fsdecode(pattern)}" if pattern else ""
    return Verdict("not_ignored", f"git does not ignore it{by}")


def _first(stderr: bytes) -> str:
    return stderr.decode("utf-8", "replace").strip().partition("\n")[0][:200] or "nothing"


def _program() -> str:
    """Where git is, by the entries of PATH that are whole: ``.`` would be a folder of the repository's. Raises OSError."""
    from shutil import which

    whole = filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))
    found = which("git", path=os.pathsep.join(whole))
    if found is None:
        raise FileNotFoundError("there is no git in PATH")
    return found


def _run(folder: str, *arguments: str, given: bytes = b"") -> tuple[int, bytes, bytes]:
    """Exit code, stdout and stderr. Raises OSError where it cannot be run, or does not answer."""
    import subprocess  # costs more than all else here, and is needed where a list changed

    environment = {key: value for key, value in os.environ.items() if key not in _LOCATING} | _QUIET
    # Of this folder's own repository or of none: not of one around it, nor of the folder itself, laid out as a bare one.
    environment["GIT_CEILING_DIRECTORIES"] = os.path.dirname(folder)
    line = [_program(), "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit", "-C", folder, *arguments]
    try:
        done = subprocess.run(line, input=given, capture_output=True, env=environment, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"it did not answer within {PATIENCE:g} seconds") from error
    return done.returncode, done.stdout, done.stderr
