"""The report of `eval --journal` as people read it."""

from __future__ import annotations

from mind_skills.evaluation.journal_report import JournalReport, ToldReport
from mind_skills.output.text import count, heading, line, table


def show(report: JournalReport) -> None:
    """Print it."""
    if not report.decisions:
        line("Nothing was decided yet about a candidate with a probability.")
        return
    heading(f"{count(report.decisions, 'decision')} in {count(report.projects, 'project')}, {report.kept} accepted")
    columns = ("", "told", "accepted", "precision", "told after the update", "accepted", "precision")
    rows = [_row(each.name, each) for each in (*report.tiers, report.told)]
    rows += [
        _row(
            f"decisions {stage.since + 1} to {stage.until}" if stage.until else f"from {stage.since + 1} on", stage.told
        )
        for stage in report.stages
    ]
    table("", columns, rows, right=columns[1:])
    if report.unknown:
        line(
            f"{count(report.unknown, 'more decision')} of an earlier version: what was decided about had no probability."
        )


def _row(name: str, told: ToldReport) -> tuple[str, ...]:
    after = (str(told.told_updated), str(told.kept_updated), _share(told.precision_updated))
    return name, str(told.told), str(told.kept), _share(told.precision), *after


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
