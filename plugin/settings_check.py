"""Whether the settings files of a project are right: at little cost where they are, which is nearly always.

The strict reading, with errors that help, is plugin/config.py, and importing what it is made of takes longer than
`mind-skills status` may. So a file is first held against the bounds that hooks know (plugin/settings.py, plugin/rules.py);
only what they do not vouch for is read strictly. A test holds the two against each other.
"""

from __future__ import annotations

from typing import Any

from mind_skills.plugin import settings

ALLOWED = "a project's file may only switch off, lengthen idle_seconds and lower caps"
LONGEST_KEY = 50
"""Characters; the longest that there is has 40."""
WHOLE = {
    "idle_seconds": (10, 3600),
    "retention_days": (30, settings.LONGEST),
    "caps.per_session": (1, settings.CAPS["per_session"]),
    "caps.per_offer": (1, settings.CAPS["per_offer"]),
    "memory.episodes": (0, settings.MOST_EPISODES),
}
"""The whole numbers that plugin/rules.py does not know."""
SECTIONS = {"caps", "memory", "skills_dir"}
"""And the sections."""


def problems(root: str) -> list[str]:
    """What is wrong with the settings of the project at ``root``, in sentences. Never raises for what a file holds."""
    off = settings.unclear(root)
    found = [*map(unhonoured, settings.refused(root)), *([off] if off else [])]
    said, wrong = settings.read(settings.user_file())
    tables: Any = said.pop(settings.PROJECTS, {})
    of_project = any(settings.read(path)[1] for path in settings.files(root)[:-1])
    if not (off or wrong or of_project) and vouched(said) and _vouched_for_each(tables):
        return found
    from mind_skills.errors import MindSkillsError
    from mind_skills.plugin.config import load

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


def _vouched_for_each(tables: Any) -> bool:
    return isinstance(tables, dict) and all(
        isinstance(table, dict) and not {"retention_days", "memory", settings.PROJECTS} & set(table) and vouched(table)  # pyright: ignore[reportUnknownArgumentType]
        for table in tables.values()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    )


def vouched(said: dict[str, Any]) -> bool:
    """Whether all that a settings file says is surely right. False says nothing: it may be right in another way."""
    if not said:
        return True
    from mind_skills.plugin import rules

    known, twice = rules.canonical(said)
    if twice:
        return False
    return all(
        _section(name, value) if name in SECTIONS or name in rules.SECTIONS else _fits(name, value)
        for name, value in known.items()
    )


def _section(name: str, said: object) -> bool:
    if not isinstance(said, dict):
        return False
    return all(_fits(f"{name}.{key}", value) for key, value in said.items())  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportUnknownArgumentType]


def _fits(key: str, value: object) -> bool:
    if key in ("enabled", "redact_personal_data"):
        return isinstance(value, bool)
    from mind_skills.plugin import rules

    if key == rules.PREFIX:
        return rules.is_prefix(value)
    section, _, name = key.partition(".")
    if section == "skills_dir":
        return name in settings.SKILLS_DIR and settings.is_folder(value)
    bounds = WHOLE.get(key) or rules.NUMBERS.get(key, ("", None))[1]
    return bounds is not None and rules.in_bounds(value, bounds)
