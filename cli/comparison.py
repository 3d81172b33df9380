"""Sessions with a skill and without it, compared for `proof` and `status`: the document, how it is made, and its words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from mind_skills.errors import MindSkillsError
from mind_skills.learning.skills.proof import Arm, Case, Comparison, compare_arms, summarize_arm
from mind_skills.output.document import Report
from mind_skills.output.text import path_text
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.candidates import Record
from mind_skills.store.project import Project

if TYPE_CHECKING:  # it brings redaction, which `status` needs for nothing else
    from mind_skills.staging.proof import SkillCases

DIGITS = 3
"""Behind the point of a share; there is no number of sessions that would bear more."""
_VERDICTS = {
    "better": "better with the skill",
    "worse": "worse with the skill",
    "no_difference": "no difference that chance does not explain",
    "not_enough_data": "not enough data",
}


class ArmReport(Report):
    """``solved`` of ``n`` sessions got past the error; ``share`` with its 95 % interval (Wilson), null where there are none.

    The medians are of those that did: tool calls, and milliseconds (null where the logs name no times).
    """

    n: int
    solved: int
    share: float | None
    low: float
    high: float
    median_steps: float | None
    median_ms: float | None


class ComparisonReport(Report):
    """The share with the skill less the share without, with its 95 % interval (Newcombe); null where a side is empty.

    ``repairs`` are errors that most sessions got past with the skill and most did not without, ``regressions`` the other
    way round, ``net`` the one less the other.
    """

    with_skill: ArmReport
    without: ArmReport
    difference: float | None
    low: float
    high: float
    verdict: Literal["better", "worse", "no_difference", "not_enough_data"]
    repairs: int
    regressions: int
    net: int


class SkillProofReport(Report):
    """A skill, the errors that it is about, and what came of the sessions since it was there in which they came back.

    ``before`` are the sessions in which they came back before that: a time of its own, and no part of the comparison.
    """

    name: str
    path: str
    candidate: str
    since: int
    signatures: list[str]
    comparison: ComparisonReport
    before: ArmReport


class ProofReport(Report):
    """`mind-skills proof --json`. ``overall`` counts a session once for each skill whose error came back in it.

    ``known`` errors are those that a skill is about, or that two sessions met; ``unskilled`` are the sessions in which one
    came back that no skill is about.
    """

    version: Literal[1] = 1
    project: str
    known: int
    overall: ComparisonReport
    unskilled: ArmReport
    skills: list[SkillProofReport]


def prove(ledger: Ledger, project: Project, name: str = "", accepted: list[Record] | None = None) -> ProofReport:
    """What the sessions of a project say; of one skill (its name, path or candidate's id) where ``name`` is given.

    ``accepted`` are the project's accepted candidates, where whoever asks has them already.

    Raises MindSkillsError where no skill of that name came from a candidate, StoreError.
    """
    if accepted is None:
        accepted = ledger.list_by_state(project, "accepted")
    from mind_skills.staging.proof import find_recurrences

    found = find_recurrences(ledger.list_errors_met(project), accepted, ledger.list_uses(project))
    skills = [skill for skill in found.skills if not name or _called(skill, name)]
    if name and not skills:
        hint = "`mind-skills proof` lists the skills that came from one."
        raise MindSkillsError("unknown_skill", f"no skill {name} came from a candidate here", hint)
    pooled = [_under(skill, case) for skill in skills for case in skill.cases]
    return ProofReport(
        project=project.root,
        known=found.known,
        overall=_comparison(compare_arms(pooled)),
        unskilled=_arm(summarize_arm(found.unskilled)),
        skills=[_skill(skill) for skill in skills],
    )


def _called(skill: SkillCases, name: str) -> bool:
    return name in (skill.name, skill.candidate, skill.path, os.path.dirname(skill.path))


def _under(skill: SkillCases, case: Case) -> Case:
    """A session is one case of each skill whose error came back in it."""
    return case._replace(session=f"{skill.candidate}\0{case.session}", signature=f"{skill.candidate}\0{case.signature}")


def _skill(skill: SkillCases) -> SkillProofReport:
    return SkillProofReport.copy(
        skill,
        path=path_text(skill.path),
        comparison=_comparison(compare_arms(skill.cases)),
        before=_arm(summarize_arm(skill.before)),
    )


def _comparison(found: Comparison) -> ComparisonReport:
    return ComparisonReport.copy(
        found,
        with_skill=_arm(found.with_skill),
        without=_arm(found.without),
        difference=None if found.difference is None else round(found.difference, DIGITS),
        low=round(found.low, DIGITS),
        high=round(found.high, DIGITS),
    )


def _arm(side: Arm) -> ArmReport:
    share = round(side.solved / side.n, DIGITS) if side.n else None
    return ArmReport.copy(side, share=share, low=round(side.low, DIGITS), high=round(side.high, DIGITS))


def side_text(found: ArmReport) -> str:
    """`3 of 4 (30 % to 95 %)`."""
    return f"{found.solved} of {found.n} ({found.low:.0%} to {found.high:.0%})" if found.n else "none"


def pace_text(found: ArmReport) -> str:
    """How long those took that got past it."""
    if found.median_steps is None:
        return "-"
    seconds = "" if found.median_ms is None else f", {_time(found.median_ms)}"
    return f"{found.median_steps:g} steps{seconds}"


def difference_text(found: ComparisonReport) -> str:
    """`+38 points (-10 to +70)`, and what that says."""
    said = _VERDICTS[found.verdict]
    if found.difference is None:
        return said
    return f"{100 * found.difference:+.0f} points ({100 * found.low:+.0f} to {100 * found.high:+.0f}), {said}"


def comparison_text(found: ComparisonReport) -> str:
    """All of it in one line."""
    return (
        f"known errors that came back: {side_text(found.with_skill)} sessions got past them with the skill loaded,"
        f" {side_text(found.without)} without; {difference_text(found)}"
    )


def _time(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
