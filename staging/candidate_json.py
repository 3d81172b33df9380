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
"""Statements about a learning; a statement that the session does not make is empty."""


def candidate_to_json(candidate: Candidate) -> JsonObject:
    """Return the candidate as it appears in the pending file; ``injectedAt`` only if it is set."""
    form: JsonObject = {
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
        form["injectedAt"] = candidate.injected_at
    return form


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


def _build_candidate(form: JsonObject) -> Candidate:
    return Candidate(
        id=cast("str", form["id"]),
        kind=cast("FindingKind", form["kind"]),
        title=cast("str", form["title"]),
        reason=cast("str", form["reason"]),
        confidence=cast("Confidence", form["confidence"]),
        fingerprint=cast("str", form["fingerprint"]),
        evidence=tuple(_build_evidence(item) for item in cast("list[JsonObject]", form["evidence"])),
        files=tuple(cast("list[str]", form["files"])),
        session_id=cast("str", form["sessionId"]),
        host=cast("str", form["host"]),
        outcome=cast("str", form["outcome"]),
        detected_at=cast("int", form["detectedAt"]),
        score=cast("float", form["score"]),
        parts=cast("dict[str, float]", form["parts"]),
        sessions=tuple(cast("list[str]", form["sessions"])),
        taint=tuple(cast("list[str]", form["taint"])),
        repeats=tuple(cast("list[str]", form["repeats"])),
        injected_at=cast("int | None", form.get("injectedAt")),
        # The fields below may be missing in rows of earlier versions, which must stay readable.
        probability=cast("float", form.get("probability", 0.0)),
        deciding=tuple(
            (name, float(added)) for name, added in cast("list[tuple[str, float]]", form.get("deciding", []))
        ),
        symptom=str(form.get("symptom", "")),
        cause=str(form.get("cause", "")),
        remedy=str(form.get("remedy", "")),
        proof=str(form.get("proof", "")),
        scope=str(form.get("scope", "")),
    )


def _build_evidence(form: JsonObject) -> Evidence:
    return Evidence(
        type=cast("EvidenceType", form["type"]),
        role=cast("Role", form["role"]),
        summary=cast("str", form["summary"]),
        content=cast("str", form["content"]),
        line=cast("int", form["line"]),
        stated_line=cast("int", form.get("saidAt", 0)),
    )
