"""`mind-skills why` about a strategy, a skill or a detector, printed."""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.cli.why_standing_report import CastReport, CriterionWhyReport, PatternWhyReport, SkillWhyReport
from mind_skills.output.text import heading, line, quoted, table, when

VOTES = 50
"""Votes that are printed, the newest; --json has all of them."""


def show_pattern(report: PatternWhyReport) -> None:
    """Print why a strategy stands where it does."""
    heading(f"{report.id}  {report.state}, x {report.multiplier:g}{', pinned' if report.pinned else ''}")
    line(quoted(report.content, 200))
    _say(report.verdict, report.reasons)
    line(f"Sessions are {'told' if report.told else 'not told'} of it.")
    line(_counts(report))
    for word, at in (("Proven", report.promoted_at), ("Deprecated", report.deprecated_at)):
        if at is not None:
            line(f"{word} last on {when(at)}.")
    _votes(report.votes, report.thresholds)
    if report.decisions:
        line()
        rows = [(when(each.at), each.what, each.session or "by hand") for each in report.decisions[:VOTES]]
        table("What `mind-skills undo` takes back, in its turn", ("when", "what", "who"), rows)


def show_skill(report: SkillWhyReport) -> None:
    """Print why a skill stands where it does."""
    heading(f"{report.id}  {report.state}, x {report.multiplier:g}")
    line(report.path or "no file is known")
    _say(report.verdict, report.reasons)
    if report.origin is not None:
        line(f"From {report.origin.candidate} {quoted(report.origin.title, 120)}.")
    if report.confidence is not None:
        line(f"Helpful: {report.confidence:.0%} of what is left ({report.low:.0%} to {report.high:.0%}).")
    line(_counts(report))
    _votes(report.votes, report.thresholds)


def show_criterion(report: CriterionWhyReport) -> None:
    """Print why a detector weighs what it does."""
    heading(f"{report.id}  {report.state}, x {report.weight:g}")
    _say(report.verdict, report.reasons)
    line(
        f"{report.accepted} accepted ({report.decayed_accepted:.2f} left, last {when(report.last_accepted)}),"
        f" {report.dismissed} dismissed ({report.decayed_dismissed:.2f} left); last decision {when(report.last_vote)}."
    )
    _votes(report.votes, report.thresholds)


def _say(verdict: str, reasons: Sequence[str]) -> None:
    line()
    for text in (verdict, *reasons):
        line(text)
    line()


def _counts(report: PatternWhyReport | SkillWhyReport) -> str:
    return (
        f"{report.helpful} helpful ({report.decayed_helpful:.2f} left, last {when(report.last_helpful)}),"
        f" {report.harmful} harmful ({report.decayed_harmful:.2f} left); last vote {when(report.last_vote)}."
    )


def _votes(votes: Sequence[CastReport], thresholds: dict[str, float]) -> None:
    rows = [(each.source, each.type, when(each.at), f"{each.left:.2f}" if each.counts else "-") for each in votes]
    if rows:
        line()
        table("Votes", ("who", "what", "when", "left"), rows[:VOTES], right=("left",))
    if rows[VOTES:]:
        line(f"and {len(rows) - VOTES} older ones; --json has them all.")
    line()
    line("Measured by " + ", ".join(f"{key} {value:g}" for key, value in thresholds.items()) + ".")
