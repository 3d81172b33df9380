"""A candidate: its limits, construction from an episode, rank, merging (in any order, any number of times), and JSON form."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.detectors.model import EpisodeKind
from mind_skills.digest.model import Facts, Role
from mind_skills.store.light_dataclasses import dataclass, field, replace

if TYPE_CHECKING:
    from mind_skills.digest.model import EpisodeDigest
    from mind_skills.observations.model import Session

Confidence = Literal["high", "medium"]
"""``high`` from the probability ``HIGH`` on."""
HIGH = 0.5
EvidenceType = Literal[
    "discovery", "decision", "problem", "solution", "pattern", "warning", "success", "refactor", "bugfix", "feature"
]
MAX_TITLE_LENGTH, MAX_SUMMARY_LENGTH, MAX_CONTENT_LENGTH, MAX_EVIDENCE_ITEMS = 120, 200, 500, 6
NO_FACTS = Facts()
APPROVED = "approved"
"""Name of the rank component that marks an approved candidate."""
MAX_PER_SESSION, MAX_PENDING, MAX_PER_OFFER = 5, 10, 5
TEAM_SESSION = "team"
"""The session id of the sighting that represents the user's team (team/)."""
MAX_FILES = 20
"""Maximum number of files per candidate; a longer list does not help to locate the learning."""

_TYPE_BY_ROLE: dict[Role, EvidenceType] = {
    "symptom": "problem",
    "cause": "discovery",
    "insight": "discovery",
    "change": "solution",
    "verification": "success",
    "context": "decision",
}
_ROLE_PRIORITY: tuple[Role, ...] = ("symptom", "change", "verification", "cause", "insight", "context")
"""Roles of evidence, most important first; used to choose the items between the first and the last line."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One row of the episode's digest, without its number. ``line`` is 1-based, in the unit of the log's format."""

    type: EvidenceType
    role: Role
    summary: str
    content: str
    line: int


@dataclass(slots=True)
class Candidate:
    """One learning stored for a project, identified by its ``fingerprint`` (staging/identity.py)."""

    id: str
    kind: EpisodeKind
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
    """Probability that a reader of the whole session would call it a learning (detectors/scorer.py)."""
    facts: Facts = NO_FACTS
    session_facts: str = ""
    """The session in typed facts: host, date, minutes, outcome."""
    digest_length: int = 0
    """Number of characters of the session's digest."""
    last_line: int = 0
    """The last line of the episode in its session's log."""
    error: str = ""
    """Name of the error that identifies it (observations/error_names.py); empty without a specific error."""
    deciding: tuple[tuple[str, float], ...] = ()
    """The deciding features with their contributions to the log odds, largest absolute value first."""
    sessions: tuple[str, ...] = ()
    """Ids of the sessions in which it was seen, in the order of its sightings."""
    taint: tuple[str, ...] = ()
    """Sources of strangers' text among the observations of its episode: web, mcp, issue, remote."""
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


def make_candidate(
    episode: EpisodeDigest,
    session: Session,
    *,
    at: int,
    outcome: str = "unknown",
    session_facts: str,
    digest_length: int,
) -> Candidate:
    """Build the candidate for an episode of ``session``, cleaned and within the limits. ``at`` is UTC milliseconds."""
    # Imported here because it loads the patterns of redaction/, which commands that only read candidates do not need.
    from mind_skills.digest.titles import build_title
    from mind_skills.staging.identity import build_candidate_id, compute_fingerprint

    fingerprint = compute_fingerprint(episode)
    return cap_candidate(
        Candidate(
            id=build_candidate_id(fingerprint),
            kind=episode.kind,
            title=build_title(episode.facts),
            reason=", ".join(pattern.replace("_", " ") for pattern in episode.patterns),
            confidence=get_confidence(episode.probability),
            fingerprint=fingerprint,
            evidence=_list_evidence(episode),
            files=episode.files,
            session_id=session.session_id,
            host=session.host,
            outcome=outcome,
            detected_at=at,
            score=round(episode.probability, 4),
            parts={"probability": round(episode.probability, 4)},
            sessions=(session.session_id,),
            taint=episode.taint,
            probability=episode.probability,
            facts=episode.facts,
            session_facts=session_facts,
            digest_length=digest_length,
            last_line=episode.last_line,
            error=episode.error,
            deciding=episode.deciding,
        )
    )


def get_confidence(probability: float) -> Confidence:
    return "high" if probability >= HIGH else "medium"


def _list_evidence(episode: EpisodeDigest) -> tuple[Evidence, ...]:
    """Return the rows of an episode as evidence; the first and last lines are those of the episode."""
    rows = [row for row in episode.rows if row.line >= episode.first_line]
    items: list[Evidence] = []
    for row in rows:
        text = row.text.partition(" ")[2].replace("\n  | ", "\n")
        summary = text.partition("\n")[0]
        items.append(Evidence(_TYPE_BY_ROLE[row.role], row.role, summary, text, row.line))
    if not items:
        return ()
    items[0] = replace(items[0], line=episode.first_line)
    inside = max((n for n, row in enumerate(rows) if row.line <= episode.last_line), default=0)
    if inside:
        items[inside] = replace(items[inside], line=episode.last_line)
    return tuple(items[: inside + 1])


def cap_candidate(candidate: Candidate) -> Candidate:
    """Return the candidate cleaned and within the limits. Idempotent."""
    return replace(
        candidate,
        title=clean_line(candidate.title, MAX_TITLE_LENGTH) or candidate.kind.replace("_", " "),
        reason=clean_line(candidate.reason, MAX_SUMMARY_LENGTH),
        evidence=cap_evidence(candidate.evidence),
        files=tuple(dict.fromkeys(clean_line(name, MAX_SUMMARY_LENGTH) for name in candidate.files))[:MAX_FILES],
        facts=_clean_facts(candidate.facts),
        error=clean_line(candidate.error, MAX_SUMMARY_LENGTH),
        score=candidate.score if math.isfinite(candidate.score) else 0.0,
        taint=tuple(sorted(set(candidate.taint))),
    )


def _clean_facts(facts: Facts) -> Facts:
    names = (clean_line(name, MAX_SUMMARY_LENGTH) for name in (facts.program, facts.target, facts.error, facts.passed))
    program, target, error, passed = names
    changed = tuple(clean_line(name, MAX_SUMMARY_LENGTH) for name in facts.changed)
    return facts._replace(program=program, target=target, error=error, passed=passed, changed=changed)


def cap_evidence(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Return at most six items, cleaned and in order: the first, the last, and the last of each role before further ones."""
    if len(evidence) > MAX_EVIDENCE_ITEMS:
        ends = {
            min(range(len(evidence)), key=lambda index: evidence[index].line),
            max(range(len(evidence)), key=lambda index: evidence[index].line),
        }
        seen, ranks = Counter[Role](), dict[int, tuple[int, int]]()
        for index in sorted(set(range(len(evidence))) - ends, key=lambda index: -evidence[index].line):
            role = evidence[index].role
            ranks[index] = seen[role], _ROLE_PRIORITY.index(role)
            seen[role] += 1
        others = sorted(ranks, key=ranks.__getitem__)
        selected = sorted(ends | set(others[: MAX_EVIDENCE_ITEMS - len(ends)]))
        evidence = tuple(evidence[index] for index in selected)
    return tuple(
        replace(
            e, summary=clean_line(e.summary, MAX_SUMMARY_LENGTH), content=clip(_clean(e.content), MAX_CONTENT_LENGTH)
        )
        for e in evidence
    )


def clean_line(text: str, limit: int) -> str:
    """Return ``text`` on one line without invisible characters, secrets or personal data, cut to ``limit`` characters."""
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
"""Rank that each further session adds, and how many count. One defect of an environment was labelled in 4 of 42 sessions."""
MUTABLE_PARTS = ("novelty", "history", APPROVED)
"""Rank components that may change while a candidate is pending (covered.py, decisions.py), and so are not part of the score."""


def compute_rank(candidate: Candidate) -> float:
    """Return the score (staging/select.py) plus the components for recurrence, novelty, history and approval; higher is
    better.
    """
    mutable_rank = sum(candidate.parts.get(name, 0.0) for name in MUTABLE_PARTS)
    return candidate.score + compute_recurrence_rank(candidate) + mutable_rank


def compute_recurrence_rank(candidate: Candidate) -> float:
    return RECURRENCE_RANK * min(max(len(candidate.sessions) - 1, 0), MAX_RECURRENCES)


def sort_best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort by rank, best first, then by age, oldest first, then by fingerprint, so that the order is total."""
    return sorted(candidates, key=lambda c: (-compute_rank(c), c.detected_at, c.fingerprint))


def merge_sightings(sightings: Iterable[Candidate]) -> Candidate:
    """Merge the sightings of one fingerprint: texts and session of the best one, the earliest time, the highest
    confidence, and all sessions, files and taint. Raises ValueError if there are none.
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
        confidence="high" if any(c.confidence == "high" for c in ordered) else "medium",
        files=tuple(sorted({name for c in ordered for name in c.files})[:MAX_FILES]),
        detected_at=ordered[0].detected_at,
        sessions=sessions,
        taint=taint,
        parts=dict(best.parts),
        injected_at=min(injected) if injected else None,
    )


def find_minimal_cover(sightings: Sequence[Candidate]) -> set[int]:
    """Return the indices of a few sightings that merge into the same candidate as all of them, except for sessions and
    files.
    """
    indices = range(len(sightings))
    if not indices:
        return set()
    by_time = sorted(indices, key=lambda index: _get_sort_key(sightings[index]))
    cover = {by_time[0], max(by_time, key=lambda index: _get_quality_key(sightings[index]))}
    cover.add(max(indices, key=lambda index: sightings[index].confidence == "high"))
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


_KEYS = {name: re.sub("_(.)", lambda found: found[1].upper(), name) for name in vars(Candidate)["__match_args__"]}
"""The key of each field."""
_FILE_FIELDS = (
    *("id", "title", "reason", "confidence", "probability", "evidence", "detected_at", "session_id", "kind"),
    *("fingerprint", "files", "host", "outcome", "sessions", "taint", "injected_at"),
)
_OPTIONAL_FIELDS = ("injected_at", "log")
_LATER_FIELDS = (
    *_OPTIONAL_FIELDS,
    "probability",
    "deciding",
    "facts",
    "session_facts",
    "digest_length",
    "last_line",
    "error",
)
"""Fields that candidates which earlier versions accepted or dismissed may lack."""


def candidate_to_json(candidate: Candidate, names: Iterable[str] = _FILE_FIELDS) -> JsonObject:
    """Return the candidate as it appears in the pending file; ``injectedAt`` only if it is set."""
    values = {name: getattr(candidate, name) for name in names}
    is_given = {name: name not in _OPTIONAL_FIELDS or value not in (None, "") for name, value in values.items()}
    return {_KEYS[name]: _to_json(value) for name, value in values.items() if is_given[name]}


def _to_json(value: Any) -> Any:
    if isinstance(value, Facts):
        return value._asdict()
    if isinstance(value, Evidence):
        return {name: getattr(value, name) for name in vars(Evidence)["__match_args__"]}
    return [_to_json(item) for item in value] if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownVariableType]


def serialise_candidate(candidate: Candidate) -> str:
    """Serialise a candidate for the database; equal candidates give equal text."""
    return json.dumps(candidate_to_json(candidate, _KEYS), sort_keys=True)


def parse_bodies(bodies: Iterable[str]) -> list[Candidate]:
    """Parse the output of ``serialise_candidate``; unreadable bodies, as after a disk error, are skipped."""
    found: list[Candidate] = []
    for body in bodies:
        try:
            found.append(_build_candidate(json.loads(body)))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
    return found


def _build_candidate(fields: dict[str, Any]) -> Candidate:
    values = {name: fields[key] for name, key in _KEYS.items() if key in fields or name not in _LATER_FIELDS}
    facts: dict[str, Any] = dict(fields.get("facts", {}))
    facts["changed"] = tuple(facts.get("changed", ()))
    values |= {name: tuple(fields[name]) for name in ("files", "sessions", "taint")}
    values["evidence"] = tuple(Evidence(**item) for item in fields["evidence"])
    values["facts"] = Facts(**facts)
    values["deciding"] = tuple((name, float(contribution)) for name, contribution in fields.get("deciding", []))
    return Candidate(**values)
