"""The command that a host starts at each moment: an absolute interpreter, our entry script, and nothing to look up.

It stays the same over upgrades: the interpreter is the one of the environment that mind-skills is installed in, by
the name that this environment gives it, and the script stands where the package stands.
"""

from __future__ import annotations

import os
import re
import site
import sys

from mind_skills.errors import HomeError, MindSkillsError
from mind_skills.store.home import MIND_SKILLS_CONFIG, VARIABLE, misplaced, settings_file, state_folder

_PLAIN = re.compile(r"""[^"$`\\!\n]+""")
_PASSING = re.compile(r"[\\/](?:archive-v\d+|builds-v\d+|environments-v\d+)[\\/]")
"""Folders of uv's cache that hold the environments of `uvx` and `uv run --with`; they may be gone tomorrow."""


def interpreter() -> str:
    """The Python that runs this, as an absolute path of a real program.

    Raises MindSkillsError where there is none: a shim, which is a script of a version manager, costs ten times a
    plain start, and picks another Python in another folder.
    """
    # An environment has several names for its Python, and which of them started this is chance.
    usual = os.path.join(os.path.dirname(sys.executable), "python") if sys.prefix != sys.base_prefix else ""
    base = getattr(sys, "_base_executable", "")
    for path in dict.fromkeys((usual, sys.executable, base, os.path.realpath(sys.executable or "python"))):
        if path and os.path.isabs(path) and problem(path) == "":
            return path
    raise MindSkillsError(
        "no_interpreter",
        f"no Python program to start the hooks with: {sys.executable or 'unknown'} is none",
        "Install mind-skills with pip, pipx or uv into an environment of its own, and run it from there.",
    )


def problem(path: str) -> str:
    """What is wrong with ``path`` as the program that hosts start; empty where nothing is."""
    if not os.path.isfile(path):
        return "is not there"
    if not os.access(path, os.X_OK):
        return "cannot be run"
    with open(path, "rb") as file:
        return "is a script, not a program" if file.read(2) == b"#!" else ""


def entry() -> str:
    """The script that hosts start.

    Raises MindSkillsError where it lies in an environment that uv throws away.
    """
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entry.py")
    if _PASSING.search(path):
        raise MindSkillsError(
            "passing_environment",
            "mind-skills runs from an environment that uv removes again, and the hooks with it",
            "Run `uv tool install mind-skills` first, and then `mind-skills install`.",
        )
    return path


def places() -> list[str]:
    """Where state and settings are now, in the words that a hook takes them from (hooks/hotpath.py): its environment may be a
    repository's. Raises HomeError where they cannot be there.
    """
    users = settings_file()
    if why := misplaced(users):
        raise HomeError(f"the settings file {users} cannot be used: {why}", "Name a file outside of every repository.")
    return [f"{VARIABLE}={state_folder()}", f"{MIND_SKILLS_CONFIG}={users}"]


def alone() -> list[str]:
    """The options under which Python takes nothing from the folder it is started in, nor from its environment.

    Packages in the user's own folder, where this one may be installed, are found by the home alone.
    """
    return ["-E", "-P"] if site.ENABLE_USER_SITE else ["-I"]


def line(python: str, script: str, host: str, moment: str) -> str:
    """The command as one string for a shell. Raises HomeError.

    Without the last two words a hook whose Python has been removed would fail, and one whose script has been removed
    would end with Python's exit code 2, by which several hosts understand that the agent must not stop.
    """
    kept = " ".join(map(quoted, places()))
    return f"{quoted(python)} -I -S {quoted(script)} {host} {moment} {kept} || true"


def words(command: str) -> tuple[str, str]:
    """Interpreter and script of a command that ``line`` made; empty strings where it is another one."""
    import shlex

    try:
        parts = shlex.split(command)
    except ValueError:
        return "", ""
    return (parts[0], parts[3]) if len(parts) > 4 and parts[1:3] == ["-I", "-S"] else ("", "")


def quoted(path: str) -> str:
    """One word for a shell."""
    if _PLAIN.fullmatch(path):
        return f'"{path}"'
    import shlex

    return shlex.quote(path)
