"""What the settings say, as hooks ask: the first value in bounds, else the default. Nothing here raises.

A session must be finished whatever a settings file says; what is wrong with one is said by settings/strict.py. Standard
library only, as hooks run where nothing is installed.
"""

from __future__ import annotations

from mind_skills.settings.files import leaf, leaves, of_user, project_file, read, user_file
from mind_skills.settings.table import SKILLS, TABLE
from mind_skills.store.project import folders

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone costs the hot path more than a bare interpreter
    from typing import Any

NARROWING = {"enabled": -1, "idle_seconds": 1, "caps.per_session": -1, "caps.per_offer": -1}
"""What a project's file may say, and into which direction it narrows: to off, to less often, to fewer."""


def lookup(root: str, key: str) -> Any:
    """What is set in the project at ``root`` for a key of the table."""
    return _first(documents(root), key)


def lookup_section(root: str, name: str) -> dict[str, Any]:
    """What files set there of a section whose names the documents have as well, by its names; no defaults."""
    from mind_skills.settings.names import canonical

    said = [canonical(data)[0] for data in documents(root)]
    found = {key.partition(".")[2]: _said(said, key) for key in TABLE if key.startswith(f"{name}.")}
    return {name: value for name, value in found.items() if value is not None}


def everywhere(key: str) -> Any:
    """What the user's own file sets for all projects: a repository has no say in it.

    Where that file cannot be read, or understood, just now: the most that can be, so that nothing is forgotten.
    """
    said, wrong = read(user_file())
    return (TABLE[key].most or TABLE[key].default) if wrong else _first([said], key)


def idle_seconds(root: str) -> int:
    """The least time between two checkpoints of a session, in seconds."""
    return int(lookup(root, "idle_seconds"))


def retention_days() -> int:
    """How long what is over is remembered, in days."""
    return int(everywhere("retention_days"))


def redacts_personal_data() -> bool:
    """Whether what belongs to a person is redacted."""
    return bool(everywhere("redact_personal_data"))


def episodes() -> int:
    """How many past sessions the memory keeps."""
    return int(everywhere("memory.episodes"))


def cap(root: str, name: str) -> int:
    """``per_session`` or ``per_offer``: how many candidates there may be."""
    return int(lookup(root, f"caps.{name}"))


def skills_dir(root: str, host: str) -> str:
    """Where the agent of ``host`` is asked to write skills, relative to the project; of one without hooks, as by default."""
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
    return TABLE[key].default if found is None else found


def _said(said: list[dict[str, Any]], key: str) -> Any:
    """The first value that may be, what counts first first; None for none."""
    found = (leaf(data, key) for data in said)
    return next((value for value in found if value is not None and not TABLE[key].problem(value)), None)


def _may(key: str, value: object) -> bool:
    """Whether a project's file may say this, if it narrows."""
    return key in NARROWING and not TABLE[key].problem(value)
