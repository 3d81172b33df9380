"""The table of docs/performance.md, from a document of benchmarks/suite.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.parts import PARTS, Row
from benchmarks.results import Document, medians

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- benchmarks/suite.py --write -->", "<!-- end -->"


def shown(document: Document) -> Iterator[tuple[Row, float]]:
    """Return the measured numbers of the table."""
    for name, part in PARTS.items():
        found = medians(document["parts"].get(name, {}))
        for row in part.rows:
            if row.at in found:
                yield row, found[row.at]


def table(document: Document) -> str:
    """Return the numbers as Markdown, missed targets in bold, and where and when they were measured."""
    rows = ["| measured | | target |", "|---|---|---|"]
    if any(part.get("quick") for part in document["parts"].values()):
        rows = ["Quick run: shorter sessions than stated and few rounds, so the numbers are unreliable.", "", *rows]
    for row, value in shown(document):
        number = row.form.format(value)
        rows.append(f"| {row.label} | {number if row.held(value) else f'**{number}**'} | {row.target} |")
    return "\n".join([*rows, "", _circumstances(document)])


def _circumstances(document: Document) -> str:
    here, parts = document["machine"], document["parts"].values()
    commits = sorted({part["commit"] + (" and changes" if part["changed"] else "") for part in parts})
    loads = [part["load"] for part in parts]
    days = sorted({part["at"][:10] for part in parts})
    logs = " Throughput is of the fixtures: real logs were not at hand." if _of_fixtures(document) else ""
    return (
        f"{here['implementation']} {here['python']}, orjson {here['orjson']}, {here['system']}, {here['cores']} cores, with"
        f" {min(loads, default=0):g} to {max(loads, default=0):g} runnable processes; commit {', '.join(commits)};"
        f" {', '.join(days)}.{logs}"
    )


def _of_fixtures(document: Document) -> bool:
    return any(run.get("logs") == "fixtures" for run in document["parts"].get("throughput", {}).get("runs", ()))


def missed(document: Document) -> list[str]:
    """Return the missed targets."""
    return [
        f"{row.label}: {row.form.format(value)} ({row.target})" for row, value in shown(document) if not row.held(value)
    ]


def write(document: Document) -> None:
    """Write the table into the page, between its marks."""
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(f"{head}{BEGIN}\n\n{table(document)}\n\n{END}{tail}", "utf-8")
