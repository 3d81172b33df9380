"""The table of docs/performance.md, from a document of research/benchmarks/suite.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from research.benchmarks.parts import PARTS, Row
from research.benchmarks.results import Document, compute_medians

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- research/benchmarks/suite.py --write -->", "<!-- end -->"


def list_measured_rows(document: Document, *, is_for_page: bool = False) -> Iterator[tuple[Row, float]]:
    """Yield the rows of the table that were measured, with the median of each. The page omits some."""
    for name, part in PARTS.items():
        found = compute_medians(document["parts"].get(name, {}))
        for row in part.rows:
            if row.at in found and (row.is_on_page or not is_for_page):
                yield row, found[row.at]


def format_table(document: Document, *, is_for_page: bool = False) -> str:
    """Return the numbers as Markdown, missed targets in bold, and where and when they were measured."""
    rows = ["| measured | | target |", "|---|---|---|"]
    if any(part.get("quick") for part in document["parts"].values()):
        rows = ["Quick run: shorter sessions than stated and few rounds, so the numbers are unreliable.", "", *rows]
    for row, value in list_measured_rows(document, is_for_page=is_for_page):
        number = row.form.format(value)
        rows.append(f"| {row.label} | {number if row.is_met(value) else f'**{number}**'} | {row.target} |")
    return "\n".join([*rows, "", _format_circumstances(document)])


def _format_circumstances(document: Document) -> str:
    machine, parts = document["machine"], document["parts"].values()
    commits = sorted({part["commit"] + (" and changes" if part["changed"] else "") for part in parts})
    loads = [part["load"] for part in parts]
    days = sorted({part["at"][:10] for part in parts})
    logs = (
        " Throughput was measured on the fixtures, because real logs were not available."
        if _uses_fixtures(document)
        else ""
    )
    return (
        f"{machine['implementation']} {machine['python']}, orjson {machine['orjson']}, {machine['system']}, {machine['cores']} cores, with"
        f" {min(loads, default=0):g} to {max(loads, default=0):g} runnable processes; commit {', '.join(commits)};"
        f" {', '.join(days)}.{logs}"
    )


def _uses_fixtures(document: Document) -> bool:
    return any(run.get("logs") == "fixtures" for run in document["parts"].get("throughput", {}).get("runs", ()))


def list_missed_targets(document: Document) -> list[str]:
    """Describe the numbers that miss their targets."""
    return [
        f"{row.label}: {row.form.format(value)} ({row.target})"
        for row, value in list_measured_rows(document)
        if not row.is_met(value)
    ]


def write_table(document: Document) -> None:
    """Write the table into the page, between its markers."""
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(f"{head}{BEGIN}\n\n{format_table(document, is_for_page=True)}\n\n{END}{tail}", "utf-8")
