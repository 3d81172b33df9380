"""Comparison of sessions with and without a skill, for `proof` and `status`: document, computation and text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from mind_skills.errors import MindSkillsError
from mind_skills.learning.skills.proof import Case, compare_arms, summarise_arm
from mind_skills.output.document import Report
from mind_skills.output.text import format_duration, format_path
from mind_skills.report.document import ComparedReport, RemindersReport, SideReport
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.store.project import Project

if TYPE_CHECKING:  # the module imports redaction, which `status` does not need otherwise
    from mind_skills.staging.skill_cases import SkillCases

_VERDICT_TEXTS = {
    "better": "better with the skill",
    "worse": "worse with the skill",
    "no_difference": "no significant difference",
    "not_enough_data": "not enough data",
}


class ComparisonReport(ComparedReport):
    """A comparison of sessions with and without a skill.

    ``difference`` is the share with the skill minus the share without it, null if one side has no sessions; ``low`` and
    ``high`` are the bounds of its 95 % Newcombe interval. ``repairs`` counts the errors that at least half of the
    sessions overcame with the skill, but fewer than half without it; ``regressions`` counts the opposite; ``net`` is
    the difference.
    """

    repairs: int
    regressions: int
    net: int


class SkillProofReport(Report):
    """A skill, its error signatures, and a comparison of the sessions in which these errors recurred after it was made.

    ``before`` are the sessions in which the errors recurred earlier; they are not part of the comparison.
    """

    name: str
    path: str
    candidate: str
    since: int
    signatures: list[str]
    comparison: ComparisonReport
    before: SideReport


class ProofReport(Report):
    """Output of `mind-skills proof --json`. ``overall`` counts a session once for each skill whose error recurred in it.

    ``known`` counts the errors that have a skill or occurred in at least two sessions. ``unskilled`` are the sessions
    in which an error without a skill recurred.
    """

    version: Literal[1] = 1
    project: str
    known: int
    overall: ComparisonReport
    unskilled: SideReport
    skills: list[SkillProofReport]
    reminders: RemindersReport


def build_proof_report(
    ledger: Ledger, project: Project, name: str = "", accepted: list[StoredCandidate] | None = None
) -> ProofReport:
    """Compare the sessions of a project, for all skills or for the skill ``name`` (a name, path or candidate id).

    ``accepted`` are the accepted candidates of the project, if the caller has them already. Raises StoreError, or
    MindSkillsError if no skill ``name`` was made from a candidate.
    """
    if accepted is None:
        accepted = ledger.list_by_state(project, "accepted")
    from mind_skills.staging.skill_cases import find_recurrences

    recurrences = find_recurrences(ledger.list_errors_met(project), accepted, ledger.list_uses(project))
    skills = [skill for skill in recurrences.skills if not name or _matches(skill, name)]
    if name and not skills:
        hint = "Run `mind-skills proof` to list the skills made from candidates."
        raise MindSkillsError("unknown_skill", f"no skill {name} was made from a candidate here", hint)
    pooled_cases = [_separate_case(skill, case) for skill in skills for case in skill.cases]
    return ProofReport(
        project=project.root,
        known=recurrences.tracked_count,
        overall=ComparisonReport.from_comparison(compare_arms(pooled_cases)),
        unskilled=SideReport.from_arm(summarise_arm(recurrences.unskilled)),
        skills=[_build_skill_report(skill) for skill in skills],
        reminders=_report_reminders(ledger, project),
    )


def _report_reminders(ledger: Ledger, project: Project) -> RemindersReport:
    from mind_skills.staging.skill_cases import find_reminded

    reminders = ledger.list_reminders(project)
    errors = ledger.list_errors_met(project) if reminders else ()
    return RemindersReport.from_reminded([find_reminded(errors, reminders, ledger.list_uses(project))])


def _matches(skill: SkillCases, name: str) -> bool:
    """Return whether ``name`` is the name, path, folder or candidate id of the skill."""
    return name in (skill.name, skill.candidate, skill.path, os.path.dirname(skill.path))


def _separate_case(skill: SkillCases, case: Case) -> Case:
    """Prefix the session and signature of ``case`` with the skill, so that it is counted separately for each skill."""
    return case._replace(session=f"{skill.candidate}\0{case.session}", signature=f"{skill.candidate}\0{case.signature}")


def _build_skill_report(skill: SkillCases) -> SkillProofReport:
    return SkillProofReport.from_object(
        skill,
        path=format_path(skill.path),
        comparison=ComparisonReport.from_comparison(compare_arms(skill.cases)),
        before=SideReport.from_arm(summarise_arm(skill.before)),
    )


def format_arm(arm: SideReport) -> str:
    """Format one side of a comparison: `3 of 4 (30% to 95%)`."""
    return f"{arm.solved} of {arm.n} ({arm.low:.0%} to {arm.high:.0%})" if arm.n else "none"


def format_effort(arm: SideReport) -> str:
    """Format the median effort of the sessions that overcame the error: `12 steps, 4 min`."""
    if arm.median_steps is None:
        return "-"
    duration = "" if arm.median_ms is None else f", {format_duration(arm.median_ms)}"
    return f"{arm.median_steps:g} steps{duration}"


def format_difference(comparison: ComparisonReport) -> str:
    """Format the difference between the shares and the verdict: `+38 points (-10 to +70), not enough data`."""
    verdict = _VERDICT_TEXTS[comparison.verdict]
    if comparison.difference is None:
        return verdict
    low, high = f"{100 * comparison.low:+.0f}", f"{100 * comparison.high:+.0f}"
    return f"{100 * comparison.difference:+.0f} points ({low} to {high}), {verdict}"


def format_comparison(comparison: ComparisonReport) -> str:
    """Format both sides and the difference on one line."""
    return (
        f"recurring errors: {format_arm(comparison.with_skill)} sessions overcame them with their skill loaded,"
        f" {format_arm(comparison.without)} without it; {format_difference(comparison)}"
    )
