"""Select which findings of a session are offered and which wait for confirmation by another session. Pure.

The scorer gives each finding a probability, which determines its tier. High and medium findings are offered, up to the
limit in the settings; the next best that reach a tier wait. A lasting rule of the user is offered in addition, as medium.
Earlier decisions of the user shift the probability within bounds (learning/taste.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mind_skills.detectors import scorer
from mind_skills.detectors.model import Evidence, Finding
from mind_skills.staging.model import (
    MAX_PER_SESSION,
    RULE_KIND,
    Candidate,
    Confidence,
    TierLookup,
    make_candidate,
    merge_candidates,
)

TYPE_CHECKING = False
if TYPE_CHECKING:  # not needed by callers of ``split_by_tier``
    from mind_skills.learning.outcome import Outcome
    from mind_skills.learning.taste import Taste
    from mind_skills.observations.model import Session

MAX_WAITING = 5
"""Maximum number of waiting candidates per session, to limit the rows in the database."""
MAX_RULES = 1
"""Maximum number of rules offered per session."""
MIN_SHARED_LINES = 0.5
"""Two findings are of one episode if they share at least this fraction of the evidence lines of the one with fewer lines."""


def select_candidates(
    windows: Iterable[Sequence[Finding]], session: Session, outcome: Outcome, tiers: TierLookup = scorer.find_tier
) -> list[Candidate]:
    """Return up to ten candidates and one rule of a session with their tiers, best first, including those not to be offered.

    ``windows`` are the findings of each window of the log; within a window, no two are of the same episode
    (detectors/registry.py). Windows overlap; of findings that two windows share, only the more probable becomes a candidate.
    """
    numbered_findings = [(number, finding) for number, window in enumerate(windows) for finding in window]
    non_rules = [each for each in numbered_findings if each[1].kind != RULE_KIND]
    selected: list[tuple[int, Finding]] = []
    for number, finding in sorted(
        non_rules, key=lambda each: (-each[1].probability, _get_first_line(each[1].evidence), each[1].kind)
    ):
        if len(selected) == MAX_PER_SESSION + MAX_WAITING or tiers(finding.probability) is None:
            break  # a session may hold thousands of findings, and the comparison is quadratic
        if not any(other != number and _share_lines(earlier.evidence, finding.evidence) for other, earlier in selected):
            selected.append((number, finding))
    candidates = [
        _make_candidate(finding, session, outcome, tiers(finding.probability) or "waiting") for _, finding in selected
    ]
    rules = sorted(
        (finding for _, finding in numbered_findings if finding.kind == RULE_KIND), key=lambda each: -each.probability
    )
    return merge_candidates(
        [*candidates, *(_make_candidate(finding, session, outcome, "medium") for finding in rules[:MAX_RULES])]
    )


def split_by_tier(candidates: Iterable[Candidate], limit: int) -> tuple[list[Candidate], list[Candidate]]:
    """Split the candidates of one session into those to offer and those that wait, each best first.

    Offered are the best ``limit``, at most five, and one rule; the best five of the others wait.
    """
    ranked = merge_candidates(candidates)
    offerable = [each for each in ranked if each.confidence != "waiting"]
    offered = [each for each in offerable if each.kind != RULE_KIND][: min(limit, MAX_PER_SESSION)]
    offered += [each for each in offerable if each.kind == RULE_KIND][:MAX_RULES]
    rest = [replace(each, confidence="waiting") for each in ranked if each not in offered]
    return offered, rest[:MAX_WAITING]


def apply_taste(candidate: Candidate, taste: Taste, tiers: TierLookup = scorer.find_tier) -> Candidate | None:
    """Return the candidate with the tier and score that result from the user's taste; None if it reaches no tier.

    The adjustment starts from the scorer's probability, so repeated calls do not add up. Candidates without a probability
    are unchanged, and so are rules, which have other features.
    """
    if not candidate.probability or candidate.kind == RULE_KIND:
        return candidate
    adjusted = taste.adjust_probability(candidate.probability, candidate.deciding)
    tier = tiers(adjusted)
    if tier is None:
        return None
    other_parts = {name: value for name, value in candidate.parts.items() if name not in ("probability", "user")}
    parts = {**_build_parts(candidate.probability, adjusted), **other_parts}
    return replace(
        candidate,
        confidence="medium" if tier == "high" and candidate.taint else tier,
        score=max(0.0, round(sum(value for name, value in parts.items() if name not in ("novelty", "history")), 4)),
        parts=parts,
    )


def combine_candidates(earlier: Sequence[Candidate], later: Sequence[Candidate], first_line: int) -> list[Candidate]:
    """Combine ``earlier`` candidates with the ``later`` ones from an analysis that started at line ``first_line``.

    Earlier candidates that start before that line are preserved. Later ones are added, unless they are of the same episode
    as a preserved one.
    """
    combined = [each for each in earlier if each.first_line < first_line]
    return [
        *combined,
        *(each for each in later if not any(_share_lines(each.evidence, other.evidence) for other in combined)),
    ]


def _get_first_line(evidence: Sequence[Evidence]) -> int:
    return min((each.line for each in evidence), default=0)


def _share_lines(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    lines, other_lines = {each.line for each in one}, {each.line for each in other}
    return len(lines & other_lines) >= MIN_SHARED_LINES * min(len(lines), len(other_lines))


def _build_parts(probability: float, adjusted: float) -> dict[str, float]:
    """Return the components of the score, by name."""
    scored = round(probability, 4)
    shift = round(adjusted - probability, 4)
    return {"probability": scored, **({"user": shift} if shift else {})}


def _make_candidate(finding: Finding, session: Session, outcome: Outcome, tier: Confidence) -> Candidate:
    return make_candidate(
        finding,
        session,
        confidence="medium" if tier == "high" and finding.taint else tier,
        at=session.ended or session.started or 0,
        score=round(finding.probability, 4),
        parts=_build_parts(finding.probability, finding.probability),
        outcome=outcome.type,
    )
