"""The lint: every rule over one skill. Pure; tasks/skill_files.py reads files and YAML for it."""

from __future__ import annotations

from mind_skills.learning.skills import format as form
from mind_skills.learning.skills import safety
from mind_skills.learning.skills.collision import collision
from mind_skills.learning.skills.document import Document, Flaw

RULES = (
    form.name,
    form.description,
    form.keys,
    form.compatibility,
    form.metadata,
    form.size,
    safety.tools,
    safety.fetched,
    safety.included,
    safety.secrets,
    safety.hidden,
    safety.tags,
    collision,
)
"""In the order in which a person would mend them."""


def lint(doc: Document) -> list[Flaw]:
    """What is wrong with a skill: errors first, then warnings, each in the order of the rules. Never raises."""
    flaws = [flaw for rule in RULES for flaw in rule(doc)]
    return sorted(flaws, key=lambda flaw: flaw.severity != "error")
