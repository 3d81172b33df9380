"""The report of `score` as people read it."""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.evaluation.report import BeliefReport, EvalReport, FiguresReport, LevelReport, RateReport
from mind_skills.output.candidates import kind_text
from mind_skills.output.text import count, heading, line, table


def show(report: EvalReport) -> None:
    """Print everything that was asked for."""
    whole = report.all
    heading(f"{count(report.sessions, 'session')}, {count(report.learnings, 'learning')}")
    line(
        f"  {count(whole.candidates, 'candidate')}; {whole.neutral} neutral, {count(whole.repeats, 'repeat')}, "
        f"{whole.unplaced} unplaced, {_cap(report)}"
    )
    line(
        f"  silent sessions with candidates: {whole.noisy} of {report.silent_sessions}; chance: {whole.chance:.3f}, "
        f"of useful ones {whole.useful_chance:.3f}"
    )
    for name in report.noisy_sessions:
        line(f"    {name}")
    line()
    columns = ("hit", "precision", "95 %", "hits", "recall", "95 %", "found")
    table("", columns, _levels(whole), right=columns[1:])
    line()
    by_confidence_and_kind(report)
    line()
    belief(report.belief)
    if report.rules is not None:
        precision, recall = report.rules.precision, report.rules.recall
        line(f"  rules of the user: precision {' '.join(_rate(precision))}, recall {' '.join(_rate(recall))}")
    if report.rows is not None:
        _rows(report)


def _cap(report: EvalReport) -> str:
    return f"{count(report.over_cap, 'session')} with more than five"


def _levels(figures: FiguresReport) -> Iterator[tuple[str, ...]]:
    for name, level in figures_by_level(figures):
        yield name, *_rate(level.precision), *_rate(level.recall)
    yield "useful", *_rate(figures.useful), "", "", ""


def figures_by_level(figures: FiguresReport) -> tuple[tuple[str, LevelReport], ...]:
    """The levels of a hit, by name, in the order in which they are shown."""
    return (
        ("strict", figures.strict),
        ("named", figures.named),
        ("told", figures.told),
        ("lenient", figures.lenient),
    )


def belief(report: BeliefReport) -> None:
    """How far probabilities hold, in one line and a table."""
    brier = f"Brier score {report.brier:.3f}, by the base rate {report.base:.3f}"
    line(f"  probabilities: expected error {report.error:.3f} (exact ones {report.by_chance:.3f}), {brier}")
    bins = [(str(each.candidates), f"{each.said:.3f}", f"{each.seen:.3f}") for each in report.bins]
    table("", ("candidates", "said", "seen"), bins, right=("candidates", "said", "seen"))


def _rate(rate: RateReport) -> tuple[str, str, str]:
    return f"{rate.rate:.3f}", f"{rate.low:.2f}-{rate.high:.2f}", f"{rate.hits} of {rate.tries}"


def by_confidence_and_kind(report: EvalReport) -> None:
    """One line for each confidence and kind, and one for all."""
    columns = ("", "candidates", "strict P", "strict R", "named P", "named R", "told P", "told R", "noisy")
    rows = [
        (
            kind_text(each.name),
            str(each.candidates),
            *(cell for level in (each.strict, each.named, each.told) for cell in _pair(level)),
            str(each.noisy),
        )
        for each in (*report.confidences, *report.kinds, report.all)
    ]
    table("", columns, rows, right=columns[1:])


def _pair(level: LevelReport) -> tuple[str, str]:
    precision, recall = level.precision, level.recall
    return f"{precision.rate:.3f} ({precision.low:.2f}-{precision.high:.2f})", f"{recall.rate:.3f}"


def _rows(report: EvalReport) -> None:
    line()
    heading("Candidates")
    table(
        "",
        ("verdict", "p", "confidence", "kind", "lines", "session", "title"),
        [
            (
                r.verdict,
                f"{r.probability:.2f}",
                r.confidence,
                kind_text(r.kind),
                f"{r.first}-{r.last}",
                r.session,
                r.title,
            )
            for r in report.rows or ()
        ],
    )
    line()
    heading("Learnings that no candidate lies in")
    table("", ("lines", "session", "title"), [(f"{m.first}-{m.last}", m.session, m.title) for m in report.missed or ()])
