"""`mind-skills why` about an installed skill, or one that is gone but was used."""

from __future__ import annotations

from mind_skills.cli.skill_report import StandingReport
from mind_skills.cli.why_maturity import casts, figures, reasons, thresholds, verdict
from mind_skills.cli.why_standing_report import CastReport, SkillWhyReport
from mind_skills.learning.maturity import MaturityFeedback
from mind_skills.learning.rules import Rules


def explain(skill: StandingReport, rules: Rules, now: int) -> SkillWhyReport:
    """The whole answer at ``now`` (UTC ms), from what `mind-skills skills` knows of it."""
    votes = [
        MaturityFeedback(skill.path, "helpful" if each.outcome == "helpful" else "harmful", min(each.at, now), 1.0, each.session)
        for each in skill.votes
        if each.counts
    ]  # fmt: skip
    seen = figures(votes, rules.maturity, now)
    silent = [
        CastReport(source=each.session, type=each.outcome, at=each.at, left=0.0, counts=False)
        for each in skill.votes
        if not each.counts
    ]
    more = [f"It fails: {skill.failing}."] if skill.failing else []
    if skill.worth != skill.multiplier:
        more.append(f"It makes x {skill.worth:g} of a rank as long as it is not sure that it fails.")
    if silent:
        more.append(f"{len(silent)} of {skill.loads} sessions that loaded it said nothing: neutral, or not known.")
    if skill.origin is None:
        more.append("It came from no candidate of ours, so it is only reported on.")
    return SkillWhyReport(
        id=skill.name,
        path=skill.path,
        state=skill.state,
        multiplier=skill.multiplier,
        worth=skill.worth,
        verdict=verdict(skill.state, seen),
        reasons=[*reasons(skill.state, seen), *more],
        helpful=skill.helpful,
        harmful=skill.harmful,
        decayed_helpful=round(seen.left[0], 3),
        decayed_harmful=round(seen.left[1], 3),
        harmful_share=None if seen.share is None else round(seen.share, 3),
        confidence=skill.confidence,
        low=skill.low,
        high=skill.high,
        last_helpful=max((vote.at for vote in votes if vote.type == "helpful" and vote.at is not None), default=None),
        last_vote=max((vote.at for vote in votes if vote.at is not None), default=None),
        last_used=skill.last_used,
        origin=skill.origin,
        thresholds=thresholds("maturity", rules.maturity),
        votes=[*casts(votes, rules.maturity, now), *silent],
    )
