"""Which findings of a session are told, and which wait until another session sees them as well. Pure.

The scorer gives each finding a probability, and the probability a tier: high and medium are told, as many as the settings
allow, the rest waits. A lasting rule of the user has a place beside these; it is told as a perhaps, or not found at all.
What a user decided before shifts the probability within bounds (learning/taste.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from mind_skills.detectors import scorer
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.staging.merge import merge
from mind_skills.staging.model import PER_SESSION, RULE, Candidate, Confidence, make_candidate

TYPE_CHECKING = False
if TYPE_CHECKING:  # whoever splits what is there already asks for neither
    from mind_skills.learning.outcome import Outcome
    from mind_skills.learning.taste import Taste
    from mind_skills.observations.model import Session

Tiers = Callable[[float], Confidence | None]
"""The tier that a probability reaches, None below all of them."""
WAITING = 5
"""How many of one session wait at most. They take no place of any other list, but each is a row in the database."""
RULES = 1
"""How many rules of one session are told."""
SHARED = 0.5
"""Two findings that share this part of their evidence lines are one episode."""


class Split(NamedTuple):
    """The candidates of one session, each list best first: those to tell, and those that wait."""

    told: list[Candidate]
    waiting: list[Candidate]


def select(
    looks: Iterable[Sequence[Finding]], session: Session, outcome: Outcome, tiers: Tiers = scorer.tier
) -> list[Candidate]:
    """The candidates of a session by the tier that each finding reaches, best first; more than are told.

    ``looks`` are the findings of each window of its log, of which detectors/choice.py left one an episode; two windows
    share a part, and what both found there is one.
    """
    every = [(number, finding) for number, look in enumerate(looks) for finding in look]
    found = [each for each in every if each[1].kind != RULE]
    kept: list[tuple[int, Finding]] = []
    for number, finding in sorted(
        found, key=lambda each: (-each[1].probability, _begins(each[1].evidence), each[1].kind)
    ):
        if len(kept) == PER_SESSION + WAITING or tiers(finding.probability) is None:
            break  # a session may hold thousands of findings, and comparing all with all takes the square of that
        if not any(other != number and _share(one.evidence, finding.evidence) for other, one in kept):
            kept.append((number, finding))
    made = [_candidate(finding, session, outcome, tiers(finding.probability) or "waiting") for _, finding in kept]
    stated = sorted((finding for _, finding in every if finding.kind == RULE), key=lambda each: -each.probability)
    return merge([*made, *(_candidate(finding, session, outcome, "medium") for finding in stated[:RULES])])


def split(candidates: Iterable[Candidate], most: int) -> Split:
    """Tell the best ``most`` of those whose tier allows it; what comes behind them waits with those whose tier does not."""
    every = merge(candidates)
    sure = [each for each in every if each.confidence != "waiting"]
    told = [each for each in sure if each.kind != RULE][: min(most, PER_SESSION)]
    told += [each for each in sure if each.kind == RULE][:RULES]
    rest = [replace(each, confidence="waiting") for each in every if each not in told]
    return Split(told, rest[:WAITING])


def shifted(candidate: Candidate, taste: Taste, tiers: Tiers = scorer.tier) -> Candidate | None:
    """The candidate as it stands with a user of this taste: its tier and its rank; None where it reaches no tier any more.

    It begins with the scorer's probability, so that it may be shifted again. What a version without probabilities staged,
    or another program, stays as it is, and so does a rule: its features are others.
    """
    if not candidate.probability or candidate.kind == RULE:
        return candidate
    now = taste.probability(candidate.probability, candidate.deciding)
    tier = tiers(now)
    if tier is None:
        return None
    kept = {name: value for name, value in candidate.parts.items() if name not in ("probability", "user")}
    parts = {**_parts(candidate.probability, now), **kept}
    return replace(
        candidate,
        confidence="medium" if tier == "high" and candidate.taint else tier,
        score=max(0.0, round(sum(value for name, value in parts.items() if name not in ("novelty", "history")), 4)),
        parts=parts,
    )


def beside(earlier: Sequence[Candidate], later: Sequence[Candidate], begins: int) -> list[Candidate]:
    """What a session knows after a look at its log from line ``begins`` on.

    What it found before that line stays, and what the look found is added, but for the ends of episodes that are known
    from their beginning.
    """
    kept = [each for each in earlier if each.begins < begins]
    return [*kept, *(each for each in later if not any(_share(each.evidence, other.evidence) for other in kept))]


def _begins(evidence: Sequence[Evidence]) -> int:
    return min((each.line for each in evidence), default=0)


def _share(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    mine, theirs = {each.line for each in one}, {each.line for each in other}
    return len(mine & theirs) >= SHARED * min(len(mine), len(theirs))


def _parts(probability: float, now: float) -> dict[str, float]:
    """What the score is the sum of, each named."""
    before = round(probability, 4)
    by_user = round(now - probability, 4)
    return {"probability": before, **({"user": by_user} if by_user else {})}


def _candidate(finding: Finding, session: Session, outcome: Outcome, tier: Confidence) -> Candidate:
    return make_candidate(
        finding,
        session,
        confidence="medium" if tier == "high" and finding.taint else tier,
        at=session.ended or session.started or 0,
        score=round(finding.probability, 4),
        parts=_parts(finding.probability, finding.probability),
        outcome=outcome.type,
    )
