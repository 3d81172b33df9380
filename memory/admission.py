"""The door of the memory: whatever way a record comes, it is cleaned, redacted and bounded here."""

from __future__ import annotations

from dataclasses import replace

from mind_skills.errors.memory import BadRecordError
from mind_skills.memory.model import KINDS, Record
from mind_skills.redaction.personal import redact_address, redact_personal
from mind_skills.redaction.text import clean

CONTENT, TASK = 4_000, 1_000
"""Characters of a record's content, and of the text of the task that led to it. A skill's description may have 1,024."""
NAME = 200
"""Characters of an id, a reference, a source."""


def admitted(record: Record) -> Record:
    """The record as it may be kept. Raises BadRecordError where nothing of it is left, or its kind is not known."""
    if record.kind not in KINDS:
        raise BadRecordError(f"there is no kind {str(record.kind)[:40]!r}", f"Known are: {', '.join(KINDS)}.")
    kept = replace(
        record,
        id=name(record.id),
        content=redact_personal(clean(record.content, CONTENT)).strip()[:CONTENT],
        task=redact_personal(clean(record.task, TASK)).strip()[:TASK],
        project=name(record.project),
        reference=name(record.reference),
        task_id=name(record.task_id),
        source=name(record.source),
        taint=",".join(filter(None, map(name, record.taint.split(",")))),  # each by itself: none may swallow the next
        failure_rate=None if record.failure_rate is None else min(1.0, max(0.0, record.failure_rate)),
        at=min(max(0, record.at), 2**53),
    )
    if not kept.content or not kept.id:
        missing = "content" if not kept.content else "id"
        raise BadRecordError(f"a record without {missing} cannot be kept", "Give it a text that can be read.")
    return kept


def name(text: str) -> str:
    """An id on one line and within bounds, without secrets and addresses of people."""
    return redact_address(" ".join(clean(text, NAME).split()))[:NAME]
