"""The settings files, as hooks read them: where they are, whether they switch mind-skills off, what they set. Nothing raises.

A session must be finished whatever a settings file says; what is wrong with one is said by settings/strict.py. A wrong
value counts as absent; but a file of which it cannot be said whether it switches mind-skills off counts as one that does:
who wrote it did not ask for being watched.

A project's file comes with a repository, from anybody: it is never waited for, never followed, never read without end, and
it may only narrow (``NARROWING``). What a user wants for one project stands in the user's own file, under
``[projects."<folder>"]``, and comes before both. Every hook passes
through here, on the standard library alone; the table is imported when a value is asked for.
"""

from __future__ import annotations

import os

from mind_skills.store.home import SETTINGS as NAME
from mind_skills.store.home import misplaced, settings_file
from mind_skills.store.project import folders

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone costs the hot path more than a bare interpreter
    from typing import Any

    from mind_skills.settings.table import Setting

MAX_BYTES = 16 * 1024
"""Of a settings file; all the settings there are take less than one kB."""
MAX_DOTS = 64
"""In one line that is no comment. The time and memory that tomllib takes for a dotted key grow with the square of its
parts and more: 33 s for 64 kB of ``a.a.a`` (measured, 3.11)."""
PROJECTS = "projects"
"""The table of the user's file that holds one table for each folder of a project."""
NARROWING = {"enabled": -1, "idle_seconds": 1, "caps.per_session": -1, "caps.per_offer": -1}
"""What a project's file may say, and into which direction it narrows: to off, to less often, to fewer."""


def lookup(root: str, key: str) -> Any:
    """What is set in the project at ``root`` for a key of the table."""
    return _first(documents(root), key)


def lookup_section(root: str, name: str) -> dict[str, Any]:
    """What files set there of a section whose names the documents have as well, by its names; no defaults."""
    from mind_skills.settings.names import canonical
    from mind_skills.settings.table import TABLE

    said = [canonical(data)[0] for data in documents(root)]
    found = {key.partition(".")[2]: _said(said, key) for key in TABLE if key.startswith(f"{name}.")}
    return {name: value for name, value in found.items() if value is not None}


def everywhere(key: str) -> Any:
    """What the user's own file sets for all projects: a repository has no say in it.

    Where that file cannot be read, or understood, just now: the most that can be, so that nothing is forgotten.
    """
    said, wrong = read(user_file())
    setting = _setting(key)
    return (setting.most or setting.default) if wrong else _first([said], key)


def idle_seconds(root: str) -> int:
    """The least time between two checkpoints of a session, in seconds."""
    return int(lookup(root, "idle_seconds"))


def retention_days() -> int:
    """How long what is over is remembered, in days."""
    return int(everywhere("retention_days"))


def redacts_personal_data() -> bool:
    """Whether what belongs to a person is redacted."""
    return bool(everywhere("redact_personal_data"))


def adapts(root: str) -> bool:
    """Whether what the user decides in a project shifts what is told there."""
    return bool(lookup(root, "learn_from_decisions"))


def tells_rules() -> bool:
    """Whether the user's lasting rules are looked for."""
    said, wrong = read(user_file())
    return not wrong and bool(_first([said], "user_rules"))


def episodes() -> int:
    """How many past sessions the memory keeps."""
    return int(everywhere("memory.episodes"))


def cap(root: str, name: str) -> int:
    """``per_session`` or ``per_offer``: how many candidates there may be."""
    return int(lookup(root, f"caps.{name}"))


def write_skills(root: str) -> str:
    """Who decides in a project whether a skill is written: ``ask``, ``auto`` or ``never``."""
    return str(lookup(root, "write_skills"))


def skills_dir(root: str, host: str) -> str:
    """Where the agent of ``host`` is asked to write skills, relative to the project; of one without hooks, as by default."""
    from mind_skills.settings.table import SKILLS, TABLE

    key = f"skills_dir.{host}"
    return str(lookup(root, key)) if key in TABLE else SKILLS


def documents(root: str) -> list[dict[str, Any]]:
    """What is said of a project, what counts first first: by the user of it, by its own files as far as they narrow, by the
    user of all. Unchecked but for what came with the project.
    """
    tables, users, _ = of_user(root)
    own: dict[str, Any] = {}
    for key, (value, _) in narrowed(root).items():
        section, dot, name = key.rpartition(".")
        (own.setdefault(section, {}) if dot else own)[name] = value
    return [*tables, own, users]


def narrowed(root: str) -> dict[str, tuple[Any, str]]:
    """What the project's files narrow of what the user's says of all: each key with its value and its file."""
    users = of_user(root)[1]
    found = {key: (_first([users], key), "") for key in NARROWING}
    for path in map(project_file, folders(root)):
        said = read(path)[0]
        for key, (value, _) in found.items():
            new = leaf(said, key)
            if _may(key, new) and NARROWING[key] * (new - value) > 0:
                found[key] = (new, path)
    return {key: of for key, of in found.items() if of[1]}


def refused(root: str) -> list[tuple[str, str]]:
    """Each setting of the project's files that is not honoured, and its file: it is not theirs to make, or would widen."""
    users = of_user(root)[1]
    return [
        (key, path)
        for path in map(project_file, folders(root))
        for key, value in leaves(read(path)[0])
        if key != "enabled" or isinstance(value, bool)  # else nobody can say what it means, and it switches off
        if not _may(key, value) or NARROWING[key] * (value - _first([users], key)) < 0
    ]


def _first(said: list[dict[str, Any]], key: str) -> Any:
    found = _said(said, key)
    return _setting(key).default if found is None else found


def _said(said: list[dict[str, Any]], key: str) -> Any:
    """The first value that may be, what counts first first; None for none."""
    setting = _setting(key)
    found = (leaf(data, key) for data in said)
    return next((value for value in found if value is not None and not setting.problem(value)), None)


def _may(key: str, value: object) -> bool:
    """Whether a project's file may say this, if it narrows."""
    return key in NARROWING and not _setting(key).problem(value)


def _setting(key: str) -> Setting:
    from mind_skills.settings.table import TABLE

    return TABLE[key]


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


def parse(path: str) -> dict[str, Any]:
    """What a settings file says, unchecked; nothing where there is no file.

    Raises OSError where it cannot be opened; ValueError where it is no regular file, too large, nothing that a person writes
    as settings, or the user's in a place where a repository may have put it; a subclass of ValueError or RecursionError
    where it is no text or no TOML.
    """
    text = _read_text(path)
    if text is None:  # nearly always, and tomllib alone costs three bare interpreters
        return {}
    import tomllib

    return tomllib.loads(text)


def _read_text(path: str) -> str | None:
    """The text of a settings file, without a BOM; None where there is no file. Raises as ``parse``."""
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
        return parse(path), ""
    except OSError as error:
        return {}, error.strerror or "it cannot be read"
    except (ValueError, RecursionError) as error:
        return {}, str(error) if type(error) is ValueError else f"it is not TOML: {error}"
