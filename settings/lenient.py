"""Lenient reader of the settings files for hooks: which files apply, whether they disable mind-skills, what they set.

Only ``parse_file`` raises, because a hook must work whatever a settings file contains; settings/strict.py reports errors.
An invalid value counts as absent, but a file that may or may not disable mind-skills counts as disabling it, because
its author did not clearly consent to being observed.

A project's file comes with a repository and is untrusted: it must not be a symbolic link, reading it never blocks and
is bounded, and its values can only make the settings more restrictive (``RESTRICTIVE_DIRECTIONS``). The user's values
for one project are in the user's own file, under ``[projects."<folder>"]``, and take precedence over the project's file
and the user's general settings.

Hooks import this module, so it imports little; functions import the table of settings when they need it.
"""

from __future__ import annotations

import os

from mind_skills.store.home import SETTINGS_FILE_NAME, explain_misplaced_settings, get_settings_path
from mind_skills.store.project import Project, list_settings_folders

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone takes longer than starting a bare interpreter
    from typing import Any

    from mind_skills.settings.table import Setting

MAX_BYTES = 16 * 1024
"""Maximum size of a settings file in bytes; a file that sets every setting takes about one kB."""
NOT_REGULAR = "it is not a regular file"
"""Why ``parse_file`` refuses a folder, a pipe or a device."""
MAX_DOTS = 64
"""Maximum number of dots in a line that is not a comment. The time and memory that tomllib needs for a dotted key grow at
least with the square of the number of its parts: 33 s for 64 kB of ``a.a.a`` (measured, Python 3.11)."""
PROJECTS_KEY = "projects"
"""The table in the user's file that contains one table per project folder."""
RESTRICTIVE_DIRECTIONS = {
    "enabled": -1,
    "reminders": -1,
    "idle_seconds": 1,
    "caps.per_session": -1,
    "caps.per_offer": -1,
}
"""Keys that a project's file may set, and the direction in which it may change the user's value. 1: it may only raise the
value; -1: it may only lower the value or, for a boolean, set it to false."""


def get_setting(root: str, key: str) -> Any:
    """Return the value of a setting in the project at ``root``."""
    return _get_value(list_tables(root), key)


def get_section(root: str, name: str) -> dict[str, Any]:
    """Return the valid values that are set in a section whose keys may be written in camelCase, by snake_case name."""
    from mind_skills.settings.table import TABLE, normalise_names

    tables = [normalise_names(data)[0] for data in list_tables(root)]
    values = {key.partition(".")[2]: _find_valid_value(tables, key) for key in TABLE if key.startswith(f"{name}.")}
    return {name: value for name, value in values.items() if value is not None}


def get_user_setting(key: str) -> Any:
    """Return the value that the user's own file sets for all projects, else the default; a repository cannot change it.

    If that file cannot be read or parsed at the moment, return the setting's maximum (if it has none, the default), so
    that nothing is deleted.
    """
    data, problem = try_parse_file(get_settings_path())
    setting = _find_definition(key)
    return (setting.maximum or setting.default) if problem else _get_value([data], key)


def get_idle_seconds(root: str) -> int:
    """Return the minimum time between two checkpoints of a session, in seconds."""
    return int(get_setting(root, "idle_seconds"))


def get_retention_days() -> int:
    """Return how long data of finished sessions is stored, in days."""
    return int(get_user_setting("retention_days"))


def should_redact_personal_data() -> bool:
    return bool(get_user_setting("redact_personal_data"))


def should_offer_learnings(root: str) -> bool:
    """Return whether agents in a project are offered learnings; otherwise these wait for the user's review."""
    return bool(get_setting(root, "write_skills") != "never")


def should_share_with_team(root: str) -> bool:
    """Return whether the user shares what is learned in a project with the team. A project's own files cannot enable this."""
    return bool(get_setting(root, "share_with_team"))


def get_max_episodes() -> int:
    """Return the maximum number of past sessions in the memory."""
    return int(get_user_setting("memory.episodes"))


def get_cap(root: str, name: str) -> int:
    """Return the maximum number of candidates per session or per offer; ``name`` is ``per_session`` or ``per_offer``."""
    return int(get_setting(root, f"caps.{name}"))


def get_skills_folder(root: str, host: str) -> str:
    """Return the skills folder for ``host``, relative to the project; a host without this setting has the default folder."""
    from mind_skills.settings.table import DEFAULT_SKILLS_FOLDER, TABLE

    key = f"skills_dir.{host}"
    return str(get_setting(root, key)) if key in TABLE else DEFAULT_SKILLS_FOLDER


def list_tables(root: str) -> list[dict[str, Any]]:
    """Return the settings tables that apply to a project, highest precedence first.

    These are the user's tables for the project, the restrictions of the project's own files, and the user's general
    table. Only the values of project files are validated.
    """
    tables, user_data, _ = read_user_tables(root)
    from_project: dict[str, Any] = {}
    for key, (value, _) in read_restrictions(root).items():
        section, dot, name = key.rpartition(".")
        (from_project.setdefault(section, {}) if dot else from_project)[name] = value
    return [*tables, from_project, user_data]


def read_restrictions(root: str) -> dict[str, tuple[Any, str]]:
    """Return, for each key that the project's files restrict, the most restrictive value and the file that sets it."""
    user_data = read_user_tables(root)[1]
    most_restrictive = {key: (_get_value([user_data], key), "") for key in RESTRICTIVE_DIRECTIONS}
    for path in map(get_project_settings_path, list_settings_folders(root)):
        data = try_parse_file(path)[0]
        for key, (value, _) in most_restrictive.items():
            new = get_nested(data, key)
            if _is_allowed(key, new) and RESTRICTIVE_DIRECTIONS[key] * (new - value) > 0:
                most_restrictive[key] = (new, path)
    return {key: restriction for key, restriction in most_restrictive.items() if restriction[1]}


def list_ignored_settings(root: str) -> list[tuple[str, str]]:
    """Return (key, file) of each setting in the project's files that is not honoured."""
    user_data = read_user_tables(root)[1]
    return [
        (key, path)
        for path in map(get_project_settings_path, list_settings_folders(root))
        for key, value in flatten_table(try_parse_file(path)[0])
        if key != "enabled" or isinstance(value, bool)  # any other value of ``enabled`` disables mind-skills
        if not _is_allowed(key, value) or RESTRICTIVE_DIRECTIONS[key] * (value - _get_value([user_data], key)) < 0
    ]


def _get_value(tables: list[dict[str, Any]], key: str) -> Any:
    value = _find_valid_value(tables, key)
    return _find_definition(key).default if value is None else value


def _find_valid_value(tables: list[dict[str, Any]], key: str) -> Any:
    """Return the first valid value in ``tables``, which are in order of precedence; None if there is none."""
    setting = _find_definition(key)
    values = (get_nested(data, key) for data in tables)
    return next((value for value in values if value is not None and not setting.find_problem(value)), None)


def _is_allowed(key: str, value: object) -> bool:
    """Return whether a project's file may set this value, provided that the user's value is not more restrictive."""
    return key in RESTRICTIVE_DIRECTIONS and not _find_definition(key).find_problem(value)


def _find_definition(key: str) -> Setting:
    from mind_skills.settings.table import TABLE

    return TABLE[key]


def get_project_settings_path(root: str) -> str:
    """Return the path of the settings file of the project whose folder is ``root``."""
    return os.path.join(root, ".claude", SETTINGS_FILE_NAME)


def list_settings_files(root: str) -> list[str]:
    """Return the paths of the settings files of a project whose folder is ``root``; the last is the user's."""
    return [*map(get_project_settings_path, list_settings_folders(root)), get_settings_path()]


def is_enabled(root: str) -> bool:
    """Return whether mind-skills is active in this project. Never raises.

    The user's value for this project decides; if there is none, any false value in the project's files or the user's
    general settings disables mind-skills. A file that cannot be read or parsed, or whose ``enabled`` is not a boolean,
    counts as false; ``explain_disabling_problem`` names the file and the reason.
    """
    return _read_enabled_state(root)[0]


def is_project_enabled(project: Project) -> bool:
    """Return ``is_enabled`` of a project as it was recorded. Never raises.

    A removed worktree no longer shows to which repository it belonged, so the settings of the main checkout count too.
    """
    folders = [project.root]
    if os.path.basename(project.git_folder) == ".git" and not os.path.isdir(project.root):
        folders.append(os.path.dirname(project.git_folder))
    return all(map(is_enabled, folders))


def is_enabled_if_known(root: str) -> bool | None:
    """Return the same as ``is_enabled``, but None if the answer depends on an unreadable or invalid file.

    Used for stored data, which must not be discarded in that case. Never raises.
    """
    is_active, invalid_file, _ = _read_enabled_state(root)
    return None if invalid_file else is_active


def explain_disabling_problem(root: str) -> str:
    """Return which unreadable or invalid file disables mind-skills, and why; empty if none does. Never raises."""
    path, reason = _read_enabled_state(root)[1:]
    return f"mind-skills is disabled here until {path} is corrected: {reason}" if path else ""


def find_disabling_file(root: str) -> str:
    """Return the path of the unreadable or invalid file that disables mind-skills; empty if none does. Never raises."""
    return _read_enabled_state(root)[1]


def _read_enabled_state(root: str) -> tuple[bool, str, str]:
    """Return whether mind-skills is active, and the unreadable or invalid file that disables it with the reason, or "" twice."""
    tables, user_data, user_problem = read_user_tables(root)
    sources = [(get_settings_path(), table, user_problem) for table in tables]
    sources += [(path, *try_parse_file(path)) for path in map(get_project_settings_path, list_settings_folders(root))]
    for index, (path, data, problem) in enumerate([*sources, (get_settings_path(), user_data, user_problem)]):
        value: object = data.get("enabled")
        if problem or not (value is None or isinstance(value, bool)):
            return False, path, problem or "enabled is neither true nor false"
        if value is False or (value is True and index < len(tables)):
            return value, "", ""
    return True, "", ""


def read_user_tables(root: str) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """Return the user's tables for this project, nearest folder first, the general table, and what is wrong with the file."""
    data, problem = try_parse_file(get_settings_path())
    project_tables: Any = data.get(PROJECTS_KEY)
    folders = list_settings_folders(root) if hasattr(project_tables, "get") else []
    tables = [table for folder in folders if hasattr(table := project_tables.get(folder), "get")]
    return tables, {k: v for k, v in data.items() if k != PROJECTS_KEY}, problem


def flatten_table(data: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Flatten nested ``data`` to a list of (dotted key, value)."""
    items: list[tuple[str, Any]] = []
    for key, value in data.items():
        items += flatten_table(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, value)]  # pyright: ignore[reportUnknownArgumentType]
    return items


def get_nested(data: Any, key: str) -> Any:
    """Return the value at a dotted key in nested ``data``, or None."""
    for part in key.split("."):
        data = data.get(part) if hasattr(data, "get") else None  # only TOML tables have ``get``
    return data


def parse_file(path: str) -> dict[str, Any]:
    """Parse a settings file without validation; empty if it does not exist.

    Raises OSError if the file cannot be opened or read; ValueError if it is not a regular file, is too large, has a
    line with too many dots, or is the user's file at a path that is not allowed; RecursionError or a subclass of
    ValueError if it is not valid UTF-8 or TOML.
    """
    text = _read_text(path)
    if text is None:  # the usual case; importing tomllib takes as long as three interpreter starts
        return {}
    import tomllib

    return tomllib.loads(text)


def _read_text(path: str) -> str | None:
    """Return the text of a settings file without a BOM; None if it does not exist.

    Raises the same exceptions as ``parse_file``, except those for invalid TOML.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
    if path == get_settings_path():
        if problem := explain_misplaced_settings(path):
            raise ValueError(problem)
    else:  # unlike the user's file, a file from a repository may not be a symbolic link
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            raise ValueError(NOT_REGULAR)
        data = b""
        while len(data) <= MAX_BYTES and (part := os.read(descriptor, MAX_BYTES + 1 - len(data))):
            data += part
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES} bytes")
    if any(line.count(b".") > MAX_DOTS for line in data.splitlines() if not line.lstrip().startswith(b"#")):
        raise ValueError(f"one of its lines has more than {MAX_DOTS} dots")
    return data.removeprefix(b"\xef\xbb\xbf").decode()


def try_parse_file(path: str) -> tuple[dict[str, object], str]:
    """Return the content of a settings file, and why it could not be parsed (empty if it was parsed or does not exist)."""
    try:
        return parse_file(path), ""
    except OSError as error:
        return {}, error.strerror or "it cannot be read"
    except (ValueError, RecursionError) as error:
        return {}, str(error) if type(error) is ValueError else f"it is not valid TOML: {error}"
