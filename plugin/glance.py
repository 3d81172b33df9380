"""The first look at a hook: whether there is anything to say to its host, and anything to do behind its back.

Nearly always nothing waits, and a few stats show it. This module answers for that case, for a project whose folder is
reached without a link and for Linux, with the system calls alone; for all others it says ``UNSURE``, and
plugin/hook.py answers. It repeats in little what store/home.py, store/project.py, plugin/settings.py and
hooks/traces.py know, because importing those costs more than everything that is asked here; tests compare.
"""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

UNSURE, NOTHING, BEHIND = 0, 1, 2
"""The whole handler decides; nothing to say and nothing to do; nothing to say, and work that the host need not wait for."""

EVENTS = {
    "claude-code": {"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"},
    "codex": {"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"},
    "gemini": {"SessionStart": "start", "BeforeAgent": "prompt", "AfterAgent": "idle", "SessionEnd": "end"},
}
"""As in the adapters of these hosts."""
PROJECTS = {"claude-code": b"CLAUDE_PROJECT_DIR", "gemini": b"GEMINI_PROJECT_DIR"}
"""Variables that name the project, or for Gemini CLI the folder from which it is looked for; else ``cwd`` does."""
SOURCES = ("startup", "clear", "resume", "", None)
"""Of a start that may be told something (hooks/start.py). A fork or a compaction is told nothing."""
SHORTEST, USUAL, LONGEST = 10_000, 60_000, 1 << 62
"""Milliseconds between two checkpoints of a session: the least that the setting ``idle_seconds`` allows, and its default."""
_FOLDER, _LINK, _KIND = 0o040000, 0o120000, 0o170000


class _UnsureError(Exception):
    """Something is not as it nearly always is."""


def glance(host: str, payload: Any, environment: Mapping[bytes, bytes], now: int) -> int:
    """UNSURE, NOTHING or BEHIND, for one payload of a host; ``now`` is UTC milliseconds.

    At the end of a session it leaves the trace by which a session that begins right now knows to wait. Never raises.
    """
    try:
        return _glance(host, payload, environment, now)
    except (_UnsureError, OSError, LookupError, TypeError, ValueError):
        return UNSURE


def _glance(host: str, payload: Any, environment: Mapping[bytes, bytes], now: int) -> int:
    moment = EVENTS[host][payload["hook_event_name"]]
    session, log = payload["session_id"], payload.get("transcript_path")
    if not session or not isinstance(session, str) or payload.get("agent_id") or not isinstance(log, str | None):
        return UNSURE
    if sys.platform != "linux" or sys.getfilesystemencoding() != "utf-8":
        return UNSURE
    home = _state_folder(environment)
    root, top = _project(host, payload, environment)
    mark = digest(session)
    if moment == "prompt":
        return UNSURE if _there(f"{home}/held/{mark}") else NOTHING
    if _there(f"{home}/paused"):
        return UNSURE
    if moment == "start":
        project = digest(top or root)
        if host == "gemini" and _there(f"{home}/held/{mark}"):
            return UNSURE
        if host == "claude-code" and _word_for_the_user(home, project, environment):
            return UNSURE
        over = payload.get("source") not in SOURCES or _nothing_waits(home, project, mark)
        return BEHIND if over else UNSURE
    age = _age(f"{home}/checked/{mark}", now) if moment == "idle" else LONGEST
    if age < SHORTEST:
        return NOTHING
    if _settings(root, top, environment):
        return UNSURE
    if moment == "end":
        _announce(home, digest(top or root), mark)
    return NOTHING if age < USUAL else BEHIND


def digest(text: str) -> str:
    """As in store/project.py."""
    from _blake2 import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _nothing_waits(home: str, project: str, mark: str) -> bool:
    """Whether a start has nothing to be told, to wait for, or to offer again."""
    return not (
        _there(f"{home}/ready/{project}")
        or _there(f"{home}/offered/{mark}")
        or _filled(f"{home}/unanswered/{project}")
        or _filled(f"{home}/ending/{project}")
    )


def _word_for_the_user(home: str, project: str, environment: Mapping[bytes, bytes]) -> bool:
    """Whether there may be a line for the user alone, and a user to read it: plugin/asides.py."""
    if environment.get(b"CLAUDE_CODE_ENTRYPOINT", b"").startswith(b"sdk"):
        return False
    data = environment.get(b"CLAUDE_PLUGIN_DATA", b"").decode()
    first = bool(data) and not (_there(f"{data}/venv") or _there(f"{data}/environment"))
    return first or _filled(f"{home}/receipts/{project}")


def _age(path: str, now: int) -> int:
    """How long ago the session's log was looked at, in milliseconds; long where it never was."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except FileNotFoundError:
        return LONGEST
    last = posix.read(descriptor, 64).decode()
    posix.close(descriptor)
    return now - int(last) if last.isdecimal() and now >= int(last) else LONGEST


def _announce(home: str, project: str, mark: str) -> None:
    """As hooks/traces.py, in a state folder that is this user's alone."""
    found = posix.stat(home)
    if found.st_uid != posix.geteuid() or found.st_mode & (_KIND | 0o077) != _FOLDER:
        raise _UnsureError
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW | posix.O_CLOEXEC
    posix.close(posix.open(f"{home}/ending/{project}/{mark}", flags, 0o600))


def _state_folder(environment: Mapping[bytes, bytes]) -> str:
    """As store/home.py, for Linux."""
    if named := environment.get(b"MIND_SKILLS_HOME", b"").decode():
        return _plain(named)
    state = environment.get(b"XDG_STATE_HOME", b"").decode()
    return (state if state[:1] == "/" else _plain(environment[b"HOME"].decode()) + "/.local/state") + "/mind-skills"


def _settings(root: str, top: str, environment: Mapping[bytes, bytes]) -> bool:
    """Whether any settings file is there, as plugin/settings.py lists them."""
    folder, last = root, top[: -len("/.git")] if top else root
    while True:
        if _there(f"{folder}/.claude/mind-skills.toml"):
            return True
        if folder == last:
            break
        folder = folder.rpartition("/")[0]
    if named := environment.get(b"MIND_SKILLS_CONFIG"):
        return _there(named.decode())
    base = environment.get(b"XDG_CONFIG_HOME", b"").decode() or environment[b"HOME"].decode() + "/.config"
    return _there(f"{base}/mind-skills/mind-skills.toml")


def _project(host: str, payload: Any, environment: Mapping[bytes, bytes]) -> tuple[str, str]:
    """The project's folder, and the ``.git`` folder in it or above it, empty where there is none: store/project.py."""
    named = environment.get(PROJECTS.get(host, b""), b"").decode() or payload["cwd"]
    start = _plain(named)
    prefix = ""
    for part in start.split("/")[1:]:
        prefix += "/" + part
        if posix.lstat(prefix).st_mode & _KIND != _FOLDER:
            raise _UnsureError
    home = None if host == "claude-code" else posix.stat(environment[b"HOME"])
    root = start if home is None else ""
    here = start
    while here:
        git = _state(here + "/.git")
        if git is not None:
            if git.st_mode & _KIND != _FOLDER:
                raise _UnsureError  # a worktree, a submodule
            return root or here, here + "/.git"
        if not root and home is not None and _marked(here, home):
            root = here
        here = here.rpartition("/")[0]
    if _there("/.git") or (not root and _there("/.claude")):
        raise _UnsureError
    return root or start, ""


def _marked(folder: str, home: posix.stat_result) -> bool:
    """Whether a ``.claude`` makes this folder a project; the one in the user's home does not."""
    found = _state(folder + "/.claude")
    if found is None:
        return False
    here = posix.stat(folder)
    if found.st_mode & _KIND == _LINK:
        raise _UnsureError
    return found.st_mode & _KIND == _FOLDER and (here.st_dev, here.st_ino) != (home.st_dev, home.st_ino)


def _plain(path: str) -> str:
    """An absolute path that needs no tidying."""
    if path[:1] != "/" or path == "/" or "\0" in path:
        raise _UnsureError
    if any(part in ("", ".", "..") for part in path.split("/")[1:]):
        raise _UnsureError
    return path


def _there(path: str) -> bool:
    """Whether anything has this name."""
    return _state(path) is not None


def _state(path: str) -> posix.stat_result | None:
    try:
        return posix.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _filled(folder: str) -> bool:
    """Whether there is anything in a folder, if there is one."""
    try:
        return bool(posix.listdir(folder))
    except FileNotFoundError:
        return False
