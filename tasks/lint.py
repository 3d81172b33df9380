"""`mind-skills skills lint`: which skills a path names, and what is wrong with each."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Literal

from mind_skills.errors import MindSkillsError
from mind_skills.learning.skills.discovery import Skill, find_installed, find_skills
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.learning.skills.lint import Flaw, lint
from mind_skills.output.document import Report
from mind_skills.output.text import path_text
from mind_skills.store.project import find
from mind_skills.tasks.skill_files import read_document

MOST = 1000
"""Skills in one folder that are looked at."""


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


def lint_path(named: str) -> LintReport:
    """The report on a SKILL.md, a skill's folder, or a folder of skills. Raises MindSkillsError where there is none."""
    paths = list_skill_files(named)
    top = os.path.dirname(os.path.dirname(paths[0]))
    others = _list_others(top)
    return make_report([(path, find_flaws(path, others)) for path in paths])


def find_flaws(path: str, others: tuple[Skill, ...] | None = None) -> list[Flaw]:
    """What is wrong with the skill whose SKILL.md is at ``path`` (absolute), errors first.

    ``others`` are the skills that a host would list with it; without them, those of its project and the home.
    """
    siblings = _list_others(os.path.dirname(os.path.dirname(path))) if others is None else others
    doc, wrong = read_document(path, siblings)
    found = [*wrong, *(lint(doc) if doc is not None else [])]
    return sorted(found, key=lambda flaw: flaw.severity != "error")


def make_report(found: list[tuple[str, list[Flaw]]]) -> LintReport:
    """Paths and flaws as a document."""
    skills = [
        SkillReport(
            path=path_text(path),
            name=path_text(os.path.basename(os.path.dirname(path))),
            flaws=[FlawReport.of(asdict(flaw)) for flaw in each],
        )
        for path, each in found
    ]
    severities = [flaw.severity for skill in skills for flaw in skill.flaws]
    totals = LintTotals(skills=len(skills), errors=severities.count("error"), warnings=severities.count("warning"))
    return LintReport(skills=skills, totals=totals)


def list_skill_files(named: str) -> list[str]:
    """The absolute paths of the SKILL.md files that are meant. Raises MindSkillsError where there is none."""
    path = os.path.abspath(os.path.expanduser(named))
    if not os.path.lexists(path):
        raise MindSkillsError(
            "path_missing", f"there is nothing at {named}", "Name a SKILL.md, or a folder with skills."
        )
    if os.path.basename(path) == FILE_NAME and not os.path.isdir(path):
        return [path]
    if os.path.isdir(path):
        if os.path.lexists(own := os.path.join(path, FILE_NAME)):
            return [own]
        names = sorted(os.listdir(path))[:MOST]
        if below := [file for name in names if os.path.lexists(file := os.path.join(path, name, FILE_NAME))]:
            return below
    hint = (
        "Name a SKILL.md (in capitals, as hosts look for it), its folder, or a folder of skills such as .claude/skills."
    )
    raise MindSkillsError("no_skill", f"there is no skill at {named}", hint)


def _list_others(top: str) -> tuple[Skill, ...]:
    """What a host would list: the skills of the folder ``top`` itself, of its project, and of the home."""
    found = {os.path.realpath(skill.path): skill for skill in find_skills([top]).skills}
    for skill in find_installed(find(folder=top).root).skills:
        found.setdefault(os.path.realpath(skill.path), skill)
    return tuple(found.values())
