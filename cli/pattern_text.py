"""Patterns, printed: by the commands that list them and those that change them."""

from __future__ import annotations

from mind_skills.plugin.output import emit, line, table
from mind_skills.plugin.pattern_report import PatternReport, PatternsReport


def show(project: str, found: list[PatternReport], as_json: bool) -> None:
    """Print the patterns of the project whose folder is ``project``."""
    report = PatternsReport(project=project, patterns=found)
    emit(report, as_json, lambda: _text(report))


def _text(report: PatternsReport) -> None:
    rows = [(each.id, each.content, f"{each.text}{' pinned' if each.pinned else ''}") for each in report.patterns]
    if rows:
        table("", ("id", "strategy", "stands"), rows)
    else:
        line(f"No session in {report.project} has followed a strategy that is known, or come out clearly.")
