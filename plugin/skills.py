"""The installed skills of a project with what sessions made of them, and those that are gone but were used."""

from __future__ import annotations

import os
from collections.abc import Iterable

from mind_skills.learning.maturity import multiplier
from mind_skills.learning.skills.discovery import Skill, installed
from mind_skills.learning.skills.standing import Load, SkillStanding, standing
from mind_skills.plugin.errors import MindSkillsError
from mind_skills.plugin.output import path_text
from mind_skills.plugin.skill_report import StandingReport, VoteReport
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.usage import UsedSkill
from mind_skills.store.project import Project


def listed(ledger: Ledger, project: Project, now: int) -> list[StandingReport]:
    """Every skill that a session of the project could load or has loaded, those used last first. Raises StoreError."""
    used = ledger.skills_used(project)
    outcomes = {ended.session: ended for ended in ledger.outcomes(project)}
    loads: dict[str, list[Load]] = {}
    for use in used:
        ended = outcomes.get(use.session)
        kind = "unknown" if ended is None else ended.type
        loads.setdefault(_key(use.path, use.name), []).append(Load(_key(use.path, use.name), use.session, use.at, kind))
    known = {_key(skill.path, skill.name): skill for skill in installed(project.root).skills}
    keys = dict.fromkeys([*loads, *known])
    reports = [_report(key, standing(key, loads.get(key, []), now=now), known.get(key), used) for key in keys]
    return sorted(reports, key=lambda each: (-(each.last_used or 0), each.name, each.path))


def named(reports: Iterable[StandingReport], name: str) -> list[StandingReport]:
    """Those of a name, or at a path. Raises MindSkillsError where there is none."""
    found = [each for each in reports if name in (each.name, each.path)]
    if not found:
        raise MindSkillsError(
            "unknown_skill", f"there is no skill {name} here", "`mind-skills skills list` has the names"
        )
    return found


def _key(path: str, name: str) -> str:
    return os.path.normpath(path) if path else name


def _report(key: str, stands: SkillStanding, skill: Skill | None, used: list[UsedSkill]) -> StandingReport:
    mine = [use for use in used if _key(use.path, use.name) == key]
    path = skill.path if skill else mine[0].path
    counted = {vote.source for vote in stands.votes}
    return StandingReport(
        name=skill.name if skill else mine[0].name,
        path=path_text(path),
        installed=skill is not None or bool(path and os.path.isfile(path)),
        candidate=next((use.candidate for use in mine if use.candidate), ""),
        loads=len(stands.loads),
        helpful=stands.maturity.helpful_count,
        harmful=stands.maturity.harmful_count,
        last_used=stands.last_used,
        state=stands.maturity.state,
        multiplier=multiplier(stands.maturity.state),
        confidence=None if stands.confidence is None else round(stands.confidence, 3),
        low=round(stands.bounds[0], 3),
        high=round(stands.bounds[1], 3),
        votes=[
            VoteReport(session=load.session, at=load.at, outcome=load.outcome, counts=load.session in counted)
            for load in stands.loads
        ],
    )
