"""The skills that sessions of a project can load or have loaded: their origin, their votes, and which should be archived."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal

from mind_skills.hosts.skills import HOME_SKILL_FOLDERS, PROJECT_SKILL_FOLDERS
from mind_skills.learning.maturity import get_multiplier
from mind_skills.learning.rules import load_maturity_config
from mind_skills.learning.skills.discovery import Skill, list_parents, resolve_homes
from mind_skills.learning.skills.standing import compute_rank_multiplier, explain_failing
from mind_skills.output.candidates import ProposalReport
from mind_skills.output.document import Report
from mind_skills.output.state import list_project_skills
from mind_skills.output.text import format_path
from mind_skills.redaction.text import clean_text
from mind_skills.report.document import SHARE_DIGITS, VoteReport
from mind_skills.report.skills import build_vote_fields, identify_skill, measure_skills
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_TITLE_LENGTH
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.store.project import Project


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
    multiplier of its state, whether or not it is failing. ``failing`` explains why it is clearly failing, or is empty.
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
    problems: list[str]
    """What a check of the skill found when it appeared (staging/skill_check.py)."""
    proposed: bool
    confidence: float | None
    low: float
    high: float
    votes: list[VoteReport]


def list_skills(ledger: Ledger, project: Project, now: int) -> list[StandingReport]:
    """Return all skills that sessions of the project can load or have loaded, most recently used first.

    ``now`` is in UTC milliseconds. Raises StoreError.
    """
    roots, config = [project.root, *ledger.list_roots(project)], load_maturity_config(project.root)
    skills = reversed(list_project_skills(ledger, project))  # the nearest of those with one key counts
    installed = {identify_skill(each.path, each.name, roots): each for each in skills}
    archived = {identify_skill(each.source, each.name, roots): each.target for each in ledger.list_archived(project)}
    accepted = {record.candidate.id: record for record in ledger.list_history(project) if record.state == "accepted"}
    reports: list[StandingReport] = []
    for uses, standing, others in measure_skills(
        installed, ledger.list_uses(project), ledger.list_outcomes(project), roots, config, now
    ):
        skill = installed.get(standing.key)
        path = skill.path if skill else uses[-1].path
        is_installed = skill is not None or bool(path and os.path.isfile(path))
        record = find_origin(skill, accepted.values()) if skill else None
        origin = record or next((accepted[use.candidate] for use in uses if use.candidate in accepted), None)
        failing = explain_failing(standing, others, config)
        reports.append(
            StandingReport(
                name=skill.name if skill else uses[-1].name,
                path=format_path(path),
                installed=is_installed,
                archived=format_path(archived.get(os.path.dirname(standing.key), "")),
                hosts=_find_hosts(path, project.root) if is_installed else [],
                candidate=origin.candidate.id if origin else "",
                origin=_build_origin(origin) if origin else None,
                multiplier=get_multiplier(standing.maturity.state),
                worth=compute_rank_multiplier(standing, others, config),
                failing=failing,
                problems=ledger.list_skill_problems(origin) if origin else [],
                proposed=bool(failing and record),
                confidence=None if standing.confidence is None else round(standing.confidence, SHARE_DIGITS),
                **build_vote_fields(standing),
            )
        )
    return sorted(reports, key=lambda each: (-(each.last_used or 0), each.name, each.path))


def list_proposals(reports: Iterable[StandingReport]) -> list[ProposalReport]:
    """Return the skills that are proposed for archiving."""
    return [ProposalReport.from_object(each, reason=each.failing) for each in reports if each.proposed]


def advise_failing(skill: StandingReport, project_option: str) -> str:
    """Return what to do about a failing skill, or why there is nothing to do."""
    if not skill.installed:
        return "It is archived." if skill.archived else "It was deleted."
    if skill.proposed:
        archive, restore = (
            f"`mind-skills skills {verb} {skill.name}{project_option}`" for verb in ("archive", "restore")
        )
        return f"Run {archive} to archive it; {restore} reverts that."
    return "It was not made from a candidate: change or delete it yourself."


def find_origin(skill: Skill, accepted: Iterable[StoredCandidate]) -> StoredCandidate | None:
    """Return the accepted candidate whose path or id identifies the skill, or None. A matching name is not enough."""
    records = list(accepted)
    path = os.path.normpath(skill.path)
    by_path = (record for record in records if record.detail and os.path.normpath(record.detail) == path)
    by_id = (record for record in records if skill.contains_id(record.candidate.id))
    return next(by_path, None) or next(by_id, None)


def _build_origin(record: StoredCandidate) -> OriginReport:
    candidate = record.candidate
    return OriginReport.from_object(
        candidate,
        candidate=candidate.id,
        title=clean_text(candidate.title, MAX_TITLE_LENGTH),
        accepted_at=record.settled_at,
    )


def _find_hosts(path: str, root: str) -> list[str]:
    """Return the hosts that read the skill at ``path``; Claude Code if only a folder of plugins contains it."""
    top = os.path.join(list_parents(root)[-1], "")
    hosts = [
        host
        for host, locations in PROJECT_SKILL_FOLDERS.items()
        for location in locations
        if path.startswith(top) and f"{os.sep}{location}{os.sep}" in path
    ]
    hosts += [
        host
        for host, locations in HOME_SKILL_FOLDERS.items()
        for home, rest in resolve_homes(locations)
        if path.startswith(os.path.join(home, rest) + os.sep)
    ]
    is_in_plugin = f"{os.sep}plugins{os.sep}" in path
    return list(dict.fromkeys(hosts)) or (["claude-code"] if is_in_plugin else [])
