"""Skill folders of all hosts, collected from their specs."""

from __future__ import annotations

from mind_skills.hosts import load_all_specs

PROJECT_SKILL_FOLDERS: dict[str, tuple[str, ...]] = {spec.name: spec.project_skill_folders for spec in load_all_specs()}
"""Skill folders by host, relative to the project; each contains ``NAME/SKILL.md``."""

HOME_SKILL_FOLDERS: dict[str, tuple[str, ...]] = {spec.name: spec.home_skill_folders for spec in load_all_specs()}
"""Default skill folders by host, relative to the user's home."""

_ALL_FOLDERS = {
    folder
    for folders_by_host in (PROJECT_SKILL_FOLDERS, HOME_SKILL_FOLDERS)
    for folders in folders_by_host.values()
    for folder in folders
}
_PARENTS = {folder.rpartition("/")[0].removeprefix(".").replace("/", r"[\\/]") for folder in _ALL_FOLDERS}
SKILL_FOLDER_PATTERN = rf"(?:^|[\\/])\.(?:{'|'.join(sorted(_PARENTS))})[\\/](?:.*[\\/])?skills?[\\/]"
"""A regular expression for the part of a path from a host's folder up to a skill's own folder, including plugins."""

FOLDER_OVERRIDES: dict[str, tuple[str, str]] = {
    spec.settings_folder.partition("/")[0]: (
        spec.settings_folder_env_var,
        "" if "/" in spec.settings_folder else spec.settings_folder_suffix,
    )
    for spec in load_all_specs()
    if spec.settings_folder_env_var
}
"""By the first component of a home skill folder: the environment variable that overrides this component, and the subfolder
of the variable's value to use."""
