"""What memory holds and what it answers, and the check that every record passes: it is cleaned, redacted and bounded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from mind_skills.errors.records import BadRecordError
from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.redaction.personal import redact_address, redact_personal
from mind_skills.redaction.text import clean
from mind_skills.store.project import digest

Kind = Literal["pattern", "anti_pattern", "learning", "episode"]
"""A pattern, its opposite, what a candidate became, what a past session tried and how it ended."""
KINDS: tuple[Kind, ...] = get_args(Kind)
QUARANTINE = "import"
"""The taint of what came from another machine, or is meant for every project, and nobody has vouched for yet."""
CONTENT, TASK = 4_000, 1_000
"""Characters of a record's content, and of the text of the task that led to it. A skill's description may have 1,024."""
NAME = 200
"""Characters of an id, a reference, a source."""


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that can be found. A record of a known ``id`` takes the place of the one before.

    ``task`` is the text of the task that led to it, ``project`` a project's id (empty: of no project, found everywhere),
    ``reference`` the id under which learning/ or staging/ keeps its counts (a pattern's, a candidate's), ``task_id`` the
    documents' bead_id, ``at`` UTC milliseconds, ``source`` who stored it (a session's id, "command line", "mcp"),
    ``taint`` where it rests on web or MCP content or came from another machine and nobody has vouched for it: "web",
    "mcp", "import", more than one with commas between them.
    """

    id: str
    kind: Kind
    content: str
    task: str = ""
    project: str = ""
    reference: str = ""
    task_id: str = ""
    success: bool | None = None
    failure_rate: float | None = None
    at: int = 0
    source: str = ""
    taint: str = ""

    @property
    def is_negative(self) -> bool:
        """Whether it says what to avoid."""
        return self.kind == "anti_pattern"

    @property
    def quarantined(self) -> bool:
        """Whether nobody has vouched for it, who has to: it is found only by who asks for such."""
        return QUARANTINE in self.taint.split(",")


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that was found. ``score`` is above 0; at equal trust 1 is as good as it gets. ``is_negative``: to be avoided."""

    record: Record
    score: float


@dataclass(frozen=True, slots=True)
class Health:
    """How the memory is. ``encoder`` is what turns texts into what is compared, ``reason`` why it is this one."""

    healthy: bool
    count: int
    location: str
    encoder: str
    reason: str


def admit(record: Record) -> Record:
    """The record as it may be kept. Raises BadRecordError where nothing of it is left, or its kind is not known."""
    if record.kind not in KINDS:
        raise BadRecordError(f"there is no kind {str(record.kind)[:40]!r}", f"Known are: {', '.join(KINDS)}.")
    cleaned = replace(
        record,
        id=clean_name(record.id),
        content=redact_personal(clean(record.content, CONTENT)).strip()[:CONTENT],
        task=redact_personal(clean(record.task, TASK)).strip()[:TASK],
        project=clean_name(record.project),
        reference=clean_name(record.reference),
        task_id=clean_name(record.task_id),
        source=clean_name(record.source),
        taint=",".join(
            filter(None, map(clean_name, record.taint.split(",")))
        ),  # each by itself: none may swallow the next
        failure_rate=None if record.failure_rate is None else min(1.0, max(0.0, record.failure_rate)),
        at=min(max(0, record.at), 2**53),
    )
    if not cleaned.content or not cleaned.id:
        missing = "content" if not cleaned.content else "id"
        raise BadRecordError(f"a record without {missing} cannot be kept", "Give it a text that can be read.")
    return cleaned


def clean_name(text: str) -> str:
    """An id on one line and within bounds, without secrets and addresses of people."""
    return redact_address(" ".join(clean(text, NAME).split()))[:NAME]


def record_of_pattern(
    pattern: DecompositionPattern,
    before: Record | None,
    *,
    task: str,
    project: str,
    at: int,
    source: str,
    task_id: str = "",
    success: bool | None = None,
) -> Record:
    """The record of a strategy, or of its warning: its id is the strategy's. ``before`` is what stands under it now.

    ``task`` is the text of the task that followed it; the texts of those before it stay, as far as there is room.
    """
    total = pattern.success_count + pattern.failure_count
    return Record(
        id=pattern.id,
        kind=pattern.kind,
        content=pattern.content,
        task=join_tasks(before.task if before else "", task),
        project=project,
        reference=pattern.id,
        task_id=task_id,
        success=success,
        failure_rate=round(pattern.failure_count / total, 2) if total else None,
        at=at,
        source=source,
        taint=before.taint if before else "",
    )


def task_record_id(project: str, task_id: str) -> str:
    """The id of the record of a finished task: what its `complete` told."""
    return f"task-{digest(f'{project}|{task_id}')}"


def join_tasks(tasks: str, task: str) -> str:
    """The texts of tasks with one more at their beginning, each once, as many as there is room for."""
    texts = [each for each in dict.fromkeys([task.strip(), *tasks.split("\n\n")]) if each]
    while len(texts) > 1 and len("\n\n".join(texts)) > TASK:
        texts.pop()
    return "\n\n".join(texts)[:TASK].strip()
