"""Receipts: what `accept` and `dismiss` answer, and the skills that came of offers, which `status` lists."""

from __future__ import annotations

from typing import Literal

from mind_skills.hooks import receipts
from mind_skills.learning.skills.reading import on_disk
from mind_skills.plugin.candidate_reports import ReceiptReport
from mind_skills.plugin.output import emit, line
from mind_skills.plugin.state import state_of
from mind_skills.plugin.status_report import SkillReport
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.records import Record
from mind_skills.store.project import Project

RECENT = 5
"""Skills that `status` lists."""


def recent(ledger: Ledger, project: Project) -> list[SkillReport]:
    """The skills that came of candidates of a project, the newest first. Raises StoreError."""
    accepted = [record for record in ledger.history(project) if record.state == "accepted" and record.detail]
    return [_skill(ledger, record) for record in reversed(accepted[-RECENT:])]


def _skill(ledger: Ledger, record: Record) -> SkillReport:
    offer = ledger.offer_of(record.offered_to) if record.offered_to else None
    return SkillReport(
        id=record.candidate.id,
        name=receipts.name(record.detail),
        path=record.detail,
        trigger=receipts.trigger(on_disk(record.detail)),
        at=record.settled_at,
        host=record.candidate.host,
        offer_tokens=None if offer is None else receipts.tokens(offer.text),
    )


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
