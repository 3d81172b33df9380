"""The skills that came from learnings or that sessions loaded, how their votes went, and whether they help."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mind_skills.hooks.receipts import skill_name
from mind_skills.learning.maturity import MaturityConfig, MaturityFeedback, decayed_counts
from mind_skills.learning.rules import maturity_of
from mind_skills.learning.scoring import OutcomeType
from mind_skills.learning.skills.proof import Arm, Case, Comparison, compare_arms, summarize_arm
from mind_skills.learning.skills.standing import Load, SkillStanding, compute_standing, count_sessions, explain_failing
from mind_skills.learning.statistics import wilson
from mind_skills.report.document import (
    ComparedReport,
    PointReport,
    ProofReport,
    SideReport,
    SkillProofReport,
    SkillReport,
    VoteReport,
)
from mind_skills.report.learnings import clean_path
from mind_skills.staging.proof import SkillCases, find_recurrences
from mind_skills.staging.tables.overview import Overview, Workspace
from mind_skills.staging.tables.uses import UsedSkill

DIGITS = 3
STEPS, VOTES = 16, 24
"""Points of a curve: evenly between the first vote and now, and at votes."""


# -- how the votes went ----------------------------------------------------------------------------------------------


def list_skills(overview: Overview, names: Mapping[str, str], now: int) -> list[SkillReport]:
    """Every skill as it stands at ``now`` (UTC ms), by project (``names``, by id); the one used last comes first."""
    found = [
        skill.but(project=names[place.project])
        for place in overview.workspaces
        for skill in _skills_of(overview, place, now)
    ]
    return sorted(found, key=lambda skill: (-(skill.last_used or 0), skill.name, skill.path))


def _skills_of(overview: Overview, place: Workspace, now: int) -> list[SkillReport]:
    stages = maturity_of(place.roots[0]) if place.roots else MaturityConfig()
    ended = [each for each in overview.outcomes if each.project == place.project]
    types: dict[str, OutcomeType] = {each.session: each.type for each in ended}
    everybody = count_sessions((Load("", each.session, each.at, each.type) for each in ended), stages, now=now)
    uses: dict[str, list[UsedSkill]] = {}
    for use in overview.uses:
        if use.project == place.project:
            uses.setdefault(identify_skill(use.path, use.name, place.roots), []).append(use)
    accepted = [each for each in overview.records if each.project == place.project and each.state == "accepted"]
    made = {identify_skill(each.detail, "", place.roots): each for each in accepted if each.detail}
    by_id = {each.candidate.id: each for each in accepted}
    aside = {os.path.normpath(each.source) for each in overview.archived}
    skills: list[SkillReport] = []
    for key in dict.fromkeys([*uses, *made]):
        mine = uses.get(key, [])
        loads = {use.session: Load(key, use.session, use.at, types.get(use.session, "unknown")) for use in mine}
        stands = compute_standing(key, list(loads.values()), config=stages, now=now)
        origin = made.get(key) or next((by_id[use.candidate] for use in mine if use.candidate in by_id), None)
        path = mine[-1].path if mine else origin.detail if origin else ""
        skills.append(
            SkillReport(
                name=clean_path(mine[-1].name if mine else skill_name(path)),
                path=clean_path(path),
                project=place.project,
                candidate=origin.candidate.id if origin else "",
                installed=bool(path) and os.path.isfile(path),
                archived=os.path.normpath(os.path.dirname(path)) in aside,
                failing=explain_failing(stands, everybody.without(stands), stages),
                curve=draw_curve(stands.votes, stages, now),
                **_figures(stands),
            )
        )
    return skills


def _figures(stands: SkillStanding) -> dict[str, Any]:
    counted = {vote.source for vote in stands.votes}
    return {
        "state": stands.maturity.state,
        "loads": len(stands.loads),
        "helpful": stands.maturity.helpful_count,
        "harmful": stands.maturity.harmful_count,
        "share": None if stands.confidence is None else round(stands.confidence, DIGITS),
        "low": round(stands.bounds[0], DIGITS),
        "high": round(stands.bounds[1], DIGITS),
        "left": round(stands.helpful_left + stands.harmful_left, DIGITS),
        "last_used": stands.last_used,
        "votes": [
            VoteReport(session=load.session, at=load.at, outcome=load.outcome, counts=load.session in counted)
            for load in stands.loads
        ],
    }


def identify_skill(path: str, name: str, roots: Iterable[str]) -> str:
    """What makes two uses those of one skill: its path, in the project's folder the same in each of its worktrees."""
    if not path:
        return name
    path = os.path.normpath(path)
    inside = [root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep)]
    return os.path.relpath(path, max(inside, key=len)) if inside else path


def draw_curve(votes: Sequence[MaturityFeedback], config: MaturityConfig, now: int) -> list[PointReport]:
    """How the share went from the first vote to ``now`` (UTC ms), and how its interval widens while nobody votes."""
    times = sorted({vote.at for vote in votes if vote.at is not None and vote.at <= now})
    if not times:
        return []
    first, some = times[0], times[:: max(1, -(-len(times) // VOTES))]
    when = sorted({*some, times[-1], now, *(first + (now - first) * step // STEPS for step in range(STEPS))})
    points: list[PointReport] = []
    for at in when:
        helpful, harmful = decayed_counts([v for v in votes if v.at is not None and v.at <= at], config, now=at)
        total = helpful + harmful
        low, high = wilson(helpful, total)
        share = round(helpful / total, DIGITS) if total > 0 else 0.0
        bounds = {"low": round(low, DIGITS), "high": round(high, DIGITS)}
        points.append(PointReport(at=at, share=share, **bounds, left=round(total, DIGITS)))
    return points


# -- whether they help -----------------------------------------------------------------------------------------------


def prove(overview: Overview, names: Mapping[str, str]) -> ProofReport:
    """What the sessions say in which the error of a skill came back."""
    pooled: list[Case] = []
    unskilled: list[Case] = []
    skills: list[SkillProofReport] = []
    known = 0
    for place in overview.workspaces:
        accepted = [each for each in overview.records if each.project == place.project and each.state == "accepted"]
        used = [use for use in overview.uses if use.project == place.project]
        found = find_recurrences(overview.met.get(place.project, ()), accepted, used)
        known += found.known
        unskilled += found.unskilled
        for skill in found.skills:
            pooled += [_under(place, skill, case) for case in skill.cases]
            if skill.cases or skill.before:
                skills.append(_prove_skill(names[place.project], skill))
    return ProofReport(
        known=known,
        overall=_compared(compare_arms(pooled)),
        unskilled=_side(summarize_arm(unskilled)),
        skills=skills,
    )


def _under(place: Workspace, skill: SkillCases, case: Case) -> Case:
    """A session is one case of each skill whose error came back in it."""
    mark = f"{place.project}\0{skill.candidate}\0"
    return case._replace(session=mark + case.session, signature=mark + case.signature)


def _prove_skill(project: str, skill: SkillCases) -> SkillProofReport:
    return SkillProofReport(
        name=clean_path(skill.name),
        project=project,
        candidate=skill.candidate,
        since=skill.since,
        compared=_compared(compare_arms(skill.cases)),
        before=_side(summarize_arm(skill.before)),
    )


def _compared(found: Comparison) -> ComparedReport:
    return ComparedReport(
        with_skill=_side(found.with_skill),
        without=_side(found.without),
        difference=None if found.difference is None else round(found.difference, DIGITS),
        low=round(found.low, DIGITS),
        high=round(found.high, DIGITS),
        verdict=found.verdict,
    )


def _side(arm: Arm) -> SideReport:
    return SideReport(
        n=arm.n,
        solved=arm.solved,
        share=round(arm.solved / arm.n, DIGITS) if arm.n else None,
        low=round(arm.low, DIGITS),
        high=round(arm.high, DIGITS),
        median_steps=arm.median_steps,
        median_ms=arm.median_ms,
    )
