"""Text output of `score`."""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.evaluation.report import BeliefReport, EvalReport, FiguresReport, LevelReport, RateReport
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
    print_table("", columns, _build_level_rows(figures), right=columns[1:])
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
    print_table("", columns, bins, right=columns)


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
    print_table("", columns, rows, right=columns[1:])


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
