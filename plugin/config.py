"""The settings, checked: a wrong key or value is an error that names the key, the file and the nearest right key."""

from __future__ import annotations

import errno
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import AfterValidator, Field, ValidationError

from mind_skills.errors import MindSkillsError
from mind_skills.plugin import config_file
from mind_skills.plugin.document import whole
from mind_skills.plugin.memory_config import Memory
from mind_skills.plugin.rule_config import AntiPattern, Learning, Maturity, Section
from mind_skills.plugin.rules import PREFIX, PREFIX_LENGTH, canonical, canonical_key, spelled
from mind_skills.plugin.settings import (
    FOLDER_LENGTH,
    FOLDER_SIGNS,
    PROJECTS,
    content,
    files,
    is_folder,
    leaves,
    narrowed,
    user_file,
)
from mind_skills.store.project import folders

Value = bool | int | float | str


def _short(folder: str) -> str:
    """Refuse a folder that is long enough to be a sentence, as hooks do."""
    if not is_folder(folder):
        raise ValueError(f"a folder for skills holds at most {FOLDER_SIGNS} dashes, underscores, dots and slashes")
    return folder


Folder = Annotated[
    str,
    AfterValidator(_short),
    Field(max_length=FOLDER_LENGTH, pattern=r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]*(/\.?[A-Za-z0-9_-][A-Za-z0-9._-]*)*$"),
]
"""A folder inside the project. The character set is narrow because the text goes into the block that an agent reads."""


class Caps(Section):
    """How many candidates there may be.

    The defaults are the largest values: they keep the offer short. At most ten wait in a project, whatever is set.
    """

    per_session: Annotated[int, Field(ge=1, le=5, description="The most that one session may stage.")] = 5
    per_offer: Annotated[int, Field(ge=1, le=5, description="The most that one session is told of.")] = 5


class SkillsDir(Section):
    """Where an agent is asked to write a skill, for each host: a folder inside the project."""

    claude_code: Annotated[Folder, Field(alias="claude-code", description="For Claude Code.")] = ".claude/skills"
    opencode: Annotated[Folder, Field(description="For OpenCode, which reads Claude Code's folder too.")] = (
        ".claude/skills"
    )
    codex: Annotated[Folder, Field(description="For Codex.")] = ".agents/skills"
    gemini: Annotated[Folder, Field(description="For Gemini CLI, which reads Codex's folder too.")] = ".agents/skills"


class Config(Section):
    """Everything that can be set."""

    enabled: Annotated[
        bool, Field(description="Whether mind-skills works; `false` in a project switches it off there.")
    ] = True
    idle_seconds: Annotated[
        int, Field(ge=10, le=3600, description="The least time between two checkpoints of one session, in seconds.")
    ] = 60
    retention_days: Annotated[
        int,
        Field(
            ge=30,
            le=36_500,
            description="How long what is over and old is remembered, in days; only the user's own file counts.",
        ),
    ] = 365
    redact_personal_data: Annotated[
        bool,
        Field(
            description="Whether e-mail addresses, telephone, account, card and identity numbers, and the names in home paths"
            " are taken out of what is staged, remembered or told; only the user's own file counts."
        ),
    ] = True
    caps: Caps = Caps()
    skills_dir: SkillsDir = SkillsDir()
    learning: Learning = Learning()
    anti_pattern: AntiPattern = AntiPattern()
    maturity: Maturity = Maturity()
    memory: Memory = Memory()


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, and where each comes from: ``default`` or the path of a file."""

    config: Config
    origins: dict[str, str]

    def items(self) -> list[tuple[str, Value, str]]:
        """Every setting as (key, value, origin)."""
        return [(key, value, self.origins.get(key, "default")) for key, value in flat(self.config).items()]


def flat(config: Config) -> dict[str, Value]:
    """The settings by their dotted keys, as in ``caps.per_offer``."""
    return dict(leaves(config.model_dump(by_alias=True)))


KEYS = tuple(flat(Config()))
"""Every key there is."""
EVERYWHERE = ("retention_days", "memory.episodes", "memory.model")
"""Those that hold for all projects or none."""


def load(root: str) -> Loaded:
    """The settings in force in the project at ``root``: defaults, then the user's file, then what the project's own files
    narrow, then what the user's says of this project (plugin/settings.py).

    Raises MindSkillsError where the user's file is wrong, or one of the project's cannot be read; a setting of those that is
    not honoured is no error (``settings.refused``).
    """
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    users = read(Path(user_file()))
    check(users, user_file())
    for path in files(root)[:-1]:
        switch = read(Path(path)).get("enabled")
        check({} if switch is None else {"enabled": switch}, path)  # the one thing of which hooks must be sure
    tables = users.pop(PROJECTS, {})
    said = [(key, value, user_file()) for key, value in leaves(canonical(users)[0])]
    said += [(key, value, path) for key, (value, path) in narrowed(root).items()]
    for folder in reversed(folders(root)):
        table = canonical(tables.get(folder, {}))[0]
        said += [(key, value, user_file()) for key, value in leaves(table)]
    for key, value, origin in said:
        origins[key] = origin
        put(merged, key, value)
    return Loaded(Config.model_validate(merged), origins)


def read(path: Path) -> dict[str, Any]:
    """What ``path`` says, unchecked; nothing where there is no such file.

    Raises MindSkillsError where it is not TOML, or nothing that may be read (plugin/settings.py: ``content``).
    """
    try:
        return tomllib.loads(content(str(path)) or "")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as failure:
        raise MindSkillsError(
            "config_syntax", f"{path} is not TOML: {failure}", "Correct that line, or move the file away."
        ) from failure
    except (OSError, ValueError) as failure:
        reason = (failure.strerror if isinstance(failure, OSError) else "") or str(failure)
        refused = isinstance(failure, OSError) and failure.errno == errno.ELOOP  # a symbolic link
        raise MindSkillsError(
            "refused_path" if refused else "config_unreadable",
            f"{path} cannot be read: {reason}",
            "Put a plain file in its place, or move it away.",
        ) from failure


def put(data: dict[str, Any], key: str, value: Value) -> None:
    """Set the dotted ``key`` in nested ``data``."""
    *sections, last = key.split(".")
    for section in sections:
        data = data.setdefault(section, {})
    data[last] = value


def check(data: dict[str, Any], where: str) -> Config:
    """``data`` as settings. Raises MindSkillsError naming the first wrong key and ``where`` it stands."""
    known, twice = canonical(data)
    if twice:
        raise MindSkillsError("config_key", f"{twice} stands twice in {where}, by two names", "Take one of them out.")
    _check_projects(known.pop(PROJECTS, {}), where)
    try:
        return Config.model_validate(known)
    except ValidationError as failure:
        first = failure.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            raise unknown_key(key, where) from failure
        message = first["msg"].removeprefix("Input ").removeprefix("Value error, ")
        raise MindSkillsError("config_value", f"{key} in {where}: {message}", _advice(key)) from failure


def _check_projects(tables: Any, where: str) -> None:
    named = cast("dict[str, Any]", tables if isinstance(tables, dict) else {"": tables})
    for folder, table in named.items():
        if not isinstance(table, dict) or PROJECTS in table:
            message = f"{PROJECTS} in {where}: should hold a table for each folder of a project"
            raise MindSkillsError("config_value", message, 'Write [projects."/home/me/shop"], and its settings below.')
        header = f'[projects."{folder}"] of {where}'
        for key, _ in leaves(canonical(cast("dict[str, Any]", table))[0]):
            _refuse_everywhere(key, header)
        check(cast("dict[str, Any]", table), header)


def _refuse_everywhere(key: str, where: str) -> None:
    if key in EVERYWHERE:
        message = f"{key} in {where}: holds for all projects or none"
        raise MindSkillsError("config_value", message, f"mind-skills config set {key} VALUE, without --project.")


def unknown_key(key: str, where: str) -> MindSkillsError:
    """The error for a key that does not exist: its hint names the nearest one that does, or the settings of a section."""
    inside = [known for known in KEYS if known.startswith(f"{key}.")]
    if inside and not where:
        return MindSkillsError("config_key", f"{key} is a section, not a setting", f"Name one of {', '.join(inside)}.")
    sections = {known.split(".")[0] for known in KEYS if "." in known}
    near = get_close_matches(key, [*KEYS, *sections], n=1, cutoff=0.4)
    near = near or get_close_matches(key.rpartition(".")[2], KEYS, n=1, cutoff=0.4)
    if near:
        hint = f"Did you mean {near[0]}?"
    else:
        *others, last = get_close_matches(key, KEYS, n=3, cutoff=0.0)
        hint = f"The nearest are {', '.join(others)} and {last}; `mind-skills config list` shows all."
    return MindSkillsError(
        "config_key", f"{key} in {where} is not a setting" if where else f"{key} is not a setting", hint
    )


def change(key: str, text: str, root: str | None) -> tuple[str, Value, str]:
    """Set ``key`` to ``text`` (a TOML value, or a plain word) in the user's file, for the project at ``root`` or for all.

    Returns (key, value, file).

    Comments and order of the file stay. Raises MindSkillsError where key or value are wrong, or the file was wrong before.
    """
    key = canonical_key(key)
    if key not in KEYS:
        raise unknown_key(key, "")
    path = Path(user_file())
    check(read(path), str(path))
    value = parsed(text)
    wanted: dict[str, Any] = {}
    put(wanted, key, value)
    check(wanted, "the command line")
    if root is not None:
        _refuse_everywhere(key, "one project")
        if not whole(root) == root:
            raise MindSkillsError("config_value", "the project's path is no text", "Rename its folder.")
    with config_file.editing(path):
        data = read(path)  # once more: another process may have set something meanwhile
        check(data, str(path))
        table = data if root is None else data.setdefault(PROJECTS, {}).setdefault(root, {})
        there = spelled(table, key)
        put(table, there, value)
        config_file.save(
            path, there if root is None else f"{PROJECTS}.{config_file.toml_value(root)}.{there}", value, data
        )
    return key, value, str(path)


def parsed(text: str) -> Value:
    """``text`` as a TOML value; as a string where it is none, so that nobody needs to quote twice."""
    try:
        data = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    value = data["value"]
    return value if len(data) == 1 and isinstance(value, bool | int | float | str) else text


def _advice(key: str) -> str:
    field: Any = Config.model_json_schema(by_alias=True)
    definitions = field.get("$defs", {})
    for part in key.split("."):
        field = field.get("properties", {}).get(part, {})
        if "$ref" in field:
            field = definitions[field["$ref"].rsplit("/", 1)[1]]
    if field.get("type") == "boolean":
        return "Write true or false."
    if field.get("type") == "integer":
        return f"Write a whole number from {field.get('minimum')} to {field.get('maximum')}."
    if field.get("type") == "number":
        return f"Write a number from {field.get('minimum'):g} to {field.get('maximum'):g}."
    if key == PREFIX:
        return f'Write one to three words, at most {PREFIX_LENGTH} characters, such as "AVOID: ".'
    if key.startswith("memory."):
        return f'Write text in quotes, such as "{getattr(Config().memory, key.removeprefix("memory."))}", or nothing in them.'
    if field.get("type") == "string":
        return "Write a folder inside the project, such as .claude/skills."
    return (
        f"[{key}] is a section: its settings are {', '.join(known for known in KEYS if known.startswith(key + '.'))}."
    )
