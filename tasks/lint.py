"""`mind-skills skills lint`: finds the skills at a path and reports their flaws (learning/skills/check.py)."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Literal

from mind_skills.errors import MindSkillsError
from mind_skills.learning.skills.check import find_flaws, list_others
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.learning.skills.lint import LintProblem
from mind_skills.output.document import Report
from mind_skills.output.text import format_path

MAX_FOLDER_ENTRIES = 1000
"""Maximum number of entries of a folder of skills that are examined."""


class FlawReport(Report):
    """One flaw. ``code`` is stable. ``line`` is the line in the SKILL.md, counted from 1, or 0 if the flaw concerns the
    whole skill or another file.
    """

    code: str
    severity: Literal["error", "warning"]
    message: str
    hint: str
    source: str
    line: int


class SkillReport(Report):
    """A skill and its flaws, errors first. ``name`` is the name of the skill's folder."""

    path: str
    name: str
    flaws: list[FlawReport]


class LintTotals(Report):
    """The number of skills, and the numbers of their flaws by severity."""

    skills: int
    errors: int
    warnings: int


class LintReport(Report):
    """`mind-skills skills lint PATH --json`."""

    version: Literal[1] = 1
    skills: list[SkillReport]
    totals: LintTotals


def lint_path(given_path: str) -> LintReport:
    """Check a SKILL.md, a skill's folder, or a folder of skills. Raises MindSkillsError if there is no skill."""
    paths = list_skill_files(given_path)
    top = os.path.dirname(os.path.dirname(paths[0]))
    others = list_others(top)
    return make_report([(path, find_flaws(path, others)) for path in paths])


def make_report(skill_flaws: list[tuple[str, list[LintProblem]]]) -> LintReport:
    """Build the report from pairs of a skill's path and its flaws."""
    skills = [
        SkillReport(
            path=format_path(path),
            name=format_path(os.path.basename(os.path.dirname(path))),
            flaws=[FlawReport.from_values(asdict(flaw)) for flaw in flaws],
        )
        for path, flaws in skill_flaws
    ]
    severities = [flaw.severity for skill in skills for flaw in skill.flaws]
    totals = LintTotals(skills=len(skills), errors=severities.count("error"), warnings=severities.count("warning"))
    return LintReport(skills=skills, totals=totals)


def list_skill_files(given_path: str) -> list[str]:
    """Return the absolute paths of the SKILL.md files at ``given_path``. Raises MindSkillsError if there are none."""
    path = os.path.abspath(os.path.expanduser(given_path))
    if not os.path.lexists(path):
        raise MindSkillsError(
            "path_missing", f"{given_path} does not exist", "Give the path of a SKILL.md or of a folder of skills."
        )
    if os.path.basename(path) == FILE_NAME and not os.path.isdir(path):
        return [path]
    if os.path.isdir(path):
        if os.path.lexists(direct := os.path.join(path, FILE_NAME)):
            return [direct]
        names = sorted(os.listdir(path))[:MAX_FOLDER_ENTRIES]
        if nested := [file for name in names if os.path.lexists(file := os.path.join(path, name, FILE_NAME))]:
            return nested
    hint = "Give the path of a SKILL.md (in capitals, as hosts require), of its folder, or of a folder of skills such as .claude/skills."
    raise MindSkillsError("no_skill", f"there is no skill at {given_path}", hint)
