"""Text output of `fit`, `study` and `rules`."""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.evaluation.study_report import (
    CurveReport,
    DesignReport,
    FitReport,
    PartReport,
    RuleStudyReport,
    StudyReport,
)
from mind_skills.evaluation.text import print_belief
from mind_skills.output.candidates import format_kind
from mind_skills.output.text import format_count, print_heading, print_line, print_table


def print_fit(report: FitReport) -> None:
    origin = f"{format_count(report.sessions, 'session')} of {format_count(report.owners, 'owner')}"
    summary = f"{origin}, {format_count(report.learnings, 'learning')}"
    print_line(f"{report.path}: {'written' if report.changed else 'unchanged'}; {summary}")
    thresholds = ", ".join(f"{name} from {p:.3f}" for name, p in report.tiers.items())
    print_line(f"  {report.used} of {report.features} weights are not 0; {thresholds}")


def print_study(report: StudyReport) -> None:
    print_heading(f"Out of fold: {format_count(report.sessions, 'session')} of {format_count(report.owners, 'owner')}")
    _print_parts(
        (report.whole, report.without_largest.replace(name=f"without {report.without_largest.name}"), *report.formats)
    )
    print_line(
        f"  proposals: {report.proposals} on {report.proposed} of {report.learnings} learnings; precision at random: {report.random:.3f}"
    )
    print_belief(report.belief)
    for title, designs in (("Designs", report.designs), ("Without one group of features", report.ablation)):
        _print_designs(title, designs)
    _print_designs(
        "Share of owners", [DesignReport(name=f"{e.share:.2f}", says="", curve=e.curve) for e in report.learning]
    )
    print_line()
    print_heading("Learnings by kind")
    kinds = [(format_kind(e.kind), str(e.learnings), str(e.proposed), str(e.found)) for e in report.kinds]
    print_table("", ("kind", "learnings", "proposed", "found"), kinds)
    print_line()
    print_heading("Patterns")
    columns = ("pattern", "proposals", "precision", "learnings", "alone", "chosen", "hits")
    rows = [
        (e.pattern, str(e.proposals), f"{e.precision:.3f}", str(e.learnings), str(e.alone), str(e.chosen), str(e.hits))
        for e in report.patterns
    ]
    print_table("", columns, rows, right=columns[1:])


def print_rules(report: RuleStudyReport) -> None:
    """Print how well rules are found, and the file that was written."""
    origin = f"{format_count(report.sessions, 'session')} of {format_count(report.owners, 'owner')}"
    summary = f"{origin}, {format_count(report.sentences, 'sentence')}"
    print_heading(f"Out of fold: {summary}, {format_count(report.corrections, 'labelled correction')}")
    rows = [
        (
            name,
            f"{rates.precision.rate:.3f}",
            f"{rates.precision.low:.2f}-{rates.precision.high:.2f}",
            str(rates.precision.tries),
            f"{rates.recall.rate:.3f}",
        )
        for name, rates in (
            ("as offered", report.told),
            ("target 0.75", report.asked),
            ("target 0.75, including rules in the project's files", report.asked_all),
        )
    ]
    print_table("", ("rules", "precision", "95 %", "offered", "recall"), rows, right=("precision", "offered", "recall"))
    if report.path is not None:
        print_line(f"{report.path}: {'written' if report.changed else 'unchanged'}")


def _print_parts(parts: Sequence[PartReport]) -> None:
    columns = ("", "tier", "candidates", "strict P", "95 %", "strict R", "useful", "named", "told", "chance", "noisy")
    rows = [
        (
            part.name,
            tier.name,
            str(tier.figures.candidates),
            f"{tier.figures.strict.precision.rate:.3f}",
            f"{tier.figures.strict.precision.low:.2f}-{tier.figures.strict.precision.high:.2f}",
            f"{tier.figures.strict.recall.rate:.3f}",
            f"{tier.figures.useful.rate:.3f}",
            f"{tier.figures.named.precision.rate:.3f}",
            f"{tier.figures.told.precision.rate:.3f}",
            f"{tier.figures.chance:.3f}",
            f"{tier.figures.noisy} of {part.silent_sessions}",
        )
        for part in parts
        for tier in part.tiers
    ]
    print_table("", columns, rows, right=columns[2:])


def _print_designs(title: str, designs: Sequence[DesignReport]) -> None:
    print_line()
    print_heading(title)
    recalls = [point.recall for point in max((design.curve.points for design in designs), key=len)]
    columns = ("", "average", *(f"P at R {recall}" for recall in recalls), "")
    rows = [
        (design.name, f"{design.curve.average:.3f}", *_format_points(design.curve, len(recalls)), design.says)
        for design in designs
    ]
    print_table("", columns, rows)


def _format_points(curve: CurveReport, count: int) -> list[str]:
    reached = [f"{point.precision:.3f} ({point.noisy} noisy)" for point in curve.points]
    return [*reached, *["-"] * (count - len(reached))]
