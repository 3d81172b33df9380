"""What `mind-skills memory` prints for people."""

from __future__ import annotations

from collections.abc import Sequence

from mind_skills.cli.memory_report import MemoryHealthReport, MemoryHitReport
from mind_skills.memory.model import QUARANTINE
from mind_skills.plugin.output import count, line, quoted

SHOWN = 300
"""Characters of a record that are shown; `--json` has the whole."""


_RESTS_ON = {
    "web": "rests on the web",
    "mcp": "rests on other tools",
    "issue": "rests on an issue",
    "remote": "rests on what was fetched",
    "output": "repeats a tool",
}


def show(results: Sequence[MemoryHitReport]) -> None:
    """The records that were found, each as a quotation: somebody else may have written it."""
    if not results:
        line("Nothing like that is remembered here.")
    for hit in results:
        kind = hit.kind.replace("_", "-")
        marks = ["in quarantine" if QUARANTINE in hit.taint else ""]
        marks += [text for name, text in _RESTS_ON.items() if name in hit.taint]
        marks += ["failed" if hit.success is False else ""]
        about = ", ".join(filter(None, [kind, *marks]))
        line(f"{hit.score:.2f}  {hit.id}  ({about})")
        line(f"      {quoted(hit.content, SHOWN)}")


def show_health(report: MemoryHealthReport) -> None:
    """How the memory is."""
    line(f"{'Healthy' if report.healthy else 'Not healthy'}: {count(report.count, 'record')} in {report.location}")
    for kind, number in report.kinds.items():
        line(f"  {number} {kind.replace('_', '-')}")
    if report.quarantined:
        line(f"  {report.quarantined} of them in quarantine: nobody has vouched for them")
    line(f"Encoder: {report.encoder} ({report.reason})")
