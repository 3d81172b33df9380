"""Which findings of a session become candidates: ranked, capped. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.detectors.model import Evidence, Finding
from mind_skills.detectors.scorer import tier
from mind_skills.staging.identity import from_finding
from mind_skills.staging.model import Candidate, Confidence

TYPE_CHECKING = False
if TYPE_CHECKING:  # `why` asks for the numbers of this module alone
    from mind_skills.learning.outcome import Outcome
    from mind_skills.observations.model import Session

COST, COSTLY = 0.6, 60
TAINT = -0.5
"""It rests on web or MCP content, which may say anything."""
SHARED = 0.5
"""Two findings that share this part of their evidence lines are one episode."""


def select(findings: Sequence[Finding], session: Session, outcome: Outcome) -> list[Candidate]:
    """The candidates of a session, best first, at most two, one an episode."""
    ranked = sorted(findings, key=lambda finding: (-finding.probability, finding.evidence[0].line, finding.kind))
    kept: list[Finding] = []
    for finding in ranked:
        if len(kept) == 2 or tier(finding.probability) not in ("high", "medium"):
            break
        if not any(_same_episode(finding, other) for other in kept):
            kept.append(finding)
    return [_candidate(finding, session, outcome) for finding in kept]


def beside(earlier: Sequence[Candidate], later: Sequence[Candidate], begins: int) -> list[Candidate]:
    """What a session knows after a look at its log from line ``begins`` on.

    What it found before that line stays, and what the look found is added, but for the ends of episodes that are known
    from their beginning.
    """
    kept = [each for each in earlier if each.begins < begins]
    return [*kept, *(each for each in later if not any(_share(each.evidence, other.evidence) for other in kept))]


def _same_episode(one: Finding, other: Finding) -> bool:
    return one.anchor == other.anchor or _share(one.evidence, other.evidence)


def _share(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    mine, theirs = {each.line for each in one}, {each.line for each in other}
    return len(mine & theirs) >= SHARED * min(len(mine), len(theirs))


def _candidate(finding: Finding, session: Session, outcome: Outcome) -> Candidate:
    confidence: Confidence = "high" if tier(finding.probability) == "high" else "medium"
    return from_finding(
        finding,
        session,
        confidence=confidence,
        at=session.ended or session.started or 0,
        score=round(finding.probability, 3),
        parts=dict(finding.deciding),
        outcome=outcome.type,
    )
