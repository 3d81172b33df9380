"""`mind-skills why` about a detector: what became of its candidates, and what that makes of its next ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mind_skills.cli.why_maturity import thresholds
from mind_skills.cli.why_standing_report import CastReport, CriterionWhyReport
from mind_skills.learning.criteria import FLOOR, CriterionWeight, FeedbackEvent, criterion_weight, effective_weight
from mind_skills.learning.decay import believable, decay
from mind_skills.learning.interval import wilson
from mind_skills.learning.scoring import LearningConfig

State = Literal["unknown", "few", "weighed", "silent"]


def explain(name: str, events: Sequence[FeedbackEvent], config: LearningConfig, now: int) -> CriterionWhyReport:
    """The whole answer at ``now`` (UTC ms). ``events`` are what was decided about the candidates of this detector."""
    known = criterion_weight(events, config, now=now)
    weight = effective_weight(known, config)
    left = known.helpful_left + known.harmful_left
    low, high = wilson(known.harmful_left, left)
    state = _state(known, weight, config)
    return CriterionWhyReport(
        id=name,
        state=state,
        weight=round(weight, 3),
        verdict=_verdict(state, known, weight, config),
        reasons=_reasons(state, known, (low, high), config),
        accepted=known.helpful_count,
        dismissed=known.harmful_count,
        decayed_accepted=round(known.helpful_left, 3),
        decayed_dismissed=round(known.harmful_left, 3),
        dismissed_share=round(known.harmful_left / left, 3) if left > 0 else None,
        low=round(low, 3),
        high=round(high, 3),
        last_accepted=known.last_validated,
        last_vote=max((event.at for event in events if event.at is not None), default=None),
        thresholds=thresholds("learning", config, "half_life_days", "min_feedback_for_adjustment", "max_harmful_ratio"),
        votes=_casts(events, config, now),
    )


def _state(known: CriterionWeight, weight: float, config: LearningConfig) -> State:
    total = known.helpful_count + known.harmful_count
    if total == 0:
        return "unknown"
    if weight == 0.0:
        return "silent"
    return "few" if total < config.min_feedback_for_adjustment else "weighed"


def _verdict(state: State, known: CriterionWeight, weight: float, config: LearningConfig) -> str:
    total = known.helpful_count + known.harmful_count
    if state == "unknown":
        return "It weighs 1 because nothing of its candidates was accepted or dismissed yet."
    if state == "few":
        needed = config.min_feedback_for_adjustment
        were = "candidate was" if total == 1 else "candidates were"
        return f"It weighs 1 because only {total} {were} decided, and {needed} are needed."
    decided = f"{known.harmful_count} of {total} candidates were dismissed"
    if state == "silent":
        return (
            f"Silent because {decided}, surely more than {config.max_harmful_ratio:.0%}: its next ones are not staged."
        )
    if weight < 1.0:
        return f"Low because {decided}: its next ones rank x {weight:.2f}."
    return f"It weighs 1 because none of its {total} decided candidates was dismissed."


def _reasons(state: State, known: CriterionWeight, bounds: tuple[float, float], config: LearningConfig) -> list[str]:
    left = known.helpful_left + known.harmful_left
    total = known.helpful_count + known.harmful_count
    found: list[str] = []
    if total and left < total - 0.05:
        found.append(
            f"{left:.2f} of {total} decisions are left; each counts half after {config.half_life_days:g} days."
        )
    if state in ("weighed", "silent"):
        sure = f"{bounds[0]:.0%} to {bounds[1]:.0%}"
        word = "above" if state == "silent" else "not surely above"
        found.append(f"The dismissed share is {sure} at 95 %, {word} {config.max_harmful_ratio:.0%}.")
    if state == "weighed" and known.weight == FLOOR:
        found.append(f"A weight is never less than {FLOOR:g}, so that what was right in the end comes back.")
    if state == "silent":
        found.append("It speaks again once enough of these decisions have faded, or `mind-skills undo` takes one back.")
    return found


def _casts(events: Sequence[FeedbackEvent], config: LearningConfig, now: int) -> list[CastReport]:
    """Every decision, the newest first; its source is the candidate's id."""
    found = [
        CastReport(
            source=event.id.rpartition("/")[2],
            type="accepted" if event.type == "helpful" else "dismissed",
            at=event.at,
            left=round(decay(event.at, now, config.half_life_days), 3) if believable(event.at, now) else 0.0,
            counts=believable(event.at, now),
        )
        for event in events
    ]
    return sorted(found, key=lambda each: (-(each.at or 0), each.source))
