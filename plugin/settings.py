"""Where the settings files are, and what a hook asks of them.

Standard library only: hooks run before pydantic is installed. The strict reading, with errors that help, is
plugin/config.py. Here a wrong value counts as absent, since a hook must go on; but a file of which it cannot be said
whether it switches mind-skills off counts as one that does: who wrote it did not ask for being watched.

A project's file comes with a repository, from anybody: it is never waited for, never followed, never read without end.
"""

from __future__ import annotations

import os

from mind_skills.store.project import folders

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone costs the hot path more than a bare interpreter
    from typing import Any, TypeGuard

NAME = "mind-skills.toml"
MIND_SKILLS_CONFIG = "MIND_SKILLS_CONFIG"
MAX_BYTES = 16 * 1024
"""Of a settings file; all the settings there are take less than one kB."""
MAX_DOTS = 64
"""In one line that is no comment. The time and memory that tomllib takes for a dotted key grow with the square of its
parts and more: 33 s for 64 kB of ``a.a.a`` (measured, 3.11)."""
LONGEST, MOST_EPISODES = 36_500, 100_000
"""Days, and past sessions: what the settings may ask for at the most."""
CAPS = {"per_session": 5, "per_offer": 5}
FOLDER_LENGTH, FOLDER_SIGNS = 60, 4
"""Characters of a folder for skills, and how many dashes, underscores, dots and slashes it may hold: a sentence has more."""
SKILLS_DIR = {
    "claude-code": ".claude/skills",
    "opencode": ".claude/skills",
    "codex": ".agents/skills",
    "gemini": ".agents/skills",
}
"""What plugin/config.py has as defaults; a test compares."""


def user_file() -> str:
    """The user's own settings file: $MIND_SKILLS_CONFIG, else mind-skills/mind-skills.toml in the platform's folder for settings."""
    if named := os.environ.get(MIND_SKILLS_CONFIG):
        return named
    if os.name == "nt":
        base = os.environ.get("APPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "mind-skills", NAME)


def project_file(root: str) -> str:
    """The settings file of the project whose folder is ``root``."""
    return os.path.join(root, ".claude", NAME)


def files(root: str) -> list[str]:
    """Where the settings of the project whose folder is ``root`` may stand, what comes first wins; the last is the user's.

    A host may name a folder inside a repository, or one of its worktrees, and the repository's word holds there too.
    """
    return [*map(project_file, folders(root)), user_file()]


def enabled(root: str) -> bool:
    """Whether mind-skills works in this project: the nearest word of the project, else the user's, else yes.

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
    for path in files(root):
        said, wrong = _read(path)
        value: object = said.get("enabled")
        if not wrong and value is not None and not isinstance(value, bool):
            wrong = "enabled is neither true nor false"
        if wrong:
            return False, f"mind-skills is off here until {path} is right: {wrong}"
        if isinstance(value, bool):
            return value, ""
    return True, ""


def idle_seconds(root: str) -> int:
    """The least time between two checkpoints of a session, in seconds. Never raises."""
    return _number(_said(root, "idle_seconds"), 10, 3600, 60)


def retention_days() -> int:
    """How long what is over is remembered, in days, by the user's own file: a repository has no say in it. Never raises.

    As long as can be where that file cannot be read, or understood, just now.
    """
    said, wrong = _read(user_file())
    return LONGEST if wrong else _number([said.get("retention_days")], 30, LONGEST, 365)


def redacts_personal_data() -> bool:
    """Whether what belongs to a person is redacted, by the user's own file alone: a repository has no say in it. Never raises.

    So it is where that file cannot be read, or understood, just now.
    """
    said, wrong = _read(user_file())
    return bool(wrong) or said.get("redact_personal_data") is not False


def episodes() -> int:
    """How many past sessions the memory keeps, by the user's own file; as many as can be where that cannot be read. Never raises."""
    said, wrong = _read(user_file())
    memory: Any = said.get("memory")
    told = memory.get("episodes") if hasattr(memory, "get") else None
    return MOST_EPISODES if wrong else _number([told], 0, MOST_EPISODES, 2_000)


def cap(root: str, name: str) -> int:
    """``per_session`` or ``per_offer``: how many candidates there may be. Never raises."""
    most = CAPS[name]
    return _number(_said(root, "caps", name), 1, most, most)


def skills_dir(root: str, host: str) -> str:
    """Where the agent of ``host`` is asked to write skills, relative to the project. Never raises."""
    return next((value for value in _said(root, "skills_dir", host) if is_folder(value)), SKILLS_DIR[host])


def is_folder(value: object) -> TypeGuard[str]:
    """Whether this names a folder inside a project, in characters that carry no meaning for an agent or a shell.

    The same rule as ``Folder`` in plugin/config.py, without a regular expression's cost at the start of a session. A
    project's settings may have come with the repository, so a folder may not be long enough to be a sentence.
    """
    if not isinstance(value, str) or not 0 < len(value) <= FOLDER_LENGTH or not value.isascii():
        return False
    if sum(value.count(sign) for sign in "-_./") > FOLDER_SIGNS:
        return False
    parts = value.split("/")
    return all(
        part not in ("", ".") and not part.startswith("..") and all(c.isalnum() or c in "._-" for c in part)
        for part in parts
    )


def _number(values: list[Any], low: int, high: int, default: int) -> int:
    """The first whole number in bounds; what is out of bounds counts as absent."""
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
    return default


def _said(root: str, *key: str) -> list[Any]:
    """What the project's files say for a key, and the user's, as far as they say anything."""
    found: list[Any] = []
    for path in files(root):
        value: Any = _read(path)[0]
        for part in key:
            value = value.get(part) if hasattr(value, "get") else None  # of all that TOML has, a table alone
        found += [] if value is None else [value]
    return found


def documents(root: str) -> list[dict[str, Any]]:
    """What each settings file of the project says, unchecked, what counts first first. Never raises."""
    return [said for said, _ in stated(root)]


def stated(root: str) -> list[tuple[dict[str, Any], str]]:
    """The same, each with why it cannot be read or understood; empty where it can, or where there is no file. Never raises."""
    return [_read(path) for path in files(root)]


def content(path: str) -> str | None:
    """The text of a settings file, without a BOM; None where there is no file.

    Raises OSError where it cannot be opened, ValueError where it is no regular file, too large, no text, or nothing
    that a person writes as settings.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
    if path != user_file():  # which may be a link into a folder of dotfiles; what came with a repository may not
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


def _read(path: str) -> tuple[dict[str, object], str]:
    """What a file says, and what is wrong with it: empty where nothing is, also where there is no file."""
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
