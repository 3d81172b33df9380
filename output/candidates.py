"""A candidate as documents and in words: what the commands and tools about candidates answer. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report
from mind_skills.output.text import path_text
from mind_skills.staging.form import STATED
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.candidates import Record
from mind_skills.store.project import Project

DIGITS = 4
"""Behind the point of a probability."""
_KINDS = {
    "problem_solution": "problem and solution",
    "error_fix": "error and fix",
    "deep_investigation": "deep investigation",
    "non_obvious": "not obvious",
    "user_rule": "rule of the user",
}

State = Literal["pending", "offered", "waiting", "accepted", "dismissed", "ignored", "shelved", "covered", "merged"]
"""`waiting` is kept until another session sees it as well;
`shelved` fell out of a full list, and comes back when another session sees it; `covered` is said by an installed
skill already, and comes back when that skill goes; `merged` is one
learning with another candidate, whose id is in ``detail``."""


class EvidenceReport(Report):
    """One observation that carries a candidate."""

    type: Literal[
        "discovery", "decision", "problem", "solution", "pattern", "warning", "success", "refactor", "bugfix", "feature"
    ]
    role: Literal["symptom", "cause", "change", "verification", "insight", "context"]
    summary: str
    content: str
    line: int


class CandidateReport(Report):
    """One learning that waits to become a skill. ``fingerprint`` is its identity; ``id`` is what commands take."""

    id: str
    kind: Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious", "user_rule"]
    title: str
    reason: str
    confidence: Literal["high", "medium", "waiting"]
    """Its tier. What is `waiting` is on no list, and told once another session has seen it."""
    probability: float
    """That a reader of the whole session would call it a learning, 0 to 1; 0 of what a version without it found."""
    symptom: str
    cause: str
    remedy: str
    proof: str
    scope: str
    fingerprint: str
    files: list[str]
    evidence: list[EvidenceReport]
    detected_at: int
    session_id: str
    host: str
    outcome: str
    sessions: list[str]
    taint: list[str]
    score: float


class WaitingReport(CandidateReport):
    """A candidate of the pending list; ``injectedAt`` is set once a session has been told of it."""

    injected_at: int | None


class CoveredReport(Report):
    """A candidate that is not offered, because an installed skill says it already."""

    id: str
    title: str
    skill: str


class ForeignReport(Report):
    """A candidate that another tool, or the repository itself, put into the pending file; it is kept and never offered."""

    id: str
    title: str


class ReceiptReport(Report):
    """`accept` and `dismiss` with ``--json``: what was done to which candidate."""

    version: Literal[1] = 1
    done: Literal["accepted", "dismissed"]
    id: str
    title: str
    state: State
    detail: str


def candidate_fields(candidate: Candidate) -> dict[str, object]:
    """The fields of CandidateReport, by name, cleaned once more: what was staged by an older version knew fewer rules."""
    from mind_skills.staging.model import apply_caps  # imports the redaction, which `status` does without

    candidate = apply_caps(candidate)
    evidence = [
        EvidenceReport(type=item.type, role=item.role, summary=item.summary, content=item.content, line=item.line)
        for item in candidate.evidence
    ]
    names = (
        "id",
        "kind",
        "title",
        "reason",
        "confidence",
        "fingerprint",
        "detected_at",
        "session_id",
        "host",
        "outcome",
        "score",
        *STATED,
    )
    fields: dict[str, object] = {name: getattr(candidate, name) for name in names}
    fields["probability"] = round(candidate.probability, DIGITS)
    lists = {"files": candidate.files, "sessions": candidate.sessions, "taint": candidate.taint}
    return fields | {name: list(value) for name, value in lists.items()} | {"evidence": evidence}


def kind_text(kind: str) -> str:
    """The kind of a candidate in words."""
    return _KINDS.get(kind, kind)


def waiting_report(candidate: Candidate) -> WaitingReport:
    """A candidate of the list as a document."""
    return WaitingReport.of(candidate_fields(candidate) | {"injected_at": candidate.injected_at})


def covered_reports(opened: Ledger, project: Project) -> list[CoveredReport]:
    """What an installed skill says already."""
    return [
        CoveredReport(id=record.candidate.id, title=record.candidate.title, skill=path_text(record.detail))
        for record in opened.list_covered(project)
    ]


def state_of(record: Record) -> State:
    """Where a candidate stands; one that waits and was offered to a session that still runs is `offered`."""
    return "offered" if record.state == "pending" and record.offered_to else record.state


def foreign_reports(opened: Ledger, project: Project) -> list[ForeignReport]:
    """What others put into the project's pending file."""
    found = opened.list_foreign(project)
    if not found:
        return []
    from mind_skills.redaction.personal import redact_personal
    from mind_skills.redaction.secrets import redact

    return [
        ForeignReport(id=redact(str(form["id"])), title=redact_personal(redact(str(form.get("title", "")))))
        for form in found
    ]
