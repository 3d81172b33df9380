"""`mind-skills why` about a strategy, or about the warning that it became."""

from __future__ import annotations

from mind_skills.cli.open_patterns import OpenPatterns, short
from mind_skills.cli.why_maturity import Figures, casts, figures, inversion, reasons, thresholds, verdict
from mind_skills.cli.why_standing_report import CastReport, DecidedReport, PatternWhyReport
from mind_skills.hooks.credit import LINES
from mind_skills.learning import deprecation
from mind_skills.learning.anti_patterns import WARNING
from mind_skills.learning.credit import Standing
from mind_skills.learning.maturity import multiplier


def explain(patterns: OpenPatterns, pattern_id: str, now: int) -> PatternWhyReport:
    """The whole answer at ``now`` (UTC ms). Raises MindSkillsError where there is no such strategy."""
    asked = patterns.named(pattern_id, now)
    of = patterns.named(short(asked.pattern).removeprefix(WARNING), now)
    votes, rules = patterns.maturities.feedback(of.pattern.id), patterns.rules
    seen = figures(votes, rules.maturity, now)
    taken_back = sorted(patterns.credit.refused(of.pattern.id))
    helped = [vote.at for vote in votes if vote.type == "helpful" and vote.at is not None]
    return PatternWhyReport(
        id=short(asked.pattern),
        content=asked.pattern.content,
        kind=asked.pattern.kind,
        state=of.maturity.state,
        multiplier=multiplier(of.maturity.state),
        pinned=of.maturity.pinned,
        told=_told(patterns, of, now),
        verdict=_verdict(of, seen, patterns),
        reasons=_reasons(of, seen, patterns),
        helpful=of.pattern.success_count,
        harmful=of.pattern.failure_count,
        decayed_helpful=round(seen.left[0], 3),
        decayed_harmful=round(seen.left[1], 3),
        harmful_share=None if seen.share is None else round(seen.share, 3),
        created_at=of.pattern.created_at,
        last_helpful=max(helped, default=None),
        last_vote=max((vote.at for vote in votes if vote.at is not None), default=None),
        promoted_at=of.maturity.promoted_at,
        deprecated_at=of.maturity.deprecated_at,
        inverted_to=f"{WARNING}{short(of.pattern)}" if of.pattern.inverted_to else "",
        thresholds=thresholds("maturity", rules.maturity) | thresholds("anti_pattern", rules.anti_pattern),
        votes=[
            *casts(votes, rules.maturity, now),
            *(CastReport(source=name, type="taken back", at=None, left=0.0, counts=False) for name in taken_back),
        ],
        decisions=[
            DecidedReport(at=each.at, what=each.what, session=each.source)
            for each in reversed(patterns.credit.decisions(of.pattern.id))
        ],
    )


def _told(patterns: OpenPatterns, of: Standing, now: int) -> bool:
    """Whether it is among the lines that the sessions of the project are told, as hooks/credit.py chooses them."""
    warned = [each.id for each in patterns.credit.warnings(patterns.project.id)[:LINES]]
    proven = patterns.credit.proven(patterns.project.id, now=now)
    proven.sort(key=lambda each: (-each.maturity.helpful_count, each.pattern.id))
    return of.pattern.inverted_to in warned or of.pattern.id in [each.pattern.id for each in proven[:LINES]]


def _verdict(of: Standing, seen: Figures, patterns: OpenPatterns) -> str:
    if of.pattern.inverted_to:
        return inversion(of.pattern.success_count, of.pattern.failure_count, patterns.rules.anti_pattern, inverted=True)
    if of.maturity.state == "deprecated" and not deprecation.is_vote_based(of.maturity):
        return f"Deprecated because it was given up by hand: {of.maturity.reason}"
    if of.maturity.state != seen.by_votes:
        held = "it is pinned" if of.maturity.pinned else "what was given up stays so until it is reset"
        return f"{of.maturity.state.capitalize()} because {held}; its votes alone would make it {seen.by_votes}."
    return verdict(of.maturity.state, seen)


def _reasons(of: Standing, seen: Figures, patterns: OpenPatterns) -> list[str]:
    found = reasons(of.maturity.state, seen)
    name = short(of.pattern)
    if not of.pattern.inverted_to:
        counts = of.pattern.success_count, of.pattern.failure_count
        found.append(inversion(*counts, patterns.rules.anti_pattern, inverted=False))
    if of.maturity.state == "deprecated":
        stays = f"It stays so until `mind-skills patterns reset {name}`, or until the votes behind it change."
        passing = "Too few votes to be sure: it comes back by itself when fewer of what is left of them are harmful."
        found.append(stays if deprecation.is_permanent(of.maturity) else passing)
    if of.maturity.pinned:
        found.append(f"It is pinned: no vote moves it; `mind-skills pin {name} --off` lets it go.")
    return found
