"""What `accept`, `dismiss` and `undo` answer: a receipt."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.answers import ReceiptReport
from mind_skills.plugin.output import emit, line
from mind_skills.plugin.state import state_of
from mind_skills.staging.records import Record


def show(done: Literal["accepted", "dismissed", "undone"], record: Record, as_json: bool) -> None:
    """Print what was done to the candidate of ``record``, and where it stands now."""
    report = ReceiptReport(
        done=done, id=record.candidate.id, title=record.candidate.title, state=state_of(record), detail=record.detail
    )
    text = {
        "accepted": f"Accepted {report.id} as {report.detail}.",
        "dismissed": f"Dismissed {report.id} for good; `mind-skills undo` takes it back.",
        "undone": f"Taken back: {report.id} is {report.state} again.",
    }
    emit(report, as_json, lambda: line(f"{text[done]}\n  {report.title}"))
