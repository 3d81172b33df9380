"""Where the private environment of the Claude Code plugin is, and how far it has got.

In the folder that the client gives the plugin for its data (``CLAUDE_PLUGIN_DATA``, in its own settings folder
``plugins/data/<plugin>-<marketplace>``) stand

* ``venv``: the environment, complete whenever it has this name. ``venv/mind-skills-lock`` says what it was built from.
* ``environment``: how the last attempt went, four lines: the state (``building``, ``failed``), what was to be built,
  when (UTC milliseconds), and in words what ``bin/mind-skills`` and `doctor` say of it.
* ``environment.lock``: held by the process that builds.
"""

from __future__ import annotations

import os
from glob import escape, glob

from mind_skills.store.project import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DATA, ROOT, OFF = "CLAUDE_PLUGIN_DATA", "CLAUDE_PLUGIN_ROOT", "MIND_SKILLS_NO_ENVIRONMENT"
"""Variables: what the client sets for hooks of a plugin, and what a user sets who wants no pip behind a start."""
VENV, MARK, NOTE, LOCK = "venv", "mind-skills-lock", "environment", "environment.lock"
NEW, OLD = "venv.new", "venv.old"
"""An environment that is being built, and one that is being replaced; without a process that holds the lock, waste."""
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")
DAY = 24 * 60 * 60_000
"""Milliseconds until what failed is tried again."""


class Note:
    """How the last attempt went; ``state`` is empty where there was none."""

    __slots__ = ("at", "state", "text", "wanted")

    def __init__(self, state: str = "", wanted: str = "", at: int = 0, text: str = "") -> None:
        self.state = state
        self.wanted = wanted
        self.at = at
        self.text = text

    def __repr__(self) -> str:
        return f"Note({self.state!r}, {self.wanted!r}, {self.at!r}, {self.text!r})"


def own_data(environ: Mapping[str, str]) -> str:
    """The plugin's data folder; empty where this is no hook of our own plugin, or its user wants no environment."""
    data, root = environ.get(DATA, ""), environ.get(ROOT, "")
    if environ.get(OFF) or not os.path.isabs(data) or not root or os.name != "posix":
        return ""
    return data if os.path.realpath(root) == os.path.realpath(PACKAGE) else ""


def wanted() -> str:
    """What an environment has to be built from, in 16 hex digits: the locked requirements. Raises OSError."""
    with open(REQUIREMENTS, encoding="utf-8") as file:
        return digest(file.read())


def python(data: str) -> str:
    """The interpreter of the environment, whether or not there is one."""
    return os.path.join(data, VENV, "bin", "python")


def ready(data: str) -> bool:
    """Whether the environment is complete, of this version, and its interpreter still on this machine."""
    return _first(os.path.join(data, VENV, MARK)) == wanted() and os.access(python(data), os.X_OK)


def due(data: str, now: int) -> bool:
    """Whether to build it: it is not ready, and the same was not tried in vain within a day. ``now`` is UTC ms."""
    if ready(data):
        return False
    last = note(data)
    return last.state != "failed" or last.wanted != wanted() or not 0 <= now - last.at < DAY


def note(data: str) -> Note:
    """How the last attempt went."""
    try:
        with open(os.path.join(data, NOTE), encoding="utf-8", errors="replace") as file:
            lines = file.read(4096).splitlines()
    except FileNotFoundError:
        return Note()
    if len(lines) < 4 or not lines[2].isdecimal():
        return Note()
    return Note(lines[0], lines[1], int(lines[2]), lines[3])


def put_note(data: str, what: Note | None) -> None:
    """Say how it goes; None: nothing is to be said any more. Raises OSError."""
    path = os.path.join(data, NOTE)
    if what is None:
        if os.path.lexists(path):
            os.unlink(path)
        return
    text = "\n".join((what.state, what.wanted, str(what.at), " ".join(what.text.split())[:1000], ""))
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(f"{path}.new", path)


def folders(settings: str) -> list[str]:
    """The data folders of our plugin below Claude Code's folder of settings, one a marketplace that it came from."""
    return sorted(
        path for path in glob(os.path.join(escape(settings), "plugins", "data", "mind-skills-*")) if _is_ours(path)
    )


def parts(data: str) -> list[str]:
    """What of a data folder is the environment's, for its removal."""
    names = (VENV, NOTE, f"{NOTE}.new", LOCK)
    found = [os.path.join(data, name) for name in names]
    found += [path for name in (NEW, OLD) for path in glob(os.path.join(escape(data), f"{name}-*"))]
    return [path for path in found if os.path.lexists(path)]


def _is_ours(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _first(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(100).strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
