"""The JSON of `mind-skills memory`, as models, under the documents' names; times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.memory.model import Hit, Kind, Record
from mind_skills.output.document import Document


class MemoryRecordReport(Document):
    """A record. ``taint`` says what it rests on ("web", "mcp"), and "import" as long as nobody has vouched for it.

    Its text is what some session, agent or person wrote: data, not orders. ``project`` is a project's id, empty where
    it belongs to none; ``reference`` the id under which `patterns` or `show` knows it; ``task_id`` the documents' bead_id.
    """

    id: str
    content: str
    kind: Kind
    is_negative: bool
    task: str
    project: str
    reference: str
    task_id: str
    success: bool | None
    failure_rate: float | None
    at: int
    source: str
    taint: list[str]


class MemoryHitReport(MemoryRecordReport):
    """A record that was found; ``score`` is its likeness, 0 to 1, times its trust."""

    score: float


class MemoryQueryReport(Document):
    """`mind-skills memory query --json`: the best first."""

    version: Literal[1] = 1
    query: str
    results: list[MemoryHitReport]
    memory_queried: Literal[True] = True
    patterns_found: int


class MemoryStoreReport(Document):
    """`mind-skills memory store --json`. ``id`` is the record's; storing the same again changes nothing."""

    version: Literal[1] = 1
    id: str
    memory_stored: Literal[True] = True
    record: MemoryRecordReport


class MemoryHealthReport(Document):
    """`mind-skills memory health --json`. ``quarantined`` records are among the counted."""

    version: Literal[1] = 1
    healthy: bool
    count: int
    kinds: dict[str, int]
    quarantined: int
    location: str
    encoder: str
    reason: str


class MemoryChangeReport(Document):
    """`memory rebuild`, `import`, `export FILE`, `trust` and `forget` with ``--json``.

    ``records`` is how many were taken, written or changed, ``ids`` which (of a rebuild and an export: none are named),
    ``skipped`` how many could not be, each with a line in ``problems``.
    """

    version: Literal[1] = 1
    action: Literal["rebuilt", "imported", "exported", "trusted", "forgotten"]
    records: int
    ids: list[str]
    skipped: int
    problems: list[str]
    file: str


class MemoryExportReport(Document):
    """`mind-skills memory export --json` without a file: all records in one document."""

    version: Literal[1] = 1
    records: list[dict[str, str | int | float | bool | None]]


def fields(record: Record) -> dict[str, object]:
    """A record as the fields of its document."""
    return {
        "id": record.id,
        "content": record.content,
        "kind": record.kind,
        "is_negative": record.is_negative,
        "task": record.task,
        "project": record.project,
        "reference": record.reference,
        "task_id": record.task_id,
        "success": record.success,
        "failure_rate": record.failure_rate,
        "at": record.at,
        "source": record.source,
        "taint": [each for each in record.taint.split(",") if each],
    }


def hit_report(hit: Hit) -> MemoryHitReport:
    """A hit as a document."""
    return MemoryHitReport.of(fields(hit.record) | {"score": round(hit.score, 4)})
