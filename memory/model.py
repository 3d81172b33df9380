"""Data types and record builders of the memory. Every record is cleaned, redacted and truncated before it is stored."""

from __future__ import annotations

from typing import Literal, get_args

from mind_skills.errors.records import BadRecordError
from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.redaction.personal import redact_personal, redact_personal_if_address
from mind_skills.redaction.text import clean_text
from mind_skills.store.light_dataclasses import dataclass, replace
from mind_skills.store.project import digest_text

Kind = Literal["pattern", "anti_pattern", "learning", "episode"]
"""A strategy, a warning, a learning (accepted candidate, solved task), or an episode (past session, failed task)."""
KINDS: tuple[Kind, ...] = get_args(Kind)
QUARANTINE_TAINT = "import"
"""The taint of a record that comes from another machine or applies to every project, until a person approves the record."""
MAX_CONTENT_LENGTH, MAX_TASK_LENGTH = 4_000, 1_000
"""Maximum number of characters of a record's content, and of its task."""
MAX_NAME_LENGTH = 200
"""Maximum number of characters of an id, a reference or a source."""


@dataclass(frozen=True, slots=True)
class Record:
    """A searchable record; storing it replaces the one with its ``id``. ``task`` is the text of the task that led to
    it, ``project`` an id or "" for every project, ``reference`` the pattern or candidate that it describes, ``at``
    UTC ms, ``source`` where it came from ("HOST SESSION", "command line", "mcp"...), ``taint`` a comma-separated
    list of untrusted sources.
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
        return self.kind == "anti_pattern"

    @property
    def is_quarantined(self) -> bool:
        """Whether the record needs approval. Until then, only queries that include untrusted records find it."""
        return QUARANTINE_TAINT in self.taint.split(",")


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result. ``score`` is the similarity, above 0 and at most 1, multiplied by the trust in the record."""

    record: Record
    score: float


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the memory: where it is, ``count`` of records (0 if unreadable), and ``reason`` for the backend or
    of the error.
    """

    healthy: bool
    count: int
    location: str
    encoder: str
    reason: str


COMMAND_SOURCE = "command line"
"""The source of a record that a person stored with a command."""


def build_agent_source(session_id: str) -> str:
    """Return the source of a record that the agent of a session stored with a command."""
    return clean_name(f"{COMMAND_SOURCE} {session_id}")


def clean_record(record: Record) -> Record:
    """Clean a record for storage. Raises BadRecordError if its kind is unknown, or its content or id ends up empty."""
    if record.kind not in KINDS:
        raise BadRecordError(f"unknown kind {str(record.kind)[:40]!r}", f"The kinds are: {', '.join(KINDS)}.")
    cleaned = replace(
        record,
        id=clean_name(record.id),
        content=redact_personal(clean_text(record.content, MAX_CONTENT_LENGTH)).strip()[:MAX_CONTENT_LENGTH],
        task=redact_personal(clean_text(record.task, MAX_TASK_LENGTH)).strip()[:MAX_TASK_LENGTH],
        project=clean_name(record.project),
        reference=clean_name(record.reference),
        task_id=clean_name(record.task_id),
        source=clean_name(record.source),
        # Clean each taint separately, so that redacting one does not remove the comma after it.
        taint=",".join(filter(None, map(clean_name, record.taint.split(",")))),
        failure_rate=None if record.failure_rate is None else min(1.0, max(0.0, record.failure_rate)),
        at=min(max(0, record.at), 2**53),
    )
    if not cleaned.content or not cleaned.id:
        missing = "content" if not cleaned.content else "an id"
        raise BadRecordError(f"a record without {missing} cannot be stored")
    return cleaned


def clean_name(text: str) -> str:
    """Put an id or a name on one line, redact secrets and (if it contains ``@``) personal data, and truncate it."""
    return redact_personal_if_address(" ".join(clean_text(text, MAX_NAME_LENGTH).split()))[:MAX_NAME_LENGTH]


def build_pattern_record(
    pattern: DecompositionPattern,
    existing: Record | None,
    *,
    task: str,
    project_id: str,
    at: int,
    source: str,
    task_id: str = "",
    success: bool | None = None,
) -> Record:
    """Build the record of a strategy or a warning. Texts of earlier tasks (``existing``) are retained as far as they fit."""
    total = pattern.success_count + pattern.failure_count
    return Record(
        id=pattern.id,
        kind=pattern.kind,
        content=pattern.content,
        task=join_tasks(existing.task if existing else "", task),
        project=project_id,
        reference=pattern.id,
        task_id=task_id,
        success=success,
        failure_rate=round(pattern.failure_count / total, 2) if total else None,
        at=at,
        source=source,
        taint=existing.taint if existing else "",
    )


def build_task_record_id(project_id: str, task_id: str) -> str:
    """Return the id of a completed task's record."""
    return f"task-{digest_text(f'{project_id}|{task_id}')}"


def join_tasks(earlier_tasks: str, task: str) -> str:
    """Put a task's text before the texts of earlier tasks, without duplicates; drop the last texts until the rest fits."""
    texts = [text for text in dict.fromkeys([task.strip(), *earlier_tasks.split("\n\n")]) if text]
    while len(texts) > 1 and len("\n\n".join(texts)) > MAX_TASK_LENGTH:
        texts.pop()
    return "\n\n".join(texts)[:MAX_TASK_LENGTH].strip()
