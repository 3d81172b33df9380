"""Which findings of a session become candidates: gated by its outcome, ranked, capped. Pure.

Detectors give evidence and never a weight; the weights stand here, each with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.detectors.model import Evidence, Finding
from mind_skills.staging.identity import from_finding
from mind_skills.staging.model import PER_SESSION, Candidate, Confidence

TYPE_CHECKING = False
if TYPE_CHECKING:  # `why` asks for the numbers of this module alone
    from mind_skills.learning.outcome import Outcome
    from mind_skills.observations.model import Session

KIND = {"error_fix": 1.0, "problem_solution": 1.0, "deep_investigation": 0.9, "non_obvious": 0.7}
"""A failure with its cure is exact; an insight without one is easier to misread."""
VERIFIED = 1.0
"""Lessons that a passing check confirmed helped far more often than others (74.6 against 40.0 in the study cited in docs)."""
INSIGHT = 0.8
"""Somebody put the cause into words, so that the skill can name it."""
USER = 0.4
"""The user brought the problem up: it matters to them."""
COST = 0.6
COSTLY = 60
"""Steps at which an episode counts as expensive; a cheap one can be worked out again."""
TAINT = -0.5
"""It rests on web or MCP content, which may say anything."""
SHARED = 0.5
"""Two findings that share this part of their evidence lines are one episode."""


def parts_of(finding: Finding) -> dict[str, float]:
    """The parts of a finding's score, each named; their sum is its rank."""
    return {
        "kind": KIND[finding.kind],
        "verified": VERIFIED if finding.verified else 0.0,
        "insight": INSIGHT if finding.insight else 0.0,
        "user": USER if finding.user_signal else 0.0,
        "cost": round(COST * min(finding.steps, COSTLY) / COSTLY, 3),
        "taint": TAINT if finding.taint else 0.0,
    }


def select(findings: Sequence[Finding], session: Session, outcome: Outcome) -> list[Candidate]:
    """The candidates of a session, best first, at most five, one an episode.

    A session that failed keeps only what a check verified: its other conclusions may be what made it fail.
    """
    ranked = sorted(
        findings, key=lambda finding: (-sum(parts_of(finding).values()), finding.evidence[0].line, finding.kind)
    )
    kept: list[Finding] = []
    for finding in ranked:
        if len(kept) == PER_SESSION:
            break  # a session may hold thousands of findings, and comparing all with all takes the square of that
        if _outlives(finding, outcome) and not any(_same_episode(finding, other) for other in kept):
            kept.append(finding)
    return [_candidate(finding, session, outcome) for finding in kept]


def beside(earlier: Sequence[Candidate], later: Sequence[Candidate], begins: int) -> list[Candidate]:
    """What a session knows after a look at its log from line ``begins`` on.

    What it found before that line stays, and what the look found is added, but for the ends of episodes that are known
    from their beginning.
    """
    kept = [each for each in earlier if each.begins < begins]
    return [*kept, *(each for each in later if not any(_share(each.evidence, other.evidence) for other in kept))]


def _outlives(finding: Finding, outcome: Outcome) -> bool:
    """Whether a finding counts for all that became of its session."""
    return finding.verified or outcome.success is not False


def _same_episode(one: Finding, other: Finding) -> bool:
    return one.anchor == other.anchor or _share(one.evidence, other.evidence)


def _share(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    mine, theirs = {each.line for each in one}, {each.line for each in other}
    return len(mine & theirs) >= SHARED * min(len(mine), len(theirs))


def _confidence(finding: Finding) -> Confidence:
    sure = finding.verified and (finding.insight or finding.user_signal) and not finding.taint
    return "high" if sure else "medium"


def _candidate(finding: Finding, session: Session, outcome: Outcome) -> Candidate:
    parts = parts_of(finding)
    return from_finding(
        finding,
        session,
        confidence=_confidence(finding),
        at=session.ended or session.started or 0,
        score=round(sum(parts.values()), 3),
        parts=parts,
        outcome=outcome.type,
    )
