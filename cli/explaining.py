"""Why a candidate stands where it stands: what decided, its tier, what decisions changed, and the parts of its rank, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mind_skills.cli.tiers import measured
from mind_skills.cli.why_report import FeatureReport, PartReport, ShiftReport, TierReport
from mind_skills.staging.merge import rank, recurrence
from mind_skills.staging.model import RULE, Candidate

if TYPE_CHECKING:
    from mind_skills.learning.taste import Taste

DIGITS = 3


def deciding(candidate: Candidate) -> list[FeatureReport]:
    """The features that decided, the largest first, as detectors/features.py says them."""
    if not candidate.deciding:
        return []
    from mind_skills.detectors.features import FEATURES
    from mind_skills.detectors.rule_features import RULE_FEATURES

    says = {feature.name: feature.says for feature in (*FEATURES, *RULE_FEATURES)}
    return [
        FeatureReport(
            name=name, adds=round(added, DIGITS), text=says.get(name, "Another version of mind-skills measured it.")
        )
        for name, added in candidate.deciding
    ]


def tier(candidate: Candidate) -> TierReport:
    """The tier, with what was measured of it; of rules too little was."""
    found = measured(candidate.confidence) if candidate.kind != RULE else None
    return TierReport(
        name=candidate.confidence,
        precision=None if found is None else round(found.precision, DIGITS),
        candidates=None if found is None else found.candidates,
    )


def decided(candidate: Candidate, taste: Taste) -> ShiftReport | None:
    """What the user's decisions change of it; None where there are none, or it has no probability."""
    if not taste.decisions or not candidate.probability or candidate.kind == RULE:
        return None
    return ShiftReport(
        decisions=taste.decisions,
        shift=round(taste.shift(candidate.deciding), DIGITS),
        probability=round(taste.probability(candidate.probability, candidate.deciding), 4),
        parts=[
            PartReport(name=name or "offset", value=round(value, DIGITS), text=_shift(name, value))
            for name, value in taste.parts(candidate.deciding)
        ],
    )


def parts(candidate: Candidate) -> list[PartReport]:
    """Every part of the rank, in the order in which people ask; their sum is the rank (staging/merge.py)."""
    found = candidate.parts
    rows: list[tuple[str, float]] = [(name, found[name]) for name in ("probability", "user") if name in found]
    rows.append(("recurrence", round(recurrence(candidate), DIGITS)))
    rows += [(name, found.get(name, 0.0)) for name in ("novelty", "history")]
    rows += [(name, value) for name, value in found.items() if name not in dict(rows)]
    if rest := round(rank(candidate) - sum(value for _, value in rows), DIGITS):
        rows.append(("other", rest))
    return [PartReport(name=name, value=value, text=_text(name, value, candidate)) for name, value in rows]


def _shift(name: str, value: float) -> str:
    if not name:
        return f"In this project {'more' if value > 0 else 'less'} was kept than was expected."
    return f"Where `{name}` counted like this, {'more' if value > 0 else 'less'} was kept than was expected."


def _text(name: str, value: float, candidate: Candidate) -> str:
    if name == "probability":
        rule = candidate.kind == RULE
        return f"That a reader of the whole session would call it a {'lasting rule' if rule else 'learning'}."
    if name == "user":
        return "What was decided in this project about others that are like it."
    if name == "recurrence":
        seen = len(candidate.sessions)
        return (
            f"It was seen in {seen} sessions." if seen > 1 else "It was seen in one session; each further one counts."
        )
    if name == "criterion":
        return "Of what this detector found before, some was dismissed."
    if name == "doubt":
        return "A version that it rests on has changed since."
    if name == "novelty":
        return (
            "An installed skill says a part of it." if value else "No installed skill says any of it that would count."
        )
    if name == "history":
        return "A session was told of it before, and made nothing of it." if value else "It was never told in vain."
    return "Another version of mind-skills counted it so."
