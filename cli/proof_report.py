"""The JSON of `mind-skills proof`, as models; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


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
