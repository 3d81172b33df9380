"""The report of `eval` as people read it."""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.plugin.evaluating.report import (
    BriefReport,
    EvalReport,
    FiguresReport,
    FoldsReport,
    LevelReport,
    RateReport,
    RuleReport,
)
from mind_skills.plugin.output import count, heading, line, table
from mind_skills.plugin.replay_text import kind_text

_BRIEF = ("strict P", "strict R", "named P", "named R", "noisy", "candidates")


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
    _detectors(report)
    if report.rows is not None:
        _rows(report)
    if report.ablation is not None:
        _ablation(report.ablation)
    if report.folds is not None:
        _folds(report.folds)


def _cap(report: EvalReport) -> str:
    return f"{count(report.over_cap, 'session')} with more than five"


def _levels(figures: FiguresReport) -> Iterator[tuple[str, ...]]:
    for name, level in (("strict", figures.strict), ("named", figures.named), ("lenient", figures.lenient)):
        yield name, *_rate(level.precision), *_rate(level.recall)
    yield "useful", *_rate(figures.useful), "", "", ""


def _rate(rate: RateReport) -> tuple[str, str, str]:
    return f"{rate.rate:.3f}", f"{rate.low:.2f}-{rate.high:.2f}", f"{rate.hits} of {rate.tries}"


def _detectors(report: EvalReport) -> None:
    columns = (
        "detector",
        "candidates",
        "strict P",
        "strict R",
        "named P",
        "named R",
        "lenient P",
        "lenient R",
        "noisy",
    )
    rows = [
        (
            kind_text(each.name),
            str(each.candidates),
            *(cell for level in (each.strict, each.named, each.lenient) for cell in _pair(level)),
            str(each.noisy),
        )
        for each in (*report.detectors, report.all)
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
        ("verdict", "kind", "lines", "session", "title"),
        [(r.verdict, kind_text(r.kind), f"{r.first}-{r.last}", r.session, r.title) for r in report.rows or ()],
    )
    line()
    heading("Learnings that no candidate lies in")
    table("", ("lines", "session", "title"), [(f"{m.first}-{m.last}", m.session, m.title) for m in report.missed or ()])


def _brief(figures: BriefReport) -> tuple[str, ...]:
    rates = (figures.strict_precision, figures.strict_recall, figures.named_precision, figures.named_recall)
    return *(f"{rate:.3f}" for rate in rates), str(figures.noisy), str(figures.candidates)


def _ablation(rules: list[RuleReport]) -> None:
    line()
    heading("Each rule off, alone")
    columns = ("rule", *_BRIEF, "sessions changed", "instead")
    needed = [rule for rule in rules if rule.changed]
    table(
        "",
        columns,
        [(rule.rule, *_brief(rule.figures), str(rule.changed), rule.instead) for rule in needed],
        right=columns[1:-1],
    )
    idle = [rule for rule in rules if not rule.changed]
    if idle:
        line()
        heading("Rules that no labelled session needs, and the test that does")
        table("", ("rule", "says", "test"), [(rule.rule, rule.says, rule.test or "none") for rule in idle])


def _folds(folds: FoldsReport) -> None:
    line()
    heading("Each threshold chosen without one source and scored on it")
    columns = ("threshold", "in use", "tried (F1)", "chosen", *_BRIEF)
    rows = [
        (
            each.threshold,
            str(each.value),
            " ".join(f"{tried.value} ({tried.f1:.2f})" for tried in each.tried),
            " ".join(str(value) for value in sorted({choice.value for choice in each.chosen})),
            *_brief(each.figures),
        )
        for each in folds.thresholds
    ]
    table("", columns, [*rows, ("all together", "", "", "", *_brief(folds.together))], right=columns[4:])
    line()
    heading("Each source: alone, all others, and it under thresholds chosen on all others")
    columns = ("source", "sessions", "learnings", "", *_BRIEF)
    sources = [
        (each.source, str(each.sessions), str(each.learnings), name, *_brief(figures))
        for each in folds.sources
        for name, figures in (("alone", each.alone), ("without", each.without), ("left out", each.left_out))
    ]
    table("", columns, sources, right=columns[4:])
