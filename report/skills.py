"""Skills that came from learnings or that sessions loaded: their votes, and whether they help."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mind_skills.hooks.receipts import get_skill_name
from mind_skills.learning.maturity import MaturityConfig, MaturityFeedback, compute_decayed_counts
from mind_skills.learning.rules import load_maturity_config
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.skills.proof import Case, compare_arms, summarise_arm
from mind_skills.learning.skills.standing import (
    OutcomeTotals,
    SkillLoad,
    SkillStanding,
    compute_standing,
    explain_failing,
    sum_outcomes,
)
from mind_skills.learning.statistics import compute_wilson_interval
from mind_skills.output.text import clean_path
from mind_skills.report.document import (
    SHARE_DIGITS,
    ComparedReport,
    PointReport,
    ProofReport,
    RemindersReport,
    SideReport,
    SkillProofReport,
    SkillReport,
    VoteReport,
)
from mind_skills.staging.tables.sessions import SessionOutcome, UsedSkill

if TYPE_CHECKING:
    from mind_skills.staging.skill_cases import SkillCases
    from mind_skills.staging.tables.overview import Overview, ProjectSummary

EVEN_POINTS, MAX_VOTE_POINTS = 16, 24
"""Points of a curve: the number of evenly spaced ones, and the maximum number of those at votes. The last vote and the
present are points in addition."""


# -- votes -----------------------------------------------------------------------------------------------------------


def list_skills(overview: Overview, names: Mapping[str, str], now: int) -> list[SkillReport]:
    """Return the skills with their states at ``now`` (UTC ms), latest use first; ``names`` maps project ids to names."""
    skills = [
        skill.replace(project=names[project.id])
        for project in overview.projects
        for skill in _list_project_skills(overview, project, now)
    ]
    return sorted(skills, key=lambda skill: (-(skill.last_used or 0), skill.name, skill.path))


def _list_project_skills(overview: Overview, project: ProjectSummary, now: int) -> list[SkillReport]:
    config = load_maturity_config(project.roots[0]) if project.roots else MaturityConfig()
    accepted = [each for each in overview.records if each.project == project.id and each.state == "accepted"]
    accepted_skills = {identify_skill(each.detail, "", project.roots): each for each in accepted if each.detail}
    by_id = {each.candidate.id: each for each in accepted}
    archived_paths = {os.path.normpath(each.source) for each in overview.archived}
    skills: list[SkillReport] = []
    for skill in measure_skills(
        accepted_skills,
        [each for each in overview.uses if each.project == project.id],
        [each for each in overview.outcomes if each.project == project.id],
        project.roots,
        config,
        now,
    ):
        standing = skill.standing
        origin = accepted_skills.get(standing.key) or next(
            (by_id[use.candidate] for use in skill.uses if use.candidate in by_id), None
        )
        path = skill.uses[-1].path if skill.uses else origin.detail if origin else ""
        skills.append(
            SkillReport(
                name=clean_path(skill.uses[-1].name if skill.uses else get_skill_name(path)),
                path=clean_path(path),
                project=project.id,
                candidate=origin.candidate.id if origin else "",
                installed=bool(path) and os.path.isfile(path),
                archived=os.path.normpath(os.path.dirname(path)) in archived_paths,
                failing=explain_failing(standing, skill.others, config),
                share=None if standing.confidence is None else round(standing.confidence, SHARE_DIGITS),
                left=round(standing.decayed_helpful + standing.decayed_harmful, SHARE_DIGITS),
                curve=sample_curve(standing.votes, config, now),
                **build_vote_fields(standing),
            )
        )
    return skills


class MeasuredSkill(NamedTuple):
    """The uses of a skill, oldest first, the votes of these sessions, and the outcomes of the sessions without the skill."""

    uses: list[UsedSkill]
    standing: SkillStanding
    others: OutcomeTotals


def measure_skills(
    keys: Iterable[str],
    uses: Iterable[UsedSkill],
    ended: Sequence[SessionOutcome],
    roots: Iterable[str],
    config: MaturityConfig,
    now: int,
) -> list[MeasuredSkill]:
    """Measure the skills of a project: those that its sessions used, then those of ``keys`` that none did."""
    outcomes = {each.session: SkillLoad("", each.session, each.at, each.type) for each in ended}
    totals = sum_outcomes(outcomes.values(), config, now=now)
    uses_by_key: dict[str, list[UsedSkill]] = {}
    for use in uses:
        uses_by_key.setdefault(identify_skill(use.path, use.name, roots), []).append(use)
    skills: list[MeasuredSkill] = []
    for key in dict.fromkeys([*uses_by_key, *keys]):
        skill_uses = uses_by_key.get(key, [])
        last_used = {use.session: use.at for use in skill_uses}
        ended_loads = [outcomes[session] for session in last_used if session in outcomes]
        types: dict[str, OutcomeType] = {each.session: each.outcome for each in ended_loads}
        loads = [SkillLoad(key, session, at, types.get(session, "unknown")) for session, at in last_used.items()]
        standing = compute_standing(key, loads, config=config, now=now)
        others = totals.subtract(sum_outcomes(ended_loads, config, now=now))
        skills.append(MeasuredSkill(skill_uses, standing, others))
    return skills


def build_vote_fields(standing: SkillStanding) -> dict[str, Any]:
    """Return the members that the documents of skills have in common: votes, and what follows from them."""
    counted_sessions = {vote.source for vote in standing.votes}
    return {
        "state": standing.maturity.state,
        "loads": len(standing.loads),
        "helpful": standing.maturity.helpful_count,
        "harmful": standing.maturity.harmful_count,
        "low": round(standing.bounds[0], SHARE_DIGITS),
        "high": round(standing.bounds[1], SHARE_DIGITS),
        "last_used": standing.last_used,
        "votes": [VoteReport.from_object(load, counts=load.session in counted_sessions) for load in standing.loads],
    }


def identify_skill(path: str, name: str, roots: Iterable[str]) -> str:
    """Return the key of a skill: its path, relative to the root that contains it if one does, or its name if it has no path."""
    if not path:
        return name
    path = os.path.normpath(path)
    parents = [root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep)]
    return os.path.relpath(path, max(parents, key=len)) if parents else path


def sample_curve(votes: Sequence[MaturityFeedback], config: MaturityConfig, now: int) -> list[PointReport]:
    """Return points of the decayed share of helpful votes from the first vote to ``now`` (UTC ms), oldest first."""
    times = sorted({vote.at for vote in votes if vote.at is not None and vote.at <= now})
    if not times:
        return []
    first, sampled = times[0], times[:: max(1, -(-len(times) // MAX_VOTE_POINTS))]
    point_times = sorted(
        {*sampled, times[-1], now, *(first + (now - first) * step // EVEN_POINTS for step in range(EVEN_POINTS))}
    )
    points: list[PointReport] = []
    for at in point_times:
        helpful, harmful = compute_decayed_counts([v for v in votes if v.at is not None and v.at <= at], config, now=at)
        total = helpful + harmful
        low, high = compute_wilson_interval(helpful, total)
        share = round(helpful / total, SHARE_DIGITS) if total > 0 else 0.0
        bounds = {"low": round(low, SHARE_DIGITS), "high": round(high, SHARE_DIGITS)}
        points.append(PointReport(at=at, share=share, **bounds, left=round(total, SHARE_DIGITS)))
    return points


# -- effect ----------------------------------------------------------------------------------------------------------


def compare_skills(overview: Overview, names: Mapping[str, str]) -> ProofReport:
    """Compare the sessions in which the errors of skills recurred, with and without the skill."""
    # Imported here: it loads the names of errors, which the votes on skills do not need.
    from mind_skills.staging.skill_cases import Reminded, find_recurrences, find_reminded

    pooled_cases: list[Case] = []
    unskilled_cases: list[Case] = []
    skills: list[SkillProofReport] = []
    reminded: list[Reminded] = []
    known = 0
    for project in overview.projects:
        accepted = [each for each in overview.records if each.project == project.id and each.state == "accepted"]
        uses = [use for use in overview.uses if use.project == project.id]
        errors = overview.errors_met.get(project.id, [])
        recurrences = find_recurrences(errors, accepted, uses)
        reminded.append(find_reminded(errors, overview.reminders.get(project.id, []), uses))
        known += recurrences.tracked_count
        unskilled_cases += recurrences.unskilled
        for skill in recurrences.skills:
            pooled_cases += [_scope_case(project, skill, case) for case in skill.cases]
            if skill.cases or skill.before:
                skills.append(_make_skill_report(names[project.id], skill))
    return ProofReport(
        known=known,
        overall=ComparedReport.from_comparison(compare_arms(pooled_cases)),
        unskilled=SideReport.from_arm(summarise_arm(unskilled_cases)),
        reminders=RemindersReport.from_reminded(reminded),
        skills=skills,
    )


def _scope_case(project: ProjectSummary, skill: SkillCases, case: Case) -> Case:
    """Prefix the session and signature of ``case`` with the skill, so that it is counted separately for each skill."""
    prefix = f"{project.id}\0{skill.candidate}\0"
    return case._replace(session=prefix + case.session, signature=prefix + case.signature)


def _make_skill_report(project: str, skill: SkillCases) -> SkillProofReport:
    return SkillProofReport.from_object(
        skill,
        name=clean_path(skill.name),
        project=project,
        compared=ComparedReport.from_comparison(compare_arms(skill.cases)),
        before=SideReport.from_arm(summarise_arm(skill.before)),
    )
