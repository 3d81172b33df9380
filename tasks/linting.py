"""`mind-skills skills lint`: which skills a path means, and what is wrong with each."""

from __future__ import annotations

import os

from mind_skills.errors import MindSkillsError
from mind_skills.learning.skills.discovery import Skill, find_installed, find_skills
from mind_skills.learning.skills.document import Flaw
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.learning.skills.lint import lint
from mind_skills.output.text import path_text
from mind_skills.store.project import find
from mind_skills.tasks.lint_report import FlawReport, LintReport, LintTotals, SkillReport
from mind_skills.tasks.skill_files import document

MOST = 1000
"""Skills in one folder that are looked at."""


def examine(named: str) -> LintReport:
    """The report on a SKILL.md, a skill's folder, or a folder of skills. Raises MindSkillsError where there is none."""
    paths = skills_at(named)
    top = os.path.dirname(os.path.dirname(paths[0]))
    others = _others(top)
    return report([(path, flaws(path, others)) for path in paths])


def flaws(path: str, others: tuple[Skill, ...] | None = None) -> list[Flaw]:
    """What is wrong with the skill whose SKILL.md is at ``path`` (absolute), errors first.

    ``others`` are the skills that a host would list with it; without them, those of its project and the home.
    """
    beside = _others(os.path.dirname(os.path.dirname(path))) if others is None else others
    doc, wrong = document(path, beside)
    found = [*wrong, *(lint(doc) if doc is not None else [])]
    return sorted(found, key=lambda flaw: flaw.severity != "error")


def report(found: list[tuple[str, list[Flaw]]]) -> LintReport:
    """Paths and flaws as a document."""
    skills = [
        SkillReport(path=path_text(path), name=path_text(os.path.basename(os.path.dirname(path))), flaws=_reports(each))
        for path, each in found
    ]
    told = [flaw.severity for skill in skills for flaw in skill.flaws]
    totals = LintTotals(skills=len(skills), errors=told.count("error"), warnings=told.count("warning"))
    return LintReport(skills=skills, totals=totals)


def skills_at(named: str) -> list[str]:
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


def _others(top: str) -> tuple[Skill, ...]:
    """What a host would list: the skills of the folder ``top`` itself, of its project, and of the home."""
    found = {os.path.realpath(skill.path): skill for skill in find_skills([top]).skills}
    for skill in find_installed(find(folder=top).root).skills:
        found.setdefault(os.path.realpath(skill.path), skill)
    return tuple(found.values())


def _reports(found: list[Flaw]) -> list[FlawReport]:
    return [
        FlawReport(code=f.code, severity=f.severity, message=f.message, hint=f.hint, source=f.source, line=f.line)
        for f in found
    ]
