"""A candidate as the documents of `replay`, `pending` and `show` have it."""

from __future__ import annotations

from mind_skills.plugin.replay_report import EvidenceReport, FoundReport
from mind_skills.staging.form import STATED
from mind_skills.staging.model import Candidate, bounded

DIGITS = 4
"""Behind the point of a probability."""


def candidate_fields(candidate: Candidate) -> dict[str, object]:
    """The fields of CandidateReport, by name, cleaned once more: what was staged by an older version knew fewer rules."""
    candidate = bounded(candidate)
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


def found_report(candidate: Candidate) -> FoundReport:
    """A candidate as `replay` shows it."""
    from mind_skills.staging.block import entry

    return FoundReport.of(candidate_fields(candidate) | {"offer": entry(bounded(candidate))})
