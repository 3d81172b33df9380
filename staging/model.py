"""Model of a candidate: its fields and their limits, its construction from a finding, its rank, merging, and its JSON form.

Merging depends neither on the order in which sightings are staged nor on how often one is staged.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.detectors.model import Evidence, Finding, FindingKind

if TYPE_CHECKING:
    from mind_skills.observations.model import Session

Confidence = Literal["high", "medium", "waiting"]
"""The tier: offered, offered as uncertain, or stored until another session confirms it."""
TierLookup = Callable[[float], Confidence | None]
"""Maps a probability to its tier; None below all tiers."""
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
    log: str = ""
    """Path of the log that it was found in if its session may not be registered, as after `mind-skills replay --stage`; else empty."""
    host: str = ""
    outcome: str = "unknown"
    detected_at: int = 0
    """UTC milliseconds."""
    score: float = 0.0
    """The probability after adjustments (staging/select.py, staging/trust.py)."""
    parts: dict[str, float] = field(default_factory=dict[str, float])
    """Components of the score by name, and those rank components that are not part of it (``MUTABLE_PARTS``)."""
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
    # Imported here because it loads the patterns of redaction/, which commands that only read candidates do not need.
    from mind_skills.staging.identity import build_candidate_id, compute_fingerprint

    fingerprint = compute_fingerprint(
        finding.kind, finding.anchor, finding.evidence, remedy=finding.remedy, cause=finding.cause
    )
    return cap_candidate(
        Candidate(
            id=build_candidate_id(fingerprint),
            kind=finding.kind,
            title=finding.title,
            reason=finding.reason,
            confidence=confidence,
            fingerprint=fingerprint,
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
    return replace(
        candidate,
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
        replace(
            e,
            summary=clean_line(e.summary, MAX_SUMMARY_LENGTH),
            content=clip(_clean(e.content), MAX_CONTENT_LENGTH),
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


# -- merging and ranking -----------------------------------------------------------------------------------------------

RECURRENCE_RANK, MAX_RECURRENCES = 0.1, 4
"""Rank that each further session adds to the score, and maximum number of further sessions that count. One defect of an
environment was labelled in 4 of 42 sessions, so recurrence counts more than a slightly higher probability in one session."""
TIERS: tuple[Confidence, ...] = ("waiting", "medium", "high")
MUTABLE_PARTS = ("novelty", "history", APPROVED)
"""Rank components that are not part of the score, because they may change while a candidate is pending (staging/covered.py,
staging/decisions.py)."""


def compute_rank(candidate: Candidate) -> float:
    """Return the score plus the components for recurrence, novelty, history and approval; higher is better.

    The score is an adjusted probability (staging/select.py). `mind-skills show` prints all components.
    """
    mutable_rank = sum(candidate.parts.get(name, 0.0) for name in MUTABLE_PARTS)
    return candidate.score + compute_recurrence_rank(candidate) + mutable_rank


def compute_recurrence_rank(candidate: Candidate) -> float:
    return RECURRENCE_RANK * min(max(len(candidate.sessions) - 1, 0), MAX_RECURRENCES)


def sort_best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort by rank, best first, then by age, oldest first, then by fingerprint, so that the order is total."""
    return sorted(candidates, key=lambda c: (-compute_rank(c), c.detected_at, c.fingerprint))


def merge_sightings(sightings: Iterable[Candidate]) -> Candidate:
    """Merge all sightings of one fingerprint into one candidate. Raises ValueError if there are none.

    Title, statements, evidence and session come from the best sighting, so that all lines belong to that session. Sessions,
    files and taint of all sightings are combined; the time is the earliest. The highest tier wins, but a tainted candidate
    is at most medium, and a candidate seen in two sessions is at least medium.
    """
    ordered = sorted(sightings, key=_get_sort_key)
    if not ordered:
        raise ValueError("no sightings to merge")
    best = max(ordered, key=_get_quality_key)
    injected = [c.injected_at for c in ordered if c.injected_at is not None]
    taint = tuple(sorted({source for c in ordered for source in c.taint}))
    sessions = tuple(dict.fromkeys(s for c in ordered for s in (c.sessions or (c.session_id,))))
    return replace(
        best,
        confidence=_merge_tiers(ordered, is_recurrent=len(sessions) > 1, is_tainted=bool(taint)),
        files=tuple(sorted({name for c in ordered for name in c.files})[:MAX_FILES]),
        detected_at=ordered[0].detected_at,
        sessions=sessions,
        taint=taint,
        parts=dict(best.parts),
        injected_at=min(injected) if injected else None,
    )


def _merge_tiers(candidates: Iterable[Candidate], *, is_recurrent: bool, is_tainted: bool) -> Confidence:
    highest = TIERS[max(TIERS.index(c.confidence) for c in candidates)]
    return "medium" if (highest == "high" and is_tainted) or (highest == "waiting" and is_recurrent) else highest


def find_minimal_cover(sightings: Sequence[Candidate]) -> set[int]:
    """Return the indices of a few sightings that merge into the same candidate as all of them, except for sessions and files.

    Of equal sightings, the first is preferred. A file that only the other sightings name is lost: it is no longer relevant.
    """
    indices = range(len(sightings))
    if not indices:
        return set()
    by_time = sorted(indices, key=lambda index: _get_sort_key(sightings[index]))
    cover = {by_time[0], max(by_time, key=lambda index: _get_quality_key(sightings[index]))}
    cover.add(max(indices, key=lambda index: TIERS.index(sightings[index].confidence)))
    offered = [(at, index) for index in indices if (at := sightings[index].injected_at) is not None]
    cover |= {index for _, index in sorted(offered)[:1]}
    first_by_taint = dict[str, int]()
    for index in indices:
        for source in sightings[index].taint:
            first_by_taint.setdefault(source, index)
    return cover | set(first_by_taint.values())


def merge_candidates(*lists: Iterable[Candidate]) -> list[Candidate]:
    """Merge candidates with equal fingerprints, across all lists; return all results, best first."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in (c for each in lists for c in each):
        groups.setdefault(candidate.fingerprint, []).append(candidate)
    return sort_best_first(merge_sightings(group) for group in groups.values())


def _get_sort_key(candidate: Candidate) -> tuple[object, ...]:
    return (candidate.detected_at, candidate.session_id, *_get_quality_key(candidate))


def _get_quality_key(candidate: Candidate) -> tuple[object, ...]:
    lines = tuple((e.line, e.type, e.role, e.summary, e.content) for e in candidate.evidence)
    texts = (candidate.title, candidate.reason, candidate.host, candidate.outcome, candidate.id)
    return (candidate.score, len(lines), candidate.session_id, *texts, lines, tuple(sorted(candidate.parts.items())))


# -- JSON form ---------------------------------------------------------------------------------------------------------

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
            | ({"saidAt": e.statement_line} if e.statement_line else {})
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
    if candidate.log:
        extra["log"] = candidate.log
    return json.dumps({**candidate_to_json(candidate), **extra}, sort_keys=True)


def parse_bodies(bodies: Iterable[str]) -> list[Candidate]:
    """Parse the output of ``serialise_candidate``. Only for text that this package wrote.

    Unreadable bodies are skipped, for example after a disk error, so that one bad row does not block the others.
    """
    found: list[Candidate] = []
    for body in bodies:
        try:
            found.append(_build_candidate(json.loads(body)))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
    return found


def _build_candidate(fields: dict[str, Any]) -> Candidate:
    return Candidate(
        id=fields["id"],
        kind=fields["kind"],
        title=fields["title"],
        reason=fields["reason"],
        confidence=fields["confidence"],
        fingerprint=fields["fingerprint"],
        evidence=tuple(_build_evidence(item) for item in fields["evidence"]),
        files=tuple(fields["files"]),
        session_id=fields["sessionId"],
        host=fields["host"],
        outcome=fields["outcome"],
        detected_at=fields["detectedAt"],
        score=fields["score"],
        parts=fields["parts"],
        sessions=tuple(fields["sessions"]),
        taint=tuple(fields["taint"]),
        repeats=tuple(fields["repeats"]),
        injected_at=fields.get("injectedAt"),
        # The fields below may be missing in rows of earlier versions, which must stay readable.
        probability=fields.get("probability", 0.0),
        deciding=tuple((name, float(contribution)) for name, contribution in fields.get("deciding", [])),
        log=str(fields.get("log", "")),
        symptom=str(fields.get("symptom", "")),
        cause=str(fields.get("cause", "")),
        remedy=str(fields.get("remedy", "")),
        proof=str(fields.get("proof", "")),
        scope=str(fields.get("scope", "")),
    )


def _build_evidence(fields: dict[str, Any]) -> Evidence:
    return Evidence(
        type=fields["type"],
        role=fields["role"],
        summary=fields["summary"],
        content=fields["content"],
        line=fields["line"],
        statement_line=fields.get("saidAt", 0),
    )
