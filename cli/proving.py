"""Whether skills help when their error comes back: put together from the ledger, for `proof` and `status`."""

from __future__ import annotations

import os

from mind_skills.cli.proof_report import ArmReport, ComparisonReport, ProofReport, SkillProofReport
from mind_skills.errors import MindSkillsError
from mind_skills.learning.skills.proof import Arm, Case, Comparison, compare_arms, summarize_arm
from mind_skills.output.text import path_text
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.proof import SkillCases, find_recurrences
from mind_skills.staging.tables.candidates import Record
from mind_skills.store.project import Project

DIGITS = 3
"""Behind the point of a share; there is no number of sessions that would bear more."""


def proof(ledger: Ledger, project: Project, name: str = "", accepted: list[Record] | None = None) -> ProofReport:
    """What the sessions of a project say; of one skill (its name, path or candidate's id) where ``name`` is given.

    ``accepted`` are the project's accepted candidates, where whoever asks has them already.

    Raises MindSkillsError where no skill of that name came from a candidate, StoreError.
    """
    if accepted is None:
        accepted = ledger.list_by_state(project, "accepted")
    found = find_recurrences(ledger.list_errors_met(project), accepted, ledger.list_uses(project))
    skills = [skill for skill in found.skills if not name or _called(skill, name)]
    if name and not skills:
        hint = "`mind-skills proof` lists the skills that came from one."
        raise MindSkillsError("unknown_skill", f"no skill {name} came from a candidate here", hint)
    pooled = [_under(skill, case) for skill in skills for case in skill.cases]
    return ProofReport(
        project=project.root,
        known=found.known,
        overall=comparison_report(compare_arms(pooled)),
        unskilled=arm_report(summarize_arm(found.unskilled)),
        skills=[_skill(skill) for skill in skills],
    )


def _called(skill: SkillCases, name: str) -> bool:
    return name in (skill.name, skill.candidate, skill.path, os.path.dirname(skill.path))


def _under(skill: SkillCases, case: Case) -> Case:
    """A session is one case of each skill whose error came back in it."""
    return case._replace(session=f"{skill.candidate}\0{case.session}", signature=f"{skill.candidate}\0{case.signature}")


def _skill(skill: SkillCases) -> SkillProofReport:
    return SkillProofReport(
        name=skill.name,
        path=path_text(skill.path),
        candidate=skill.candidate,
        since=skill.since,
        signatures=list(skill.signatures),
        comparison=comparison_report(compare_arms(skill.cases)),
        before=arm_report(summarize_arm(skill.before)),
    )


def comparison_report(found: Comparison) -> ComparisonReport:
    """The comparison as a document."""
    return ComparisonReport(
        with_skill=arm_report(found.with_skill),
        without=arm_report(found.without),
        difference=None if found.difference is None else round(found.difference, DIGITS),
        low=round(found.low, DIGITS),
        high=round(found.high, DIGITS),
        verdict=found.verdict,
        repairs=found.repairs,
        regressions=found.regressions,
        net=found.net,
    )


def arm_report(side: Arm) -> ArmReport:
    """One side as a document."""
    return ArmReport(
        n=side.n,
        solved=side.solved,
        share=round(side.solved / side.n, DIGITS) if side.n else None,
        low=round(side.low, DIGITS),
        high=round(side.high, DIGITS),
        median_steps=side.median_steps,
        median_ms=side.median_ms,
    )
