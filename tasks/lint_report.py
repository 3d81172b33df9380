"""The JSON of `mind-skills skills lint`, as models; docs/schemas is generated from here."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


class FlawReport(Report):
    """One thing that is wrong. ``code`` is stable; ``line`` is 1-based in the SKILL.md, 0 for the skill as a whole."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    hint: str
    source: str
    line: int


class SkillReport(Report):
    """A skill and what is wrong with it, errors first. ``name`` is its folder's."""

    path: str
    name: str
    flaws: list[FlawReport]


class LintTotals(Report):
    """Sums over the skills."""

    skills: int
    errors: int
    warnings: int


class LintReport(Report):
    """`mind-skills skills lint PATH --json`."""

    version: Literal[1] = 1
    skills: list[SkillReport]
    totals: LintTotals
