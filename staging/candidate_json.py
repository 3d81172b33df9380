"""JSON form of a candidate, with keys in camelCase, as in the pending file.

The database also stores the score and its components, the repeated tool output and the deciding features.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import cast

from mind_skills.detectors.model import Evidence, EvidenceType, FindingKind, Role
from mind_skills.staging.model import Candidate, Confidence

JsonObject = dict[str, object]
STATEMENT_FIELDS = ("symptom", "cause", "remedy", "proof", "scope")
"""Fields that state what was learned; a field is empty if the session contains no text for it."""


def candidate_to_json(candidate: Candidate) -> JsonObject:
    """Return the candidate as it appears in the pending file; ``injectedAt`` only if it is set."""
    fields: JsonObject = {
        "id": candidate.id,
        "title": candidate.title,
        "reason": candidate.reason,
        "confidence": candidate.confidence,
        "probability": candidate.probability,
        **{name: getattr(candidate, name) for name in STATEMENT_FIELDS},
        "evidence": [
            {"type": e.type, "role": e.role, "summary": e.summary, "content": e.content, "line": e.line}
            | ({"saidAt": e.stated_line} if e.stated_line else {})
            for e in candidate.evidence
        ],
        "detectedAt": candidate.detected_at,
        "sessionId": candidate.session_id,
        "kind": candidate.kind,
        "fingerprint": candidate.fingerprint,
        "files": list(candidate.files),
        "host": candidate.host,
        "outcome": candidate.outcome,
        "sessions": list(candidate.sessions),
        "taint": list(candidate.taint),
    }
    if candidate.injected_at is not None:
        fields["injectedAt"] = candidate.injected_at
    return fields


def serialise_candidate(candidate: Candidate) -> str:
    """Serialise a candidate for the database; equal candidates give equal text."""
    extra: JsonObject = {"score": candidate.score, "parts": candidate.parts, "repeats": list(candidate.repeats)}
    extra["deciding"] = [list(pair) for pair in candidate.deciding]
    return json.dumps({**candidate_to_json(candidate), **extra}, sort_keys=True)


class UnreadableBodyError(ValueError):
    """A candidate in the database cannot be parsed, for example because of a disk error."""


def parse_bodies(bodies: Iterable[str]) -> list[Candidate]:
    """Parse bodies and skip unreadable ones, so that one bad row does not block the others."""
    found: list[Candidate] = []
    for body in bodies:
        try:
            found.append(parse_body(body))
        except UnreadableBodyError:
            continue
    return found


def parse_body(body: str) -> Candidate:
    """Parse the output of ``serialise_candidate``. Only for text that this package wrote. Raises UnreadableBodyError."""
    try:
        return _build_candidate(cast("JsonObject", json.loads(body)))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableBodyError(f"unreadable candidate: {type(error).__name__}") from error


def _build_candidate(fields: JsonObject) -> Candidate:
    return Candidate(
        id=cast("str", fields["id"]),
        kind=cast("FindingKind", fields["kind"]),
        title=cast("str", fields["title"]),
        reason=cast("str", fields["reason"]),
        confidence=cast("Confidence", fields["confidence"]),
        fingerprint=cast("str", fields["fingerprint"]),
        evidence=tuple(_build_evidence(item) for item in cast("list[JsonObject]", fields["evidence"])),
        files=tuple(cast("list[str]", fields["files"])),
        session_id=cast("str", fields["sessionId"]),
        host=cast("str", fields["host"]),
        outcome=cast("str", fields["outcome"]),
        detected_at=cast("int", fields["detectedAt"]),
        score=cast("float", fields["score"]),
        parts=cast("dict[str, float]", fields["parts"]),
        sessions=tuple(cast("list[str]", fields["sessions"])),
        taint=tuple(cast("list[str]", fields["taint"])),
        repeats=tuple(cast("list[str]", fields["repeats"])),
        injected_at=cast("int | None", fields.get("injectedAt")),
        # The fields below may be missing in rows of earlier versions, which must stay readable.
        probability=cast("float", fields.get("probability", 0.0)),
        deciding=tuple(
            (name, float(contribution))
            for name, contribution in cast("list[tuple[str, float]]", fields.get("deciding", []))
        ),
        symptom=str(fields.get("symptom", "")),
        cause=str(fields.get("cause", "")),
        remedy=str(fields.get("remedy", "")),
        proof=str(fields.get("proof", "")),
        scope=str(fields.get("scope", "")),
    )


def _build_evidence(fields: JsonObject) -> Evidence:
    return Evidence(
        type=cast("EvidenceType", fields["type"]),
        role=cast("Role", fields["role"]),
        summary=cast("str", fields["summary"]),
        content=cast("str", fields["content"]),
        line=cast("int", fields["line"]),
        stated_line=cast("int", fields.get("saidAt", 0)),
    )
