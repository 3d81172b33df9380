"""Model of a candidate: its fields, their limits, and its construction from a finding."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from mind_skills.detectors.model import Evidence, Finding, FindingKind

if TYPE_CHECKING:
    from mind_skills.observations.model import Session

Confidence = Literal["high", "medium", "waiting"]
"""The tier: offered, offered as uncertain, or stored until another session confirms it."""
MAX_TITLE_LENGTH, MAX_SUMMARY_LENGTH, MAX_CONTENT_LENGTH, MAX_EVIDENCE_ITEMS = 120, 200, 500, 6
APPROVED = "approved"
"""Name of the rank component that marks an approved candidate."""
TOOL_OUTPUT_TAINT = "output"
"""Taint of a candidate that repeats the output of a local tool."""
MAX_PER_SESSION, MAX_PENDING, MAX_PER_OFFER = 5, 10, 5
DEFAULT_PER_SESSION = 2
"""Default of the setting ``caps.per_session``; ``MAX_PER_SESSION`` is its upper bound."""
RULE_KIND: FindingKind = "user_rule"
"""The kind of candidates that quote a rule of the user. They are scored by another model and offered in addition to the
others."""
TEAM_SESSION = "team"
"""The session id of the sighting that represents the user's team (team/)."""
MAX_FILES = 20
"""Maximum number of files per candidate; a longer list does not help to locate the learning."""

_ROLE_PRIORITY = ("cause", "insight", "change", "verification", "symptom", "context")
"""Roles of evidence, most important first; used to choose the items between the first and the last line."""


@dataclass(slots=True)
class Candidate:
    """One learning stored for a project, identified by its ``fingerprint`` (staging/identity.py)."""

    id: str
    kind: FindingKind
    title: str
    reason: str
    confidence: Confidence
    fingerprint: str
    evidence: tuple[Evidence, ...]
    files: tuple[str, ...] = ()
    session_id: str = ""
    host: str = ""
    outcome: str = "unknown"
    detected_at: int = 0
    """UTC milliseconds."""
    score: float = 0.0
    """The probability after adjustments (staging/select.py, staging/trust.py)."""
    parts: dict[str, float] = field(default_factory=dict[str, float])
    """Components of the score by name, and those rank components that are not part of it (``MUTABLE_PARTS`` in staging/merge.py)."""
    probability: float = 0.0
    """Probability that a reader of the whole session would call it a learning (detectors/scorer.py), not adjusted to the
    user's taste; 0 if it was staged by a version without probabilities."""
    symptom: str = ""
    cause: str = ""
    remedy: str = ""
    proof: str = ""
    scope: str = ""
    deciding: tuple[tuple[str, float], ...] = ()
    """The deciding features with their contributions to the log odds, largest absolute value first."""
    sessions: tuple[str, ...] = ()
    """Ids of the sessions in which it was seen, in the order of its sightings."""
    taint: tuple[str, ...] = ()
    """Untrusted sources of its text, and ``TOOL_OUTPUT_TAINT`` if its text repeats tool output."""
    repeats: tuple[str, ...] = ()
    """Word sequences in its quotes that a tool had printed, in the form that observations/repetition.py uses."""
    injected_at: int | None = None
    """Time of the offer in UTC milliseconds; None if it is not offered."""

    @property
    def approved(self) -> bool:
        """Whether the user wants it as a skill (staging/decisions.py)."""
        return APPROVED in self.parts

    @property
    def first_line(self) -> int:
        """The first line of the session's log that the evidence refers to; 0 without evidence."""
        return min((evidence.line for evidence in self.evidence), default=0)


def is_quoted(evidence: Evidence) -> bool:
    """Return whether evidence quotes the user or the main agent; its summary then starts with the speaker."""
    return evidence.role == "insight" or evidence.summary.startswith(("agent: ", "user: "))


def make_candidate(
    finding: Finding,
    session: Session,
    *,
    confidence: Confidence,
    at: int,
    score: float = 0.0,
    parts: dict[str, float] | None = None,
    outcome: str = "unknown",
) -> Candidate:
    """Build the candidate for a finding of ``session``, cleaned and within the limits. ``at`` is UTC milliseconds.

    ``score`` is not negative, and higher is better; ``parts`` are its components.
    """
    from mind_skills.staging.identity import build_candidate_id, compute_fingerprint

    identity = compute_fingerprint(
        finding.kind, finding.anchor, finding.evidence, remedy=finding.remedy, cause=finding.cause
    )
    return cap_candidate(
        Candidate(
            id=build_candidate_id(identity),
            kind=finding.kind,
            title=finding.title,
            reason=finding.reason,
            confidence=confidence,
            fingerprint=identity,
            evidence=finding.evidence,
            files=finding.files,
            session_id=session.session_id,
            host=session.host,
            outcome=outcome,
            detected_at=at,
            score=score,
            parts=dict(parts or {}),
            sessions=(session.session_id,),
            taint=finding.taint,
            probability=finding.probability,
            symptom=finding.symptom,
            cause=finding.cause,
            remedy=finding.remedy,
            proof=finding.proof,
            scope=finding.scope,
            deciding=finding.deciding,
        )
    )


def cap_candidate(candidate: Candidate) -> Candidate:
    """Return the candidate cleaned and within the limits. Idempotent."""
    from mind_skills.staging.identity import (  # compiles patterns, so it is imported only here
        build_candidate_id,
        compute_fingerprint,
    )

    identity = candidate.fingerprint or compute_fingerprint(candidate.kind, candidate.title, candidate.evidence)
    return replace(
        candidate,
        id=candidate.id or build_candidate_id(identity),
        fingerprint=identity,
        title=clean_line(candidate.title, MAX_TITLE_LENGTH) or candidate.kind.replace("_", " "),
        reason=clean_line(candidate.reason, MAX_SUMMARY_LENGTH),
        evidence=cap_evidence(candidate.evidence),
        files=tuple(dict.fromkeys(clean_line(name, MAX_SUMMARY_LENGTH) for name in candidate.files))[:MAX_FILES],
        score=candidate.score if math.isfinite(candidate.score) else 0.0,
        symptom=clean_line(candidate.symptom, MAX_CONTENT_LENGTH),
        cause=clean_line(candidate.cause, MAX_CONTENT_LENGTH),
        remedy=clean_line(candidate.remedy, MAX_CONTENT_LENGTH),
        proof=clean_line(candidate.proof, MAX_CONTENT_LENGTH),
        scope=clean_line(candidate.scope, MAX_CONTENT_LENGTH),
        taint=tuple(sorted(set(candidate.taint))),
    )


def cap_evidence(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Return at most six items, cleaned and in order. Those of the first and the last line, which delimit the episode, remain."""
    if len(evidence) > MAX_EVIDENCE_ITEMS:
        ends = {
            min(range(len(evidence)), key=lambda index: evidence[index].line),
            max(range(len(evidence)), key=lambda index: evidence[index].line),
        }
        others = sorted(
            (index for index in range(len(evidence)) if index not in ends),
            key=lambda index: _ROLE_PRIORITY.index(evidence[index].role),
        )
        selected = sorted(ends | set(others[: MAX_EVIDENCE_ITEMS - len(ends)]))
        evidence = tuple(evidence[index] for index in selected)
    return tuple(
        Evidence(
            e.type,
            e.role,
            clean_line(e.summary, MAX_SUMMARY_LENGTH),
            clip(_clean(e.content), MAX_CONTENT_LENGTH),
            e.line,
            e.stated_line,
        )
        for e in evidence
    )


def clean_line(text: str, limit: int) -> str:
    """Return ``text`` on one line, without invisible characters, secrets or personal data, cut to ``limit`` characters.

    Logs are redacted when they are read; this protects candidates that were created in another way.
    """
    return clip(" ".join(_clean(text).split()), limit)


@lru_cache(128)
def _clean(text: str) -> str:
    # Imported here because compiling the patterns takes longer than a whole command that only reads candidates.
    from mind_skills.redaction.personal import redact_personal
    from mind_skills.redaction.secrets import redact
    from mind_skills.redaction.text import strip_controls

    return redact_personal(redact(strip_controls(text)))


def clip(text: str, limit: int) -> str:
    """Cut ``text`` to ``limit`` characters; a cut text ends with an ellipsis."""
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
