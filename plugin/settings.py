"""Where the settings files are, and what a hook asks of them.

Standard library only: hooks run before pydantic is installed. The strict reading, with errors that help, is
plugin/config.py. Here a wrong value counts as absent, since a hook must go on; but a file of which it cannot be said
whether it switches mind-skills off counts as one that does: who wrote it did not ask for being watched.

A project's file comes with a repository, from anybody: it is never waited for, never followed, never read without end, and
it may only narrow (``NARROWING``). What a user wants for one project stands in the user's own file, under
``[projects."<folder>"]``, and comes before both.
"""

from __future__ import annotations

import os

from mind_skills.store.home import SETTINGS as NAME
from mind_skills.store.home import misplaced, settings_file
from mind_skills.store.project import folders

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone costs the hot path more than a bare interpreter
    from typing import Any, TypeGuard

MAX_BYTES = 16 * 1024
"""Of a settings file; all the settings there are take less than one kB."""
MAX_DOTS = 64
"""In one line that is no comment. The time and memory that tomllib takes for a dotted key grow with the square of its
parts and more: 33 s for 64 kB of ``a.a.a`` (measured, 3.11)."""
LONGEST, MOST_EPISODES = 36_500, 100_000
"""Days, and past sessions: what the settings may ask for at the most."""
CAPS = {"per_session": (5, 2), "per_offer": (5, 5)}
"""The most that may be set, and what is usual (staging/model.py)."""
FOLDER_LENGTH, FOLDER_SIGNS = 60, 4
"""Characters of a folder for skills, and how many dashes, underscores, dots and slashes it may hold: a sentence has more."""
PROJECTS = "projects"
"""The table of the user's file that holds one table for each folder of a project."""
NARROWING = {"enabled": -1, "idle_seconds": 1, "caps.per_session": -1, "caps.per_offer": -1}
"""What a project's file may say, and into which direction it narrows: to off, to less often, to fewer."""
BOUNDS = {"idle_seconds": (10, 3600, 60)} | {f"caps.{name}": (1, *numbers) for name, numbers in CAPS.items()}
"""Of the numbers among them: the least, the most, and what is usual."""
SKILLS_DIR = {
    "claude-code": ".claude/skills",
    "opencode": ".claude/skills",
    "codex": ".agents/skills",
    "gemini": ".agents/skills",
}
"""What plugin/config.py has as defaults; a test compares."""


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
    tables, users, wrong = _of_user(root)
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


def _of_user(root: str) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """What the user's file says of this project, the nearest folder first, and of all; and why it cannot be understood."""
    said, wrong = read(user_file())
    named: Any = said.get(PROJECTS)
    tables = [named.get(folder) for folder in folders(root)] if hasattr(named, "get") else []
    return [table for table in tables if hasattr(table, "get")], {k: v for k, v in said.items() if k != PROJECTS}, wrong


def narrowed(root: str) -> dict[str, tuple[Any, str]]:
    """What the project's files narrow of what the user's says of all: each key with its value and its file. Never raises."""
    users = _of_user(root)[1]
    found = {key: (_usual(users, key), "") for key in NARROWING}
    for path in map(project_file, folders(root)):
        said = read(path)[0]
        for key, (value, _) in found.items():
            new = leaf(said, key)
            if _may(key, new) and NARROWING[key] * (new - value) > 0:
                found[key] = (new, path)
    return {key: of for key, of in found.items() if of[1]}


def refused(root: str) -> list[tuple[str, str]]:
    """Each setting of the project's files that is not honoured, and its file: it is not theirs to make, or would widen.

    Never raises.
    """
    users = _of_user(root)[1]
    return [
        (key, path)
        for path in map(project_file, folders(root))
        for key, value in leaves(read(path)[0])
        if key != "enabled" or isinstance(value, bool)  # else nobody can say what it means, and it switches off
        if not _may(key, value) or NARROWING[key] * (value - _usual(users, key)) < 0
    ]


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


def _usual(said: dict[str, Any], key: str) -> Any:
    """What the user's file says of all projects for a key that may be narrowed."""
    value = leaf(said, key)
    return value if _may(key, value) else True if key == "enabled" else BOUNDS[key][2]


def _may(key: str, value: object) -> bool:
    """Whether a project's file may say this, if it narrows."""
    if key == "enabled":
        return isinstance(value, bool)
    if key not in BOUNDS:
        return False
    low, high, _ = BOUNDS[key]
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def idle_seconds(root: str) -> int:
    """The least time between two checkpoints of a session, in seconds. Never raises."""
    return _number(_said(root, "idle_seconds"), *BOUNDS["idle_seconds"])


def retention_days() -> int:
    """How long what is over is remembered, in days, by the user's own file: a repository has no say in it. Never raises.

    As long as can be where that file cannot be read, or understood, just now.
    """
    said, wrong = read(user_file())
    return LONGEST if wrong else _number([said.get("retention_days")], 30, LONGEST, 365)


def redacts_personal_data() -> bool:
    """Whether what belongs to a person is redacted, by the user's own file alone: a repository has no say in it. Never raises.

    So it is where that file cannot be read, or understood, just now.
    """
    said, wrong = read(user_file())
    return bool(wrong) or said.get("redact_personal_data") is not False


def adapts(root: str) -> bool:
    """Whether what the user decides in a project shifts what is told there: by the user's own file alone. Never raises."""
    return next((value for value in _said(root, "learn_from_decisions") if isinstance(value, bool)), True)


def tells_rules() -> bool:
    """Whether the user's lasting rules are looked for, by the user's own file alone: a repository has no say in it. Never raises."""
    return read(user_file())[0].get("user_rules") is True


def episodes() -> int:
    """How many past sessions the memory keeps, by the user's own file; as many as can be where that cannot be read. Never raises."""
    said, wrong = read(user_file())
    memory: Any = said.get("memory")
    told = memory.get("episodes") if hasattr(memory, "get") else None
    return MOST_EPISODES if wrong else _number([told], 0, MOST_EPISODES, 2_000)


def cap(root: str, name: str) -> int:
    """``per_session`` or ``per_offer``: how many candidates there may be. Never raises."""
    return _number(_said(root, f"caps.{name}"), *BOUNDS[f"caps.{name}"])


def skills_dir(root: str, host: str) -> str:
    """Where the agent of ``host`` is asked to write skills, relative to the project. Never raises."""
    return next((value for value in _said(root, f"skills_dir.{host}") if is_folder(value)), SKILLS_DIR[host])


def is_folder(value: object) -> TypeGuard[str]:
    """Whether this names a folder inside a project, and not in git's, in characters that carry no meaning for an agent or a shell.

    The same rule as ``Folder`` in plugin/config.py, without a regular expression's cost at the start of a session. It is
    told to agents, so a folder may not be long enough to be a sentence.
    """
    if not isinstance(value, str) or not 0 < len(value) <= FOLDER_LENGTH or not value.isascii():
        return False
    if sum(value.count(sign) for sign in "-_./") > FOLDER_SIGNS:
        return False
    parts = value.split("/")
    return all(
        part.lower() not in ("", ".", ".git")
        and not part.startswith("..")
        and all(c.isalnum() or c in "._-" for c in part)
        for part in parts
    )


def _number(values: list[Any], low: int, high: int, default: int) -> int:
    """The first whole number in bounds; what is out of bounds counts as absent."""
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
    return default


def _said(root: str, key: str) -> list[Any]:
    """What is said of a project for a key, what counts first first."""
    return [value for value in (leaf(data, key) for data in documents(root)) if value is not None]


def documents(root: str) -> list[dict[str, Any]]:
    """What is said of a project, what counts first first: by the user of it, by its own files as far as they narrow, by the
    user of all. Unchecked but for what came with the project. Never raises.
    """
    tables, users, _ = _of_user(root)
    own: dict[str, Any] = {}
    for key, (value, _) in narrowed(root).items():
        section, dot, name = key.rpartition(".")
        (own.setdefault(section, {}) if dot else own)[name] = value
    return [*tables, own, users]


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
