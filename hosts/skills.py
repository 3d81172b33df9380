"""In which folders hosts look for skills, and which tools load one: what the specs say, taken together."""

from __future__ import annotations

from mind_skills.hosts import all_specs

PROJECT: dict[str, tuple[str, ...]] = {spec.name: spec.project_skills for spec in all_specs()}
"""Below the project, by host; each holds ``NAME/SKILL.md``."""

HOME: dict[str, tuple[str, ...]] = {spec.name: spec.home_skills for spec in all_specs()}
"""Below the user's home, where no setting moves them."""

LOADERS = frozenset(spec.skill_tool for spec in all_specs() if spec.skill_tool)
"""The tools that a model loads a skill with; what they are given is the skill's name."""

_PLACES = {place for each in (PROJECT, HOME) for places in each.values() for place in places}
_TOPS = "|".join(sorted({place.rpartition("/")[0].removeprefix(".").replace("/", r"[\\/]") for place in _PLACES}))
PLACE = rf"(?:^|[\\/])\.(?:{_TOPS})[\\/](?:.*[\\/])?skills?[\\/]"
"""A regular expression for whatever stands before a skill's own folder, of any host and of the plugins of any host."""

MOVED: dict[str, tuple[str, str]] = {
    spec.folder.partition("/")[0]: (spec.folder_variable, "" if "/" in spec.folder else spec.folder_below)
    for spec in all_specs()
}
"""The first folder of a place in the home: the variable that names another folder for it, and what stands below that."""
