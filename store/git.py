"""Keep our files out of the user's commits: ask git, and add to the private ignore list, ``info/exclude``. Git runs
without variables that select a repository, and so that an untrusted one can neither start programs nor use the
network.
"""

from __future__ import annotations

import os
import stat
from typing import Literal, NamedTuple

from mind_skills.errors import StoreError, UnwritablePathError
from mind_skills.store.atomic import Folder
from mind_skills.store.home import list_ancestors
from mind_skills.store.project import find_git_folder

PENDING_FILE_PATTERN = "**/.claude/mind-skills-pending.json*"
"""Matches the pending file, at any depth, with its temporary files and those set aside."""
LOCK_TIMEOUT_SECONDS = 10.0
"""Maximum time to wait for other processes that change the private ignore list, in seconds."""
_MAX_LIST_BYTES = 4 * 1024 * 1024

TIMEOUT_SECONDS = 5.0
"""Timeout of one git command in seconds; a repository of 100,000 files takes about 50 ms."""
_SUFFIXES = ("", ".corrupt-1", f".{'0' * 12}.tmp")
"""Suffixes of the file itself, of a file that was set aside, and of a temporary file."""
_REPOSITORY_VARIABLES = frozenset(
    """GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CEILING_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_CONFIG_COUNT
    GIT_CONFIG_PARAMETERS GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE GIT_INDEX_FILE GIT_NAMESPACE
    GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE""".split()
)
"""Output of ``git rev-parse --local-env-vars``, plus GIT_NAMESPACE and the limit of the search for a repository."""
_ENVIRONMENT = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
_VERDICT_VERSION = "2"
"""Change this to replace the stored verdicts. Those without a version repeat patterns that a repository chose."""
_NO_REPOSITORY = b"not a git repository"
"""Part of a git message (setup.c), which is not translated under ``LC_ALL=C``."""


class Verdict(NamedTuple):
    """Whether a file may be written: ``kind`` is the reason if not, ``detail`` for people, ``stamp``
    (``compute_stamp``) when git was asked. ``named_by_log``: no host reported the folder, and it is no project.
    """

    kind: Literal["", "tracked", "not_ignored", "unknown", "named_by_log"] = ""
    detail: str = ""
    stamp: str = ""


def check_ignored(root: str, path: str, git: str) -> Verdict:
    """Return git's verdict on the file at ``path`` in ``root``; if it is not ignored, our pattern is added to the git
    folder ``git``, and git is asked again.
    """
    stamp = compute_stamp(root, path, git)
    if not _list_work_trees(root, path):
        return Verdict(stamp=stamp)
    try:
        answer = _ask_git(root, path)
        if answer.kind == "not_ignored" and git:
            try:
                added = add_exclude_pattern(git)
            except StoreError as error:
                # Without a stamp, so that git is asked again: the error may be temporary.
                return answer._replace(detail=f"{answer.detail}, and {error}")
            current = compute_stamp(root, path, git)
            if added or current != stamp:  # changed by us, or by another process since git was asked
                stamp = current
                answer = _ask_git(root, path)
    except OSError as error:
        return Verdict("unknown", f"git cannot be run: {error.strerror or error}")
    return answer if answer.kind == "unknown" else answer._replace(stamp=stamp)


def is_tracked(path: str) -> bool:
    """Return whether git tracks a file, which may then come from the repository; True if git cannot be asked."""
    try:
        for top in _list_work_trees(os.path.dirname(path), os.path.basename(path)):
            name = os.path.relpath(path, top).replace(os.sep, "/")
            code, out, stderr = _run_git(top, "--literal-pathspecs", "ls-files", "-z", "--", name)
            if not (code and _NO_REPOSITORY in stderr):
                return bool(code or out)
    except OSError:
        return True
    return False


def find_remote(root: str) -> str:
    """Return the address of the remote ``origin`` of the innermost real work tree around ``root``, or ""."""
    try:
        for top in _list_work_trees(root, ""):
            code, _, stderr = _run_git(top, "rev-parse")
            if not (code and _NO_REPOSITORY in stderr):
                out = _run_git(top, "config", "--get", "remote.origin.url")[1]
                return out.decode("utf-8", "replace").strip()
    except OSError:
        return ""
    return ""


def list_untracked_files(git: str, pattern: str) -> list[str]:
    """List the untracked files that match ``pattern`` in all work trees of the common git folder ``git``, ignored or not."""
    links = [git] if os.path.basename(git) == ".git" else []
    worktrees = os.path.join(git, "worktrees")
    for name in sorted(os.listdir(worktrees)) if os.path.isdir(worktrees) else []:
        try:
            with open(os.path.join(worktrees, name, "gitdir"), "rb") as file:
                links.append(os.fsdecode(file.read().strip()))
        except OSError:
            continue  # such as a stray file, or a work tree that is half removed
    paths: list[str] = []
    for top in filter(os.path.isdir, map(os.path.dirname, links)):
        try:
            code, out, _ = _run_git(top, "ls-files", "-z", "--others", "--ignored", f"--exclude={pattern}")
        except OSError:
            continue  # the caller knows the recorded projects without git
        paths += [os.path.join(top, os.fsdecode(name)) for name in out.split(b"\0") if name and not code]
    return paths


def compute_stamp(root: str, path: str, git: str) -> str:
    """Return a string that changes whenever our verdict may change; a list named by ``core.excludesFile`` only at git's
    default path.
    """
    work_trees = _list_work_trees(root, path)
    folder, work_tree_paths = os.path.dirname(os.path.join(root, path)), list[str]()
    while work_trees and folder != os.path.dirname(work_trees[-1]):
        work_tree_paths.append(os.path.join(folder, ".gitignore"))
        folder = os.path.dirname(folder)
    for top in work_trees:
        git_dir = find_git_folder(top) or os.path.join(top, ".git")
        work_tree_paths.append(os.path.join(top, ".git"))
        work_tree_paths += [
            os.path.join(git_dir, name) for name in ("HEAD", "index", "config", "config.worktree", "info/exclude")
        ]
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    paths = [
        *work_tree_paths,
        *(os.path.join(git, name) for name in ("config", "info/exclude") if git),
        os.path.expanduser("~/.gitconfig"),
        *(os.path.join(settings, "git", name) for name in ("config", "ignore")),
    ]
    return " ".join((_VERDICT_VERSION, *map(_describe_state, paths)))


def _describe_state(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return "-"
    size = status.st_size if stat.S_ISREG(status.st_mode) else ""
    return f"{status.st_ino}:{status.st_mtime_ns if size != '' else ''}:{size}"


def _list_work_trees(root: str, path: str) -> list[str]:
    """List the folders with a ``.git`` entry, from the file's folder upwards; each may be the top of a work tree."""
    folders = list_ancestors(os.path.dirname(os.path.join(root, path)))
    return [folder for folder in folders if os.path.lexists(os.path.join(folder, ".git"))]


def _ask_git(root: str, path: str) -> Verdict:
    """Return the verdict of the innermost real work tree. A ``.git`` that is no repository does not hide the one around it."""
    for top in _list_work_trees(root, path):
        name = os.path.relpath(os.path.join(root, path), top).replace(os.sep, "/")
        answer = _ask_work_tree(top, name)
        if answer is not None:
            return answer
    return Verdict()


def _ask_work_tree(top: str, name: str) -> Verdict | None:
    """Return git's verdict at ``top`` on the file ``name`` in it; None if ``top`` is not a repository."""
    names = b"\0".join(os.fsencode(name + suffix) for suffix in _SUFFIXES)
    code, out, stderr = _run_git(top, "check-ignore", "-v", "-n", "-z", "--stdin", stdin=names)
    if code not in (0, 1):
        return None if _NO_REPOSITORY in stderr else Verdict("unknown", f"git says: {_get_first_line(stderr)}")
    fields = out.split(b"\0")
    rows = [fields[start : start + 4] for start in range(0, len(fields) - 3, 4)]
    not_ignored = [row for row in rows if not row[2] or row[2].startswith(b"!")]
    if len(rows) == len(_SUFFIXES) and not not_ignored:
        return Verdict()
    code, out, stderr = _run_git(top, "--literal-pathspecs", "ls-files", "-z", "--", name)
    if code:
        return Verdict("unknown", f"git says: {_get_first_line(stderr)}")
    if out:
        return Verdict("tracked", "git tracks it")
    source, line, pattern, _ = not_ignored[0] if not_ignored else (b"", b"", b"", b"")
    # Whoever wrote the repository chose the pattern and perhaps the name of the list, and agents read this text.
    is_default = os.path.basename(source) in (b".gitignore", b"exclude", b"ignore")
    name = os.fsdecode(source) if is_default else "the list that core.excludesFile names"
    rule = f" because of line {line.decode()} of {name}" if pattern else ""
    return Verdict("not_ignored", f"git does not ignore it{rule}")


def _get_first_line(stderr: bytes) -> str:
    """Return the first line of git's message up to what it quotes, whose end cannot be found: a value may contain quotes."""
    head, quote, _ = stderr.decode("utf-8", "replace").strip().partition("\n")[0].partition("'")
    return (f"{head}'...'" if quote else head)[:200] or "nothing"


def _find_git() -> str:
    """Find git in the absolute entries of PATH; a relative one would be a folder of the repository. Raises OSError."""
    from shutil import which

    absolute = filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))
    found = which("git", path=os.pathsep.join(absolute))
    if found is None:
        raise FileNotFoundError("git is not on the PATH")
    return found


def _run_git(folder: str, *arguments: str, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    """Return exit code, stdout and stderr. Raises OSError if git cannot be run or does not answer."""
    import subprocess  # slow to import, and needed only after a change

    environment = {key: value for key, value in os.environ.items() if key not in _REPOSITORY_VARIABLES} | _ENVIRONMENT
    # Find only this folder's own repository: neither one around it, nor the folder itself as a bare repository.
    environment["GIT_CEILING_DIRECTORIES"] = os.path.dirname(folder)
    options = ("-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit", "-C", folder)
    try:
        completed = subprocess.run(
            [_find_git(), *options, *arguments],
            input=stdin,
            capture_output=True,
            env=environment,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"no answer within {TIMEOUT_SECONDS:g} seconds") from error
    return completed.returncode, completed.stdout, completed.stderr


def add_exclude_pattern(git: str, pattern: str = PENDING_FILE_PATTERN) -> bool:
    """Add ``pattern`` to ``info/exclude``; return whether it was missing. Raises RefusedPathError, UnwritablePathError."""
    with Folder(os.path.join(git, "info"), make=True) as folder:
        folder.lock(LOCK_TIMEOUT_SECONDS)
        before = _read_list(folder)
        if _contains(pattern, before):
            return False
        separator = b"" if not before or before.endswith(b"\n") else b"\n"
        folder.remove_temporary_files("exclude")
        folder.write("exclude", before + separator + pattern.encode() + b"\n", _get_mode(folder))
    return True


def has_exclude_pattern(git: str, pattern: str = PENDING_FILE_PATTERN) -> bool:
    """Return whether ``pattern`` is in the list. Raises as ``add_exclude_pattern`` does."""
    if not os.path.isdir(os.path.join(git, "info")):
        return False
    with Folder(os.path.join(git, "info")) as folder:
        return _contains(pattern, _read_list(folder))


def remove_exclude_pattern(git: str, pattern: str = PENDING_FILE_PATTERN) -> bool:
    """Remove ``pattern`` when uninstalling; return whether it was in the list. Raises as ``add_exclude_pattern`` does."""
    if not os.path.isdir(os.path.join(git, "info")):
        return False
    with Folder(os.path.join(git, "info")) as folder:
        folder.lock(LOCK_TIMEOUT_SECONDS)
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
    content = folder.read("exclude", _MAX_LIST_BYTES) or b""
    if len(content) > _MAX_LIST_BYTES:
        message = f"{os.path.join(folder.path, 'exclude')} is larger than {_MAX_LIST_BYTES} bytes"
        raise UnwritablePathError(message, "Remove entries that are no longer needed.")
    return content


def _get_mode(folder: Folder) -> int:
    status = folder.stat_entry("exclude")
    return stat.S_IMODE(status.st_mode) if status is not None else 0o644
