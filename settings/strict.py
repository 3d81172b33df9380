"""The settings, checked: a wrong key or value is an error that names the key, the file and the nearest right key."""

from __future__ import annotations

import errno
from typing import Any, NamedTuple, cast

from mind_skills.errors import MindSkillsError
from mind_skills.settings import lenient
from mind_skills.settings.lenient import PROJECTS, files, leaves, unclear, user_file
from mind_skills.settings.names import canonical
from mind_skills.settings.table import EVERYWHERE, PREFIX, PREFIX_LENGTH, SECTIONS, TABLE, Value, number
from mind_skills.store.project import folders

ALLOWED = "a project's file may only switch off, lengthen idle_seconds and lower caps"
LONGEST_KEY = 50
"""Characters; the longest that there is has 40."""


class InForce(NamedTuple):
    """A setting in force; ``origin`` is ``default`` or the path of a file."""

    key: str
    value: Value
    origin: str


def load(root: str) -> list[InForce]:
    """The settings in force in the project at ``root``: defaults, then the user's file, then what the project's own files
    narrow, then what the user's says of this project (settings/lenient.py).

    Raises MindSkillsError where the user's file is wrong, or one of the project's cannot be read; a setting of those that is
    not honoured is no error (``lenient.refused``).
    """
    users = read(user_file())
    check(users, user_file())
    for path in files(root)[:-1]:
        switch = read(path).get("enabled")
        check({} if switch is None else {"enabled": switch}, path)  # the one thing of which hooks must be sure
    tables = users.pop(PROJECTS, {})
    said = {key: (value, user_file()) for key, value in leaves(canonical(users)[0])}
    said |= lenient.narrowed(root)
    for folder in reversed(folders(root)):
        table = canonical(tables.get(folder, {}))[0]
        said |= {key: (value, user_file()) for key, value in leaves(table)}
    found = {key: said.get(key, (setting.default, "default")) for key, setting in TABLE.items()}
    return [InForce(key, typed(key, value), origin) for key, (value, origin) in found.items()]


def typed(key: str, value: Value) -> Value:
    """A right value in the type of its setting: a whole number is taken where any is."""
    return float(value) if isinstance(TABLE[key].default, float) else value


def read(path: str) -> dict[str, Any]:
    """As ``lenient.parse``, but that it raises MindSkillsError where the file is not TOML, or may not be read."""
    try:
        return lenient.parse(path)
    except (OSError, ValueError, RecursionError) as failure:
        if not isinstance(failure, OSError) and type(failure) is not ValueError:
            message, hint = f"{path} is not TOML: {failure}", "Correct that line, or move the file away."
            raise MindSkillsError("config_syntax", message, hint) from failure
        refused = isinstance(failure, OSError) and failure.errno == errno.ELOOP  # a symbolic link
        raise MindSkillsError(
            "refused_path" if refused else "config_unreadable",
            f"{path} cannot be read: {(failure.strerror if isinstance(failure, OSError) else '') or failure}",
            "Put a plain file in its place, or move it away.",
        ) from failure


def check(data: dict[str, Any], where: str) -> None:
    """Raises MindSkillsError naming the first wrong key of ``data`` and ``where`` it stands, in the order of the table."""
    known, twice = canonical(data)
    if twice:
        raise MindSkillsError("config_key", f"{twice} stands twice in {where}, by two names", "Take one of them out.")
    _check_projects(known.pop(PROJECTS, {}), where)
    for key, setting in TABLE.items():
        section, dot, name = key.rpartition(".")
        if dot and not isinstance(known.get(section, {}), dict):
            title = section.title().replace("_", "")
            raise _wrong(section, where, f"should be a valid dictionary or instance of {title}")
        table = known.get(section, {}) if dot else known
        if name in table and (problem := setting.problem(table[name])):
            raise _wrong(key, where, problem)
        if dot and key == _last(section):
            _refuse_unknown(section, table, where)
    _refuse_unknown("", known, where)


def _last(section: str) -> str:
    return [key for key in TABLE if key.startswith(f"{section}.")][-1]


def _refuse_unknown(section: str, table: dict[str, Any], where: str) -> None:
    for name in table:
        key = f"{section}.{name}" if section else name
        if "." in name or (key not in TABLE and key not in SECTIONS):
            raise unknown_key(key, where)


def _wrong(key: str, where: str, problem: str) -> MindSkillsError:
    return MindSkillsError("config_value", f"{key} in {where}: {problem}", _advice(key))


def _check_projects(tables: Any, where: str) -> None:
    named = cast("dict[str, Any]", tables if isinstance(tables, dict) else {"": tables})
    for folder, table in named.items():
        if not isinstance(table, dict) or PROJECTS in table:
            message = f"{PROJECTS} in {where}: should hold a table for each folder of a project"
            raise MindSkillsError("config_value", message, 'Write [projects."/home/me/shop"], and its settings below.')
        header = f'[projects."{folder}"] of {where}'
        for key, _ in leaves(canonical(cast("dict[str, Any]", table))[0]):
            refuse_everywhere(key, header)
        check(cast("dict[str, Any]", table), header)


def refuse_everywhere(key: str, where: str) -> None:
    """Raises MindSkillsError for a key that one project alone cannot have."""
    if key in EVERYWHERE:
        message = f"{key} in {where}: holds for all projects or none"
        raise MindSkillsError("config_value", message, f"mind-skills config set {key} VALUE, without --project.")


def unknown_key(key: str, where: str) -> MindSkillsError:
    """The error for a key that does not exist: its hint names the nearest one that does, or the settings of a section."""
    from difflib import get_close_matches

    inside = [known for known in TABLE if known.startswith(f"{key}.")]
    if inside and not where:
        return MindSkillsError("config_key", f"{key} is a section, not a setting", f"Name one of {', '.join(inside)}.")
    near = get_close_matches(key, [*TABLE, *set(SECTIONS)], n=1, cutoff=0.4)
    near = near or get_close_matches(key.rpartition(".")[2], TABLE, n=1, cutoff=0.4)
    if near:
        hint = f"Did you mean {near[0]}?"
    else:
        *others, last = get_close_matches(key, TABLE, n=3, cutoff=0.0)
        hint = f"The nearest are {', '.join(others)} and {last}; `mind-skills config list` shows all."
    return MindSkillsError(
        "config_key", f"{key} in {where} is not a setting" if where else f"{key} is not a setting", hint
    )


def _advice(key: str) -> str:
    if key in SECTIONS:
        return (
            f"[{key}] is a section: its settings are {', '.join(each for each in TABLE if each.startswith(key + '.'))}."
        )
    setting = TABLE[key]
    if isinstance(setting.default, bool):
        return "Write true or false."
    if not isinstance(setting.default, str):
        kind = "a whole number" if isinstance(setting.default, int) else "a number"
        return f"Write {kind} from {number(setting.least)} to {number(setting.most)}."
    if key == PREFIX:
        return f'Write one to three words, at most {PREFIX_LENGTH} characters, such as "{setting.default}".'
    if key.startswith("memory."):
        return f'Write text in quotes, such as "{setting.default}", or nothing in them.'
    return "Write a folder inside the project, such as .claude/skills."


def problems(root: str) -> list[str]:
    """What is wrong with the settings of the project at ``root``, in sentences. Never raises for what a file holds."""
    off = unclear(root)
    found = [*map(unhonoured, lenient.refused(root)), *([off] if off else [])]
    try:
        load(root)
    except MindSkillsError as failure:
        return [f"{failure.message}. {failure.hint}", *found]
    return found


def unhonoured(setting: tuple[str, str]) -> str:
    """A setting of a project's file that is not honoured (key, file), in a sentence."""
    key, path = setting
    # It came with a repository, and an agent may read this.
    name = (
        key
        if len(key) <= LONGEST_KEY and key.isascii() and key.replace(".", "").replace("-", "_").isidentifier()
        else "a key"
    )
    return f"{name} in {path} is not honoured: {ALLOWED}"
