"""A candidate: a finding that waits to become a skill. Its fields, their caps, and how a finding becomes one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from mind_skills.detectors.model import Evidence, Finding, FindingKind

if TYPE_CHECKING:
    from mind_skills.observations.model import Session

Confidence = Literal["high", "medium", "waiting"]
"""The tier: told, told as a perhaps, or kept in the database until another session sees it as well."""
TITLE, SUMMARY, CONTENT, EVIDENCES = 120, 200, 500, 6
APPROVED = "approved"
"""The part of the rank that says that the user wants it as a skill."""
OUTPUT = "output"
"""What a candidate rests on that repeats a tool of this machine."""
PER_SESSION, PENDING, PER_OFFER = 5, 10, 5
USUAL = 2
"""How many candidates of one session are told where no setting says otherwise; ``PER_SESSION`` is the most that one may say."""
RULE: FindingKind = "user_rule"
"""The kind whose candidates are sentences of the user, scored apart and told beside the others."""
FILES = 20
"""How many files a candidate names at most: more than that is a sweep, not a place to look."""

_ROLES = ("cause", "insight", "change", "verification", "symptom", "context")
"""What is kept first where there is too much evidence between the first and the last."""


@dataclass(slots=True)
class Candidate:
    """One learning that waits for an agent. Identity is ``fingerprint`` (staging/identity.py), never time or title."""

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
    """The rank that select gave it: higher is better. Its parts are in ``parts``."""
    parts: dict[str, float] = field(default_factory=dict[str, float])
    probability: float = 0.0
    """That a reader of the whole session would call it a learning (detectors/scorer.py), whatever this user decided before; 0 of
    what a version without it staged."""
    symptom: str = ""
    cause: str = ""
    remedy: str = ""
    proof: str = ""
    scope: str = ""
    deciding: tuple[tuple[str, float], ...] = ()
    """The features that decided, with what each added to the log odds; the largest first."""
    sessions: tuple[str, ...] = ()
    """Every session it was seen in, oldest first."""
    taint: tuple[str, ...] = ()
    """Sources of text that anybody may have written and that it rests on, and ``OUTPUT`` where it repeats what a tool printed."""
    repeats: tuple[str, ...] = ()
    """Runs of words in what it quotes that a tool printed before, as observations/printed.py spells them."""
    injected_at: int | None = None

    @property
    def approved(self) -> bool:
        """Whether the user has said that it should become a skill (staging/decisions.py)."""
        return APPROVED in self.parts

    @property
    def begins(self) -> int:
        """The first line of its session's log that speaks for it."""
        return min((evidence.line for evidence in self.evidence), default=0)


def is_quoted(evidence: Evidence) -> bool:
    """Whether the user or the main agent said it: the detectors' ``heard`` names the speaker, tools have none."""
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
    """The candidate for a finding of ``session``, cleaned and within the caps. ``at`` is UTC milliseconds.

    ``score`` (not negative, higher is better) and ``parts`` are the ranker's; nothing here weighs.
    """
    from mind_skills.staging.identity import candidate_id, fingerprint

    mark = fingerprint(finding.kind, finding.anchor, finding.evidence, remedy=finding.remedy, cause=finding.cause)
    return apply_caps(
        Candidate(
            id=candidate_id(mark),
            kind=finding.kind,
            title=finding.title,
            reason=finding.reason,
            confidence=confidence,
            fingerprint=mark,
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


def apply_caps(candidate: Candidate) -> Candidate:
    """The same candidate, cleaned and within the caps; harmless when repeated."""
    from mind_skills.staging.identity import (  # with expressions that whoever only reads does without
        candidate_id,
        fingerprint,
    )

    mark = candidate.fingerprint or fingerprint(candidate.kind, candidate.title, candidate.evidence)
    return replace(
        candidate,
        id=candidate.id or candidate_id(mark),
        fingerprint=mark,
        title=clean_line(candidate.title, TITLE) or candidate.kind.replace("_", " "),
        reason=clean_line(candidate.reason, SUMMARY),
        evidence=cap_evidence(candidate.evidence),
        files=tuple(dict.fromkeys(clean_line(name, SUMMARY) for name in candidate.files))[:FILES],
        score=candidate.score if math.isfinite(candidate.score) else 0.0,
        symptom=clean_line(candidate.symptom, CONTENT),
        cause=clean_line(candidate.cause, CONTENT),
        remedy=clean_line(candidate.remedy, CONTENT),
        proof=clean_line(candidate.proof, CONTENT),
        scope=clean_line(candidate.scope, CONTENT),
        taint=tuple(sorted(set(candidate.taint))),
    )


def cap_evidence(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """At most six, in the order given. The first and the last line stay, because they bracket the episode."""
    if len(evidence) > EVIDENCES:
        ends = {
            min(range(len(evidence)), key=lambda i: evidence[i].line),
            max(range(len(evidence)), key=lambda i: evidence[i].line),
        }
        others = sorted(
            (i for i in range(len(evidence)) if i not in ends), key=lambda i: _ROLES.index(evidence[i].role)
        )
        kept = sorted(ends | set(others[: EVIDENCES - len(ends)]))
        evidence = tuple(evidence[i] for i in kept)
    return tuple(
        Evidence(e.type, e.role, clean_line(e.summary, SUMMARY), clip(_clean(e.content), CONTENT), e.line, e.said_at)
        for e in evidence
    )


def clean_line(text: str, limit: int) -> str:
    """``text`` on one line, without what hides or steers and without secrets and what belongs to a person,
    within ``limit`` characters.

    The log was redacted when it was read; this holds for whoever makes a candidate in another way.
    """
    return clip(" ".join(_clean(text).split()), limit)


@lru_cache(128)
def _clean(text: str) -> str:
    # The expressions of redaction take longer to compile than most commands that need an identity take as a whole.
    from mind_skills.redaction.personal import redact_personal
    from mind_skills.redaction.secrets import redact
    from mind_skills.redaction.text import strip

    return redact_personal(redact(strip(text)))


def clip(text: str, limit: int) -> str:
    """``text`` within ``limit`` characters; the last of them is an ellipsis if something is missing."""
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
