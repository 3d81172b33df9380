"""Receipts: what `accept` and `dismiss` answer."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.candidates import ReceiptReport, state_of
from mind_skills.output.text import emit, line
from mind_skills.staging.tables.candidates import Record


def report(done: Literal["accepted", "dismissed"], record: Record) -> ReceiptReport:
    """What was done to the candidate of ``record``, as a document."""
    return ReceiptReport(
        done=done, id=record.candidate.id, title=record.candidate.title, state=state_of(record), detail=record.detail
    )


def show(done: Literal["accepted", "dismissed"], record: Record, as_json: bool) -> None:
    """Print what was done to the candidate of ``record``, and where it stands now."""
    receipt = report(done, record)
    text = {
        "accepted": f"Accepted {receipt.id} as {receipt.detail}.",
        "dismissed": f"Dismissed {receipt.id} for good; `mind-skills undo` takes it back.",
    }
    emit(receipt, as_json, lambda: line(f"{text[done]}\n  {receipt.title}"))
