"""The settings files: where they are, what may be read of one, and whether they switch mind-skills off.

A wrong value counts as absent, since a hook must go on; but a file of which it cannot be said whether it switches
mind-skills off counts as one that does: who wrote it did not ask for being watched.

A project's file comes with a repository, from anybody: it is never waited for, never followed, never read without end, and
it may only narrow (settings/in_force.py). What a user wants for one project stands in the user's own file, under
``[projects."<folder>"]``, and comes before both. Every hook passes through here.
"""

from __future__ import annotations

import os

from mind_skills.store.home import SETTINGS as NAME
from mind_skills.store.home import misplaced, settings_file
from mind_skills.store.project import folders

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone costs the hot path more than a bare interpreter
    from typing import Any

MAX_BYTES = 16 * 1024
"""Of a settings file; all the settings there are take less than one kB."""
MAX_DOTS = 64
"""In one line that is no comment. The time and memory that tomllib takes for a dotted key grow with the square of its
parts and more: 33 s for 64 kB of ``a.a.a`` (measured, 3.11)."""
PROJECTS = "projects"
"""The table of the user's file that holds one table for each folder of a project."""


def user_file() -> str:
    """The user's own settings file: see store/home.py."""
    return settings_file()


def project_file(root: str) -> str:
    """The settings file of the project whose folder is ``root``."""
    return os.path.join(root, ".claude", NAME)


def files(root: str) -> list[str]:
    """Where the settings of the project whose folder is ``root`` may stand; the last is the user's.

    A host may name a folder inside a repository, or one of its worktrees, and the repository's word holds there too.
    """
    return [*map(project_file, folders(root)), user_file()]


def enabled(root: str) -> bool:
    """Whether mind-skills works in this project: what the user says of it, else whether neither its files nor the user say no.

    A file that cannot be understood says no; ``unclear`` says which and why. Never raises.
    """
    return _switch(root)[0]


def wanted(root: str) -> bool | None:
    """The same for what is there already: None where a file cannot be understood, or read, just now. Never raises."""
    on, why = _switch(root)
    return None if why else on


def unclear(root: str) -> str:
    """Why mind-skills is off in this project although no file says so; empty where that is not so. Never raises."""
    return _switch(root)[1]


def _switch(root: str) -> tuple[bool, str]:
    tables, users, wrong = of_user(root)
    said = [(user_file(), table, wrong) for table in tables]
    said += [(path, *read(path)) for path in map(project_file, folders(root))]
    for number, (path, data, unread) in enumerate([*said, (user_file(), users, wrong)]):
        value: object = data.get("enabled")
        if unread or not (value is None or isinstance(value, bool)):
            why = unread or "enabled is neither true nor false"
            return False, f"mind-skills is off here until {path} is right: {why}"
        if value is False or (value is True and number < len(tables)):
            return value, ""
    return True, ""


def of_user(root: str) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """What the user's file says of this project, the nearest folder first, and of all; and why it cannot be understood."""
    said, wrong = read(user_file())
    named: Any = said.get(PROJECTS)
    tables = [named.get(folder) for folder in folders(root)] if hasattr(named, "get") else []
    return [table for table in tables if hasattr(table, "get")], {k: v for k, v in said.items() if k != PROJECTS}, wrong


def leaves(data: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The settings in nested ``data`` by their dotted keys."""
    found: list[tuple[str, Any]] = []
    for key, value in data.items():
        found += leaves(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, value)]  # pyright: ignore[reportUnknownArgumentType]
    return found


def leaf(data: Any, key: str) -> Any:
    """What nested ``data`` has for a dotted key, None for nothing."""
    for part in key.split("."):
        data = data.get(part) if hasattr(data, "get") else None  # of all that TOML has, a table alone
    return data


def content(path: str) -> str | None:
    """The text of a settings file, without a BOM; None where there is no file.

    Raises OSError where it cannot be opened, ValueError where it is no regular file, too large, no text, nothing that a
    person writes as settings, or the user's in a place where a repository may have put it.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
    if path == user_file():
        if why := misplaced(path):
            raise ValueError(why)
    else:  # that may be a link into a folder of dotfiles; what came with a repository may not
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            raise ValueError("it is no regular file")
        data = b""
        while len(data) <= MAX_BYTES and (part := os.read(descriptor, MAX_BYTES + 1 - len(data))):
            data += part
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES} bytes")
    if any(line.count(b".") > MAX_DOTS for line in data.splitlines() if not line.lstrip().startswith(b"#")):
        raise ValueError(f"a line of it has more than {MAX_DOTS} dots")
    return data.removeprefix(b"\xef\xbb\xbf").decode()


def read(path: str) -> tuple[dict[str, object], str]:
    """What a file says, and what is wrong with it: empty where nothing is, also where there is no file. Never raises."""
    try:
        text = content(path)
        if text is None:  # nearly always, and tomllib alone costs three bare interpreters
            return {}, ""
        import tomllib

        return tomllib.loads(text), ""
    except OSError as error:
        return {}, error.strerror or "it cannot be read"
    except (ValueError, RecursionError) as error:
        return {}, str(error) if type(error) is ValueError else f"it is not TOML: {error}"
