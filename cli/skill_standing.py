"""The skills that sessions of a project can load: where each came from, its votes, and which are proposed for the archive."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from mind_skills.cli.overview import ProposalReport
from mind_skills.hosts.skills import HOME, PROJECT
from mind_skills.learning.maturity import MaturityConfig, multiplier
from mind_skills.learning.rules import maturity_of
from mind_skills.learning.skills.discovery import Skill, find_installed, list_parents, resolve_homes
from mind_skills.learning.skills.standing import (
    Load,
    Sessions,
    SkillStanding,
    compute_standing,
    count_sessions,
    explain_failing,
    rank_multiplier,
)
from mind_skills.output.document import Report
from mind_skills.output.text import path_text
from mind_skills.redaction.text import clean
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import TITLE
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.uses import UsedSkill
from mind_skills.store.project import Project


class VoteReport(Report):
    """A session that loaded the skill, and how it came out; ``counts`` says whether that is a vote."""

    session: str
    at: int
    outcome: Literal["helpful", "neutral", "harmful", "unknown"]
    counts: bool


class OriginReport(Report):
    """The learning that a skill came from: the sessions that saw it, the host of the first, and when it was accepted."""

    candidate: str
    title: str
    kind: str
    host: str
    sessions: list[str]
    accepted_at: int | None


class StandingReport(Report):
    """A skill. ``confidence`` is the share of helpful votes as they have faded, null without votes, with its 95 % bounds.

    ``candidate`` is the learning that it came from, empty where it came from none, ``origin`` what is known of it;
    ``installed`` is false where no file is found any more, ``archived`` is the folder where it stands then if it was put
    aside, else empty. ``hosts`` read it. ``state`` and ``multiplier`` are the documents', ``worth`` is what it makes of a
    rank. ``failing`` says why it fails for sure, else it is empty; ``proposed`` whether it is proposed for the archive,
    which one that came from no learning of ours never is.
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
class _Project:
    """What the skills of one project are judged by."""

    accepted: dict[str, Record]
    uses: dict[str, list[UsedSkill]]
    skills: dict[str, Skill]
    archived: dict[str, str]
    loads: dict[str, Load]
    """Every session that has ended, by its id."""
    everybody: Sessions
    readers: list[tuple[str, str]]
    """Folders of skills, and the hosts that look into them."""
    stages: MaturityConfig


def list_skills(ledger: Ledger, project: Project, now: int) -> list[StandingReport]:
    """Every skill that a session of the project could load or has loaded, those used last first. Raises StoreError.

    ``now`` is UTC milliseconds.
    """
    roots, stages = [project.root, *ledger.list_roots(project)], maturity_of(project.root)
    loads = {ended.session: Load("", ended.session, ended.at, ended.type) for ended in ledger.list_outcomes(project)}
    uses: dict[str, list[UsedSkill]] = {}
    for use in ledger.list_uses(project):
        uses.setdefault(_key(use.path, use.name, roots), []).append(use)
    known = _Project(
        accepted={record.candidate.id: record for record in ledger.list_history(project) if record.state == "accepted"},
        uses=uses,
        skills={_key(skill.path, skill.name, roots): skill for skill in find_installed(project.root).skills},
        archived={_key(each.source, each.name, roots): each.target for each in ledger.list_archived(project)},
        loads=loads,
        everybody=count_sessions(loads.values(), stages, now=now),
        readers=_readers(project.root),
        stages=stages,
    )
    reports = [_report(key, known, now) for key in dict.fromkeys([*known.uses, *known.skills])]
    return sorted(reports, key=lambda each: (-(each.last_used or 0), each.name, each.path))


def list_proposals(reports: Iterable[StandingReport]) -> list[ProposalReport]:
    """Those that are proposed for the archive."""
    return [ProposalReport.copy(each, reason=each.failing) for each in reports if each.proposed]


def find_origin(skill: Skill, accepted: Iterable[Record]) -> Record | None:
    """The accepted candidate that became this very file, or that its text names; the name alone proves nothing."""
    records = list(accepted)
    path = os.path.normpath(skill.path)
    same = (record for record in records if record.detail and os.path.normpath(record.detail) == path)
    named = (record for record in records if skill.names(record.candidate.id))
    return next(same, None) or next(named, None)


def _key(path: str, name: str, roots: Iterable[str]) -> str:
    """What makes two uses those of one skill: its path, in the project's folder the same in each of its worktrees."""
    if not path:
        return name
    path = os.path.normpath(path)
    inside = [root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep)]
    return os.path.relpath(path, max(inside, key=len)) if inside else path


def _report(key: str, known: _Project, now: int) -> StandingReport:
    mine, skill = known.uses.get(key, []), known.skills.get(key)
    loads = {
        use.session: Load(
            key, use.session, use.at, known.loads[use.session].outcome if use.session in known.loads else "unknown"
        )
        for use in mine
    }
    stands = compute_standing(key, list(loads.values()), config=known.stages, now=now)
    others = known.everybody.without(stands)
    path = skill.path if skill else mine[-1].path
    record = find_origin(skill, known.accepted.values()) if skill else None
    of = record or next((known.accepted[use.candidate] for use in mine if use.candidate in known.accepted), None)
    why = explain_failing(stands, others, known.stages)
    return StandingReport(
        name=skill.name if skill else mine[-1].name,
        path=path_text(path),
        installed=skill is not None or bool(path and os.path.isfile(path)),
        archived=path_text(known.archived.get(os.path.dirname(key), "")),
        hosts=_hosts(path, known.readers),
        candidate=of.candidate.id if of else "",
        origin=_origin(of) if of else None,
        failing=why,
        proposed=bool(why and record),
        worth=rank_multiplier(stands, others, known.stages),
        **_figures(stands),
    )


def _origin(record: Record) -> OriginReport:
    candidate = record.candidate
    return OriginReport.copy(
        candidate, candidate=candidate.id, title=clean(candidate.title, TITLE), accepted_at=record.settled_at
    )


def _readers(root: str) -> list[tuple[str, str]]:
    found = [
        (os.path.join(folder, place), host)
        for folder in list_parents(root)
        for host, places in PROJECT.items()
        for place in places
    ]
    return found + [
        (os.path.join(home, rest), host) for host, places in HOME.items() for home, rest in resolve_homes(places)
    ]


def _hosts(path: str, readers: list[tuple[str, str]]) -> list[str]:
    """The hosts that read the skill whose file is at ``path``; Claude Code where a plugin of it brought the skill."""
    found = [host for top, host in readers if path.startswith(top + os.sep)]
    plugin = f"{os.sep}plugins{os.sep}" in path
    return list(dict.fromkeys(found)) or (["claude-code"] if plugin else [])


def _figures(stands: SkillStanding) -> dict[str, Any]:
    counted = {vote.source for vote in stands.votes}
    return {
        "votes": [VoteReport.copy(load, counts=load.session in counted) for load in stands.loads],
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
