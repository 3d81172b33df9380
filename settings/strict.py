"""Strict reader of the settings: a wrong key or value is an error that names the key, the file and what is valid."""

from __future__ import annotations

import errno
from typing import Any, NamedTuple, cast

from mind_skills.errors import MindSkillsError
from mind_skills.settings import lenient
from mind_skills.settings.lenient import PROJECTS_KEY, explain_disabling_problem, flatten_table, list_settings_files
from mind_skills.settings.table import (
    GLOBAL_SETTINGS,
    MAX_PREFIX_LENGTH,
    PREFIX_KEY,
    SECTIONS,
    TABLE,
    WRITING_MODES,
    Value,
    format_bound,
    normalise_names,
)
from mind_skills.store.home import SETTINGS_VARIABLE, explain_misplaced_settings, get_settings_path
from mind_skills.store.project import list_settings_folders

PROJECT_FILE_RULE = "a project's file may only set enabled to false, lengthen idle_seconds and lower the caps"
MAX_KEY_LENGTH = 50
"""Maximum length of a project file's key in a message, in characters; valid keys have at most 37."""


class EffectiveSetting(NamedTuple):
    """The effective value of a setting; ``origin`` is ``default`` or the path of the file that sets it."""

    key: str
    value: Value
    origin: str


def load(root: str) -> list[EffectiveSetting]:
    """Return the effective settings of the project at ``root``.

    Later sources override earlier ones: defaults, the user's file, the restrictions of the project's own files, the
    user's section for this project (settings/lenient.py). Raises MindSkillsError if the user's file is invalid, or a
    project's file cannot be read or parsed, or has an invalid ``enabled``. Other invalid settings in a project's file
    are not errors (``lenient.list_ignored_settings``).
    """
    user_data = read(get_settings_path())
    check(user_data, get_settings_path())
    for path in list_settings_files(root)[:-1]:
        enabled = read(path).get("enabled")
        check({} if enabled is None else {"enabled": enabled}, path)  # other invalid values are not honoured
    tables = user_data.pop(PROJECTS_KEY, {})
    values = {key: (value, get_settings_path()) for key, value in flatten_table(normalise_names(user_data)[0])}
    values |= lenient.read_restrictions(root)
    for folder in reversed(list_settings_folders(root)):
        table = normalise_names(tables.get(folder, {}))[0]
        values |= {key: (value, get_settings_path()) for key, value in flatten_table(table)}
    effective = {key: values.get(key, (setting.default, "default")) for key, setting in TABLE.items()}
    return [
        # Integers are accepted for floats.
        EffectiveSetting(key, float(value) if isinstance(TABLE[key].default, float) else value, origin)
        for key, (value, origin) in effective.items()
    ]


def read(path: str) -> dict[str, Any]:
    """Parse a file like ``lenient.parse_file``, but raise MindSkillsError if it is not valid TOML or cannot be read."""
    try:
        return lenient.parse_file(path)
    except (OSError, ValueError, RecursionError) as failure:
        if not isinstance(failure, OSError) and type(failure) is not ValueError:
            message, hint = f"{path} is not valid TOML: {failure}", "Correct that line, or move the file away."
            raise MindSkillsError("config_syntax", message, hint) from failure
        is_symlink = isinstance(failure, OSError) and failure.errno == errno.ELOOP
        is_too_large = isinstance(failure, ValueError) and str(failure) != lenient.NOT_REGULAR
        is_misplaced = path == get_settings_path() and explain_misplaced_settings(path)
        raise MindSkillsError(
            "refused_path" if is_symlink else "config_unreadable",
            f"{path} cannot be read: {(failure.strerror if isinstance(failure, OSError) else '') or failure}",
            f"Set {SETTINGS_VARIABLE} to the absolute path of a file outside every repository."
            if is_misplaced
            else "Shorten it, or move it away."
            if is_too_large
            else "Replace it with a regular file, or move it away.",
        ) from failure


def check(data: dict[str, Any], origin: str) -> None:
    """Raise MindSkillsError if ``data`` contains an invalid key or value; the error reports only the first one found.

    ``origin`` names the source of ``data`` in messages, unless it is empty.
    """
    settings, duplicate = normalise_names(data)
    if duplicate:
        raise MindSkillsError(
            "config_key", f"{duplicate} is set twice in {origin}, under two names", "Remove one of them."
        )
    _check_projects(settings.pop(PROJECTS_KEY, {}), origin)
    for key, setting in TABLE.items():
        section, dot, name = key.rpartition(".")
        if dot and not isinstance(settings.get(section, {}), dict):
            raise _make_value_error(section, origin, "should be a table of settings")
        table = settings.get(section, {}) if dot else settings
        if name in table and (problem := setting.find_problem(table[name])):
            raise _make_value_error(key, origin, problem)
        if dot and key == _find_last_key(section):
            _refuse_unknown(section, table, origin)
    _refuse_unknown("", settings, origin)


def _find_last_key(section: str) -> str:
    return [key for key in TABLE if key.startswith(f"{section}.")][-1]


def _refuse_unknown(section: str, table: dict[str, Any], origin: str) -> None:
    for name in table:
        key = f"{section}.{name}" if section else name
        if "." in name or (key not in TABLE and key not in SECTIONS):
            raise make_unknown_key_error(key, origin)


def _make_value_error(key: str, origin: str, problem: str) -> MindSkillsError:
    message = f"{key} in {origin}: {problem}" if origin else f"{key} {problem}"
    return MindSkillsError("config_value", message, _describe_valid_values(key))


def _check_projects(tables: Any, origin: str) -> None:
    tables_by_folder = cast("dict[str, Any]", tables if isinstance(tables, dict) else {"": tables})
    for folder, table in tables_by_folder.items():
        if not isinstance(table, dict) or PROJECTS_KEY in table:
            message = f"{PROJECTS_KEY} in {origin}: should contain only tables, one for each project folder"
            raise MindSkillsError(
                "config_value", message, 'Write [projects."/home/me/shop"], followed by its settings.'
            )
        header = f'[projects."{folder}"] of {origin}'
        for key, _ in flatten_table(normalise_names(cast("dict[str, Any]", table))[0]):
            refuse_global_setting(
                key, header, f"Remove it there; `mind-skills config set {key} VALUE` sets it for all projects."
            )
        check(cast("dict[str, Any]", table), header)


def refuse_global_setting(key: str, origin: str, hint: str) -> None:
    """Raise MindSkillsError if ``key`` cannot be set for a single project; the message names ``origin`` as the source."""
    if key in GLOBAL_SETTINGS:
        message = f"{key} in {origin}: cannot be set for a single project"
        raise MindSkillsError("config_value", message, hint)


def make_unknown_key_error(key: str, origin: str) -> MindSkillsError:
    """Return the error for an unknown key; its hint names the nearest valid keys or, for a section, its settings."""
    from difflib import get_close_matches

    inside = [setting for setting in TABLE if setting.startswith(f"{key}.")]
    if inside and not origin:
        return MindSkillsError("config_key", f"{key} is a section, not a setting", f"Use one of {', '.join(inside)}.")
    matches = get_close_matches(key, [*TABLE, *set(SECTIONS)], n=1, cutoff=0.4)
    matches = matches or get_close_matches(key.rpartition(".")[2], TABLE, n=1, cutoff=0.4)
    if matches:
        hint = f"Did you mean {matches[0]}?"
    else:
        *others, last = get_close_matches(key, TABLE, n=3, cutoff=0.0)
        hint = f"The nearest are {', '.join(others)} and {last}; `mind-skills config list --all` lists all settings."
    return MindSkillsError(
        "config_key", f"{key} in {origin} is not a setting" if origin else f"{key} is not a setting", hint
    )


def _describe_valid_values(key: str) -> str:
    if key in SECTIONS:
        return (
            f"[{key}] is a section with the settings {', '.join(name for name in TABLE if name.startswith(key + '.'))}."
        )
    setting = TABLE[key]
    if isinstance(setting.default, bool):
        return "Write true or false."
    if not isinstance(setting.default, str):
        kind = "a whole number" if isinstance(setting.default, int) else "a number"
        return f"Write {kind} from {format_bound(setting.minimum)} to {format_bound(setting.maximum)}."
    if key == PREFIX_KEY:
        return f'Write one to three words, at most {MAX_PREFIX_LENGTH} characters, such as "{setting.default}".'
    if key == "write_skills":
        return f"Write one of {', '.join(WRITING_MODES)}."
    if key.startswith("memory."):
        return f'Write a string such as "{setting.default}", or an empty string.'
    return "Write a folder inside the project, such as .claude/skills."


def list_problems(root: str) -> list[str]:
    """Describe what is wrong with the settings of the project at ``root``. Never raises because of a file's content."""
    problems = [*map(describe_ignored_setting, lenient.list_ignored_settings(root))]
    disabling_problem, disabling_file = explain_disabling_problem(root), lenient.find_disabling_file(root)
    try:
        load(root)
    except MindSkillsError as failure:
        is_reason = failure.code not in ("config_key", "config_value") or failure.message.startswith("enabled ")
        if disabling_file and disabling_file in failure.message and is_reason:  # else both are reported
            return [f"{failure.message}, so mind-skills is disabled here. {failure.hint}", *problems]
        problems.insert(0, f"{failure.message}. {failure.hint}")
    return [*problems, *filter(None, [disabling_problem])]


def describe_ignored_setting(setting: tuple[str, str]) -> str:
    """Describe a setting (key, file) of a project's file that is not honoured."""
    key, path = setting
    # The key comes from the repository, and an agent may read this message.
    is_plain = key.isascii() and key.replace(".", "").replace("-", "_").isidentifier()
    name = key if is_plain and len(key) <= MAX_KEY_LENGTH else "a key"
    return f"{name} in {path} is not honoured: {PROJECT_FILE_RULE}"
