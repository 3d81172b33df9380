"""Select which findings of a session are offered and which wait for confirmation by another session. Pure.

The scorer gives each finding a probability, which determines its tier. High and medium findings are offered, up to the
limit in the settings; the rest waits. A lasting rule of the user is offered in addition, as medium. Earlier decisions
of the user shift the probability within bounds (learning/taste.py).
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
if TYPE_CHECKING:  # not needed by callers of ``split``
    from mind_skills.learning.outcome import Outcome
    from mind_skills.learning.taste import Taste
    from mind_skills.observations.model import Session

Tiers = Callable[[float], Confidence | None]
"""Maps a probability to its tier, None below all tiers."""
WAITING = 5
"""Maximum number of waiting candidates per session; it limits rows in the database."""
RULES = 1
"""Maximum number of rules offered per session."""
SHARED = 0.5
"""Two findings with at least this share of their evidence lines in common are one episode."""


class Split(NamedTuple):
    """Candidates of one session, best first: those to offer, and those that wait."""

    told: list[Candidate]
    waiting: list[Candidate]


def select(
    looks: Iterable[Sequence[Finding]], session: Session, outcome: Outcome, tiers: Tiers = scorer.tier
) -> list[Candidate]:
    """Return the candidates of a session with their tiers, best first; more than are offered.

    ``windows`` are the findings of each window of the log, after detectors/choice.py reduced them to one per episode.
    Windows overlap; a finding in two of them is one candidate.
    """
    every = [(number, finding) for number, look in enumerate(looks) for finding in look]
    found = [each for each in every if each[1].kind != RULE]
    kept: list[tuple[int, Finding]] = []
    for number, finding in sorted(
        found, key=lambda each: (-each[1].probability, _begins(each[1].evidence), each[1].kind)
    ):
        if len(kept) == PER_SESSION + WAITING or tiers(finding.probability) is None:
            break  # a session may hold thousands of findings, and the comparison is quadratic
        if not any(other != number and _share(one.evidence, finding.evidence) for other, one in kept):
            kept.append((number, finding))
    made = [_candidate(finding, session, outcome, tiers(finding.probability) or "waiting") for _, finding in kept]
    stated = sorted((finding for _, finding in every if finding.kind == RULE), key=lambda each: -each.probability)
    return merge([*made, *(_candidate(finding, session, outcome, "medium") for finding in stated[:RULES])])


def split(candidates: Iterable[Candidate], most: int) -> Split:
    """Split off the best ``most`` candidates whose tier allows an offer; the rest waits."""
    every = merge(candidates)
    sure = [each for each in every if each.confidence != "waiting"]
    told = [each for each in sure if each.kind != RULE][: min(most, PER_SESSION)]
    told += [each for each in sure if each.kind == RULE][:RULES]
    rest = [replace(each, confidence="waiting") for each in every if each not in told]
    return Split(told, rest[:WAITING])


def shifted(candidate: Candidate, taste: Taste, tiers: Tiers = scorer.tier) -> Candidate | None:
    """Return the candidate with the tier and rank that it has for this user; None if it reaches no tier.

    The shift starts from the scorer's probability, so it can be repeated. Candidates without a probability are
    unchanged, and so are rules, which have other features.
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
    """Combine earlier candidates with those from an analysis that started at line ``begins``.

    Earlier candidates that start before that line are preserved. Later ones are added unless they are the end of an
    episode that is already included.
    """
    kept = [each for each in earlier if each.begins < begins]
    return [*kept, *(each for each in later if not any(_share(each.evidence, other.evidence) for other in kept))]


def _begins(evidence: Sequence[Evidence]) -> int:
    return min((each.line for each in evidence), default=0)


def _share(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    mine, theirs = {each.line for each in one}, {each.line for each in other}
    return len(mine & theirs) >= SHARED * min(len(mine), len(theirs))


def _parts(probability: float, now: float) -> dict[str, float]:
    """Return the named components of the score."""
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
