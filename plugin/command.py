"""The command that hosts run for each hook: absolute paths of an interpreter and of our entry script.

It stays the same across upgrades: the interpreter is referred to by its name in the environment in which mind-skills is
installed, and the script is in the package.
"""

from __future__ import annotations

import os
import re
import site
import sys

from mind_skills.errors import HomeError, MindSkillsError
from mind_skills.store.home import (
    HOME_VARIABLE,
    SETTINGS_VARIABLE,
    explain_misplaced_settings,
    get_settings_path,
    get_state_folder,
)

_NEEDS_NO_ESCAPE = re.compile(r"""[^"$`\\!\n]+""")
_TEMPORARY_ENVIRONMENT = re.compile(r"[\\/](?:archive-v\d+|builds-v\d+|environments-v\d+)[\\/]")
"""Folders of uv's cache for the environments of `uvx` and `uv run --with`, which uv deletes at some point."""


def find_interpreter() -> str:
    """Return the absolute path of the running Python.

    Raises MindSkillsError if none of its paths is a binary: a version manager's shim, which is a script, takes ten
    times as long to start, and which Python it selects depends on the working directory.
    """
    # Python has several names in an environment; always use the same one.
    environment_python = (
        os.path.join(os.path.dirname(sys.executable), "python") if sys.prefix != sys.base_prefix else ""
    )
    base = getattr(sys, "_base_executable", "")
    for path in dict.fromkeys((environment_python, sys.executable, base, os.path.realpath(sys.executable or "python"))):
        if path and os.path.isabs(path) and find_problem(path) == "":
            return require_utf8(path)
    raise MindSkillsError(
        "no_interpreter",
        f"no Python binary was found to run hooks with: {sys.executable or 'unknown'} is not one",
        "Install mind-skills with pip, pipx or uv into its own environment, and run it from there.",
    )


def find_problem(path: str) -> str:
    """Return why ``path`` is not a program that hosts can run directly; empty if it is."""
    if not os.path.isfile(path):
        return "does not exist"
    if not os.access(path, os.X_OK):
        return "is not executable"
    with open(path, "rb") as file:
        return "is a script, not a program" if file.read(2) == b"#!" else ""


def find_entry_script() -> str:
    """Return the path of the script that hosts run.

    Raises MindSkillsError if the script is in a temporary environment of uv.
    """
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "entry.py")
    if _TEMPORARY_ENVIRONMENT.search(path):
        raise MindSkillsError(
            "passing_environment",
            "mind-skills runs from a temporary environment of uv, and hooks would stop working when uv deletes it",
            "Run `uv tool install .` in your checkout, then `mind-skills install`.",
        )
    return require_utf8(path)


def require_utf8(path: str) -> str:
    """Return ``path``, which is to be written into a file. Raises MindSkillsError if it is not valid UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError as error:
        name = os.fsencode(path).decode("utf-8", "replace")
        hint = "Rename it, or set a locale with UTF-8, such as LC_ALL=C.UTF-8."
        raise MindSkillsError("odd_path", f"the path {name} is not valid UTF-8 in this locale", hint) from error
    return path


def list_location_arguments() -> list[str]:
    """Return arguments that locate the state folder and the user's settings file, for hooks/hotpath.py.

    A hook does not take the locations from its environment, which a repository may control. Raises HomeError if the
    locations are unusable, MindSkillsError if they are not valid UTF-8.
    """
    settings = get_settings_path()
    if reason := explain_misplaced_settings(settings):
        raise HomeError(
            f"the settings file {settings} cannot be used: {reason}",
            f"Set {SETTINGS_VARIABLE} to the absolute path of a file outside every repository.",
        )
    return [
        f"{HOME_VARIABLE}={require_utf8(get_state_folder())}",
        f"{SETTINGS_VARIABLE}={require_utf8(settings)}",
    ]


def list_isolation_options() -> list[str]:
    """Return the options with which Python ignores PYTHON* variables and imports nothing from its working directory.

    The user's site-packages folder, which may contain this package, remains importable if it is enabled: its location
    depends only on the home folder.
    """
    return ["-E", "-P"] if site.ENABLE_USER_SITE else ["-I"]


def make_shell_command(python: str, script: str, host: str, moment: str) -> str:
    """Return the command as a string for a shell. Raises HomeError.

    ``|| true`` makes the hook succeed even if its Python or its script is gone. Without the script, Python exits with
    code 2, which makes several hosts keep the agent from stopping.
    """
    locations = " ".join(map(quote_word, list_location_arguments()))
    return f"{quote_word(python)} -I -S {quote_word(script)} {host} {moment} {locations} || true"


def parse_command(command: str) -> tuple[str, str]:
    """Return the interpreter and the script of a command by ``make_shell_command``; empty strings for any other."""
    import shlex

    try:
        parts = shlex.split(command)
    except ValueError:
        return "", ""
    return (parts[0], parts[3]) if len(parts) > 4 and parts[1:3] == ["-I", "-S"] else ("", "")


def parse_state_folder(command: str) -> str:
    """Return the state folder that a command of ours names; empty if it names none."""
    import shlex

    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    prefix = f"{HOME_VARIABLE}="
    return next((word.removeprefix(prefix) for word in words if word.startswith(prefix)), "")


def quote_word(path: str) -> str:
    """Quote a path as one word for a shell."""
    if _NEEDS_NO_ESCAPE.fullmatch(path):
        return f'"{path}"'
    import shlex

    return shlex.quote(path)
