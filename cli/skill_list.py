"""The installed skills of a project with what sessions made of them, and those that are gone but were used."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mind_skills.cli.origins import Readers, came_from, origin_report
from mind_skills.cli.skill_report import ProposalReport, StandingReport, VoteReport
from mind_skills.errors import MindSkillsError
from mind_skills.learning.maturity import MaturityConfig, multiplier
from mind_skills.learning.rules import maturity_of
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.skills.discovery import Skill, find_installed
from mind_skills.learning.skills.standing import (
    Load,
    Sessions,
    SkillStanding,
    compute_standing,
    count_sessions,
    explain_failing,
    rank_multiplier,
)
from mind_skills.output.text import path_text
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.uses import Ended, UsedSkill
from mind_skills.store.project import Project


@dataclass(frozen=True, slots=True)
class _Known:
    """What the reports of one project are made from."""

    accepted: dict[str, Record]
    uses: dict[str, list[UsedSkill]]
    skills: dict[str, Skill]
    archived: dict[str, str]
    everybody: Sessions
    readers: Readers
    stages: MaturityConfig


def listed(ledger: Ledger, project: Project, now: int) -> list[StandingReport]:
    """Every skill that a session of the project could load or has loaded, those used last first. Raises StoreError."""
    roots, stages = [project.root, *ledger.list_roots(project)], maturity_of(project.root)
    outcomes = {ended.session: ended for ended in ledger.list_outcomes(project)}
    uses: dict[str, list[UsedSkill]] = {}
    for use in ledger.list_uses(project):
        uses.setdefault(_key(use.path, use.name, roots), []).append(use)
    known = _Known(
        accepted={record.candidate.id: record for record in ledger.list_history(project) if record.state == "accepted"},
        uses=uses,
        skills={_key(skill.path, skill.name, roots): skill for skill in find_installed(project.root).skills},
        archived={_key(each.source, each.name, roots): each.target for each in ledger.list_archived(project)},
        everybody=count_sessions(
            (Load("", ended.session, ended.at, ended.type) for ended in outcomes.values()), stages, now=now
        ),
        readers=Readers(project.root),
        stages=stages,
    )
    reports = [_report(key, known, outcomes, now) for key in dict.fromkeys([*known.uses, *known.skills])]
    return sorted(reports, key=lambda each: (-(each.last_used or 0), each.name, each.path))


def named(reports: Iterable[StandingReport], name: str) -> list[StandingReport]:
    """Those of a name, or at a path. Raises MindSkillsError where there is none."""
    found = [each for each in reports if name in (each.name, each.path, os.path.dirname(each.path))]
    if not found:
        raise MindSkillsError(
            "unknown_skill", f"there is no skill {name} here", "`mind-skills skills list` has the names"
        )
    return found


def proposals(reports: Iterable[StandingReport]) -> list[ProposalReport]:
    """Those that are proposed for the archive."""
    return [
        ProposalReport(name=each.name, path=each.path, candidate=each.candidate, reason=each.failing)
        for each in reports
        if each.proposed
    ]


def _key(path: str, name: str, roots: Iterable[str]) -> str:
    """What makes two uses those of one skill: its path, in the project's folder the same in each of its worktrees."""
    if not path:
        return name
    path = os.path.normpath(path)
    inside = [root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep)]
    return os.path.relpath(path, max(inside, key=len)) if inside else path


def _report(key: str, known: _Known, outcomes: dict[str, Ended], now: int) -> StandingReport:
    mine, skill = known.uses.get(key, []), known.skills.get(key)
    loads = {use.session: Load(key, use.session, use.at, _outcome(outcomes, use.session)) for use in mine}
    stands = compute_standing(key, list(loads.values()), config=known.stages, now=now)
    others = known.everybody.without(stands)
    path = skill.path if skill else mine[-1].path
    record = came_from(skill, known.accepted.values()) if skill else None
    of = record or next((known.accepted[use.candidate] for use in mine if use.candidate in known.accepted), None)
    why = explain_failing(stands, others, known.stages)
    return StandingReport(
        name=skill.name if skill else mine[-1].name,
        path=path_text(path),
        installed=skill is not None or bool(path and os.path.isfile(path)),
        archived=path_text(known.archived.get(os.path.dirname(key), "")),
        hosts=known.readers.of(path),
        candidate=of.candidate.id if of else "",
        origin=origin_report(of) if of else None,
        failing=why,
        proposed=bool(why and record),
        worth=rank_multiplier(stands, others, known.stages),
        votes=_votes(stands),
        **_figures(stands),
    )


def _outcome(outcomes: dict[str, Ended], session: str) -> OutcomeType:
    return outcomes[session].type if session in outcomes else "unknown"


def _votes(stands: SkillStanding) -> list[VoteReport]:
    counted = {vote.source for vote in stands.votes}
    return [
        VoteReport(session=load.session, at=load.at, outcome=load.outcome, counts=load.session in counted)
        for load in stands.loads
    ]


def _figures(stands: SkillStanding) -> dict[str, Any]:
    return {
        "loads": len(stands.loads),
        "helpful": stands.maturity.helpful_count,
        "harmful": stands.maturity.harmful_count,
        "last_used": stands.last_used,
        "state": stands.maturity.state,
        "multiplier": multiplier(stands.maturity.state),
        "confidence": None if stands.confidence is None else round(stands.confidence, 3),
        "low": round(stands.bounds[0], 3),
        "high": round(stands.bounds[1], 3),
    }
