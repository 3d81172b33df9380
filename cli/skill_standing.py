"""The skills that sessions of a project can load or have loaded: their origin, their votes, and which should be archived."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from mind_skills.cli.status_report import ProposalReport
from mind_skills.hosts.skills import HOME_SKILL_FOLDERS, PROJECT_SKILL_FOLDERS
from mind_skills.learning.maturity import MaturityConfig, get_multiplier
from mind_skills.learning.rules import load_maturity_config
from mind_skills.learning.skills.discovery import Skill, find_installed_skills, list_parents, resolve_homes
from mind_skills.learning.skills.standing import (
    OutcomeTotals,
    SkillLoad,
    SkillStanding,
    compute_rank_multiplier,
    compute_standing,
    explain_failing,
    sum_outcomes,
)
from mind_skills.output.document import Report
from mind_skills.output.text import format_path
from mind_skills.redaction.text import clean_text
from mind_skills.report.skills import identify_skill
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_TITLE_LENGTH
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.staging.tables.sessions import UsedSkill
from mind_skills.store.project import Project


class VoteReport(Report):
    """A session that loaded the skill, and the outcome of that session; ``counts`` is true if the outcome is a vote."""

    session: str
    at: int
    outcome: Literal["helpful", "neutral", "harmful", "unknown"]
    counts: bool


class OriginReport(Report):
    """The candidate that a skill was made from. It was detected in ``sessions``, first in a session of ``host``."""

    candidate: str
    title: str
    kind: str
    host: str
    sessions: list[str]
    accepted_at: int | None


class StandingReport(Report):
    """A skill, its votes, and what follows from them.

    ``confidence`` is the helpful fraction of the decayed votes, null without votes, with 95 % bounds ``low`` and
    ``high``. ``candidate`` is the id of the candidate that the skill was made from, or empty; ``origin`` describes the
    candidate. ``installed`` is false if the file no longer exists; ``archived`` is the skill's folder in the archive,
    or empty. ``hosts`` are the hosts that read the skill. ``worth`` is its rank multiplier; ``multiplier`` is the rank
    multiplier of its state, whether or not it fails. ``failing`` explains why the skill certainly fails, or is empty.
    ``proposed`` is true if the skill is proposed for archiving, for which it must have been made from a candidate.
    """

    name: str
    path: str
    installed: bool
    archived: str
    hosts: list[str]
    candidate: str
    origin: OriginReport | None
    loads: int
    helpful: int
    harmful: int
    last_used: int | None
    state: Literal["candidate", "established", "proven", "deprecated"]
    multiplier: float
    worth: float
    failing: str
    proposed: bool
    confidence: float | None
    low: float
    high: float
    votes: list[VoteReport]


@dataclass(frozen=True, slots=True)
class _SkillData:
    """The data of a project from which the standings of its skills are computed. ``identify_skill`` returns their keys."""

    accepted: dict[str, StoredCandidate]
    """Accepted candidates by their ids."""
    uses: dict[str, list[UsedSkill]]
    """Uses by the key of the skill."""
    skills: dict[str, Skill]
    """Installed skills by their keys."""
    archived: dict[str, str]
    """Folders in the archive by the keys of the original folders."""
    finished_sessions: dict[str, SkillLoad]
    """All finished sessions by their ids, as loads of no particular skill."""
    all_sessions: OutcomeTotals
    skill_folders: list[tuple[str, str]]
    """Skill folders and the hosts that read them."""
    maturity_config: MaturityConfig


def list_skills(ledger: Ledger, project: Project, now: int) -> list[StandingReport]:
    """Return all skills that sessions of the project can load or have loaded, most recently used first.

    ``now`` is in UTC milliseconds. Raises StoreError.
    """
    roots, maturity_config = [project.root, *ledger.list_roots(project)], load_maturity_config(project.root)
    finished_sessions = {
        ended.session: SkillLoad("", ended.session, ended.at, ended.type) for ended in ledger.list_outcomes(project)
    }
    uses: dict[str, list[UsedSkill]] = {}
    for use in ledger.list_uses(project):
        uses.setdefault(identify_skill(use.path, use.name, roots), []).append(use)
    data = _SkillData(
        accepted={record.candidate.id: record for record in ledger.list_history(project) if record.state == "accepted"},
        uses=uses,
        skills={
            identify_skill(skill.path, skill.name, roots): skill for skill in find_installed_skills(project.root).skills
        },
        archived={identify_skill(each.source, each.name, roots): each.target for each in ledger.list_archived(project)},
        finished_sessions=finished_sessions,
        all_sessions=sum_outcomes(finished_sessions.values(), maturity_config, now=now),
        skill_folders=_list_skill_folders(project.root),
        maturity_config=maturity_config,
    )
    reports = [_build_report(key, data, now) for key in dict.fromkeys([*data.uses, *data.skills])]
    return sorted(reports, key=lambda each: (-(each.last_used or 0), each.name, each.path))


def list_proposals(reports: Iterable[StandingReport]) -> list[ProposalReport]:
    """Return the skills that are proposed for archiving."""
    return [ProposalReport.copy(each, reason=each.failing) for each in reports if each.proposed]


def find_origin(skill: Skill, accepted: Iterable[StoredCandidate]) -> StoredCandidate | None:
    """Return the accepted candidate whose path or id identifies the skill, or None. A matching name is not enough."""
    records = list(accepted)
    path = os.path.normpath(skill.path)
    by_path = (record for record in records if record.detail and os.path.normpath(record.detail) == path)
    by_id = (record for record in records if skill.contains_id(record.candidate.id))
    return next(by_path, None) or next(by_id, None)


def _build_report(key: str, data: _SkillData, now: int) -> StandingReport:
    uses, skill = data.uses.get(key, []), data.skills.get(key)
    finished = data.finished_sessions
    loads = {
        use.session: SkillLoad(
            key, use.session, use.at, finished[use.session].outcome if use.session in finished else "unknown"
        )
        for use in uses
    }
    standing = compute_standing(key, list(loads.values()), config=data.maturity_config, now=now)
    others = data.all_sessions.subtract(standing)
    path = skill.path if skill else uses[-1].path
    record = find_origin(skill, data.accepted.values()) if skill else None
    origin = record or next((data.accepted[use.candidate] for use in uses if use.candidate in data.accepted), None)
    failing = explain_failing(standing, others, data.maturity_config)
    return StandingReport(
        name=skill.name if skill else uses[-1].name,
        path=format_path(path),
        installed=skill is not None or bool(path and os.path.isfile(path)),
        archived=format_path(data.archived.get(os.path.dirname(key), "")),
        hosts=_find_hosts(path, data.skill_folders),
        candidate=origin.candidate.id if origin else "",
        origin=_build_origin(origin) if origin else None,
        failing=failing,
        proposed=bool(failing and record),
        worth=compute_rank_multiplier(standing, others, data.maturity_config),
        **_build_vote_fields(standing),
    )


def _build_origin(record: StoredCandidate) -> OriginReport:
    candidate = record.candidate
    return OriginReport.copy(
        candidate,
        candidate=candidate.id,
        title=clean_text(candidate.title, MAX_TITLE_LENGTH),
        accepted_at=record.settled_at,
    )


def _list_skill_folders(root: str) -> list[tuple[str, str]]:
    project_folders = [
        (os.path.join(folder, location), host)
        for folder in list_parents(root)
        for host, locations in PROJECT_SKILL_FOLDERS.items()
        for location in locations
    ]
    home_folders = [
        (os.path.join(home, rest), host)
        for host, locations in HOME_SKILL_FOLDERS.items()
        for home, rest in resolve_homes(locations)
    ]
    return project_folders + home_folders


def _find_hosts(path: str, skill_folders: list[tuple[str, str]]) -> list[str]:
    """Return the hosts that read the skill at ``path``; Claude Code if only a folder of plugins contains it."""
    hosts = [host for folder, host in skill_folders if path.startswith(folder + os.sep)]
    is_in_plugin = f"{os.sep}plugins{os.sep}" in path
    return list(dict.fromkeys(hosts)) or (["claude-code"] if is_in_plugin else [])


def _build_vote_fields(standing: SkillStanding) -> dict[str, Any]:
    counted_sessions = {vote.source for vote in standing.votes}
    return {
        "votes": [VoteReport.copy(load, counts=load.session in counted_sessions) for load in standing.loads],
        "loads": len(standing.loads),
        "helpful": standing.maturity.helpful_count,
        "harmful": standing.maturity.harmful_count,
        "last_used": standing.last_used,
        "state": standing.maturity.state,
        "multiplier": get_multiplier(standing.maturity.state),
        "confidence": None if standing.confidence is None else round(standing.confidence, 3),
        "low": round(standing.bounds[0], 3),
        "high": round(standing.bounds[1], 3),
    }
