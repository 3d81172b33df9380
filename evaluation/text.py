"""Text output of `score`, `fit`, `study` and `rules`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mind_skills.evaluation.report import (
    BeliefReport,
    CurveReport,
    DesignReport,
    EvalReport,
    FiguresReport,
    FitReport,
    LevelReport,
    PartReport,
    RateReport,
    RuleStudyReport,
    StudyReport,
)
from mind_skills.output.candidates import format_kind
from mind_skills.output.text import format_count, print_heading, print_line, print_table


def print_report(report: EvalReport) -> None:
    figures = report.all
    print_heading(f"{format_count(report.sessions, 'session')}, {format_count(report.learnings, 'learning')}")
    print_line(
        f"  {format_count(figures.candidates, 'candidate')}; {figures.neutral} neutral, {format_count(figures.repeats, 'repeat')}, "
        f"{figures.unplaced} unplaced, {_format_cap(report)}"
    )
    print_line(
        f"  silent sessions with candidates: {figures.noisy} of {report.silent_sessions}; chance: {figures.chance:.3f}, "
        f"useful chance: {figures.useful_chance:.3f}"
    )
    for name in report.noisy_sessions:
        print_line(f"    {name}")
    print_line()
    columns = ("hit", "precision", "95 %", "hits", "recall", "95 %", "found")
    print_table("", columns, _build_level_rows(figures), right_aligned=columns[1:])
    print_line()
    print_breakdown(report)
    print_line()
    print_belief(report.belief)
    if report.rules is not None:
        precision, recall = report.rules.precision, report.rules.recall
        print_line(
            f"  user rules: precision {' '.join(_format_rate(precision))}, recall {' '.join(_format_rate(recall))}"
        )
    if report.rows is not None:
        _print_rows(report)


def _format_cap(report: EvalReport) -> str:
    return f"{format_count(report.over_cap, 'session')} with more than five candidates"


def _build_level_rows(figures: FiguresReport) -> Iterator[tuple[str, ...]]:
    for name, level in list_levels(figures):
        yield name, *_format_rate(level.precision), *_format_rate(level.recall)
    yield "useful", *_format_rate(figures.useful), "", "", ""


def list_levels(figures: FiguresReport) -> tuple[tuple[str, LevelReport], ...]:
    """Return the levels of a hit by name, in print order."""
    return (
        ("strict", figures.strict),
        ("named", figures.named),
        ("told", figures.told),
        ("lenient", figures.lenient),
    )


def print_belief(report: BeliefReport) -> None:
    """Print the reliability of the probabilities: one line and a table."""
    brier = f"Brier score {report.brier:.3f} (base rate: {report.base:.3f})"
    print_line(f"  probabilities: mean error {report.error:.3f} (exact probabilities: {report.by_chance:.3f}), {brier}")
    bins = [(str(each.candidates), f"{each.said:.3f}", f"{each.seen:.3f}") for each in report.bins]
    columns = ("candidates", "mean probability", "share of hits")
    print_table("", columns, bins, right_aligned=columns)


def _format_rate(rate: RateReport) -> tuple[str, str, str]:
    return f"{rate.rate:.3f}", f"{rate.low:.2f}-{rate.high:.2f}", f"{rate.hits} of {rate.tries}"


def print_breakdown(report: EvalReport) -> None:
    """Print one row for each confidence and each kind, and one for all candidates."""
    columns = ("", "candidates", "strict P", "strict R", "named P", "named R", "told P", "told R", "noisy")
    rows = [
        (
            format_kind(each.name),
            str(each.candidates),
            *(cell for level in (each.strict, each.named, each.told) for cell in _format_level(level)),
            str(each.noisy),
        )
        for each in (*report.confidences, *report.kinds, report.all)
    ]
    print_table("", columns, rows, right_aligned=columns[1:])


def _format_level(level: LevelReport) -> tuple[str, str]:
    precision, recall = level.precision, level.recall
    return f"{precision.rate:.3f} ({precision.low:.2f}-{precision.high:.2f})", f"{recall.rate:.3f}"


def _print_rows(report: EvalReport) -> None:
    print_line()
    print_heading("Candidates")
    print_table(
        "",
        ("verdict", "p", "confidence", "kind", "lines", "session", "title"),
        [
            (
                r.verdict,
                f"{r.probability:.2f}",
                r.confidence,
                format_kind(r.kind),
                f"{r.first}-{r.last}",
                r.session,
                r.title,
            )
            for r in report.rows or ()
        ],
    )
    print_line()
    print_heading("Learnings without a candidate")
    print_table(
        "", ("lines", "session", "title"), [(f"{m.first}-{m.last}", m.session, m.title) for m in report.missed or ()]
    )


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
    print_table("", columns, rows, right_aligned=columns[1:])


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
    print_table(
        "", ("rules", "precision", "95 %", "offered", "recall"), rows, right_aligned=("precision", "offered", "recall")
    )
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
    print_table("", columns, rows, right_aligned=columns[2:])


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
