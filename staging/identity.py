"""What makes two learnings the same one, and how a finding becomes a candidate.

Identity is the error and what was done about it, or without an error the cause and what was done: never time, session,
title or kind. The published plugin's titles were those of tools, and equal titles hid different learnings; one learning
looks like an error with its fix in one session and like a problem with its solution in the next.
"""

from __future__ import annotations

import math
import unicodedata
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from mind_skills.detectors.model import Evidence, Finding, FindingKind
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.text import strip
from mind_skills.staging.model import CONTENT, EVIDENCES, FILES, SUMMARY, TITLE, Candidate, Confidence

if TYPE_CHECKING:
    from mind_skills.observations.model import Session

DONE = " -> "
"""In an anchor, between the error and what was done about it."""
_TELLING = 2
_NAME = compile_later(r"[\d_=@.]|^-|[^\W\d_]-[^\W\d_]")
"""In what is no plain word: a digit, a flag, a file, an identifier."""
_WORD = compile_later(r"[^\W\d_]{3,}")
_EVERYBODYS = frozenset(
    """and assertion assertionerror build code command error errors exception exit exited expected fail failed failing
    failure fatal for from has invalid job line process returned runtimeerror script status step syntaxerror task test
    tests the typeerror uncaught unexpected unhandled valueerror was with""".split()
)
"""Words of errors that say that something failed and not what."""
_ROLES = ("cause", "insight", "change", "verification", "symptom", "context")
"""What is kept first where there is too much evidence between the first and the last."""


def normalised(text: str) -> str:
    """``text`` as identity sees it: compatibility forms and case folded, invisible characters gone, spaces single."""
    return " ".join(unicodedata.normalize("NFKC", strip(text)).casefold().split())


def fingerprint(
    kind: FindingKind, anchor: str, evidence: tuple[Evidence, ...] = (), *, remedy: str = "", cause: str = ""
) -> str:
    """32 hex digits: equal for the same learning. ``anchor`` is its error and what was done about it, so that the same error with
    another remedy is another learning (detectors/registry.py).

    It is empty where there was no error: then the cause and the names in the remedy count, in whatever order; where
    neither is stated, the summaries of the evidence. An error that any project could have ("task failed", "exited with code
    1") is one learning only together with the cause that was named, or else with what was changed: otherwise a single
    dismissal would silence them all.
    """
    told = [normalised(anchor)] if normalised(anchor) else [normalised(cause), *names_of(remedy)]
    core = "\n".join(filter(None, told)) or "\n".join(normalised(item.summary) for item in evidence)
    if not says_something(core.partition(DONE)[0]):
        named = [item.summary for item in evidence if item.role in ("cause", "insight")]
        changed = sorted({item.summary for item in evidence if item.role == "change"})
        core = "\n".join([core, *map(normalised, named[:1] or changed)])
    return _digest(f"{family(kind)}\0{core}", 16)


def family(kind: FindingKind) -> str:
    """Kinds of one family may be the same learning: a rule that the user stated is never one with what was found out."""
    return kind if kind == "user_rule" else "learning"


def names_of(remedy: str) -> list[str]:
    """What a remedy consists of, sorted: the names of commands, flags, files and code in it, or all of its words where it names
    none.
    """
    words = words_of(remedy)
    return sorted({word for word in words if _NAME.search(word)} or words)


def words_of(remedy: str) -> set[str]:
    """The words of a remedy without whole numbers; of a path its last part."""
    pieces = [piece.strip("'\"`.,:;()") for piece in normalised(remedy).split()]
    return {piece.rstrip("/").rpartition("/")[2] for piece in pieces if not piece.isdigit()} - {""}


def says_something(text: str) -> bool:
    """Whether an error says what failed, and not only that something did: two words that not every project's errors have."""
    return len(set(_WORD.findall(normalised(text))) - _EVERYBODYS) >= _TELLING


def candidate_id(mark: str, turn: int = 0) -> str:
    """``sc_`` and 8 hex digits for a fingerprint. ``turn`` gives another one where a project has that id already."""
    text = mark if turn == 0 else f"{mark}\0{turn}"
    return "sc_" + _digest(text, 4)


def from_finding(
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
    mark = fingerprint(finding.kind, finding.anchor, finding.evidence, remedy=finding.remedy, cause=finding.cause)
    return bounded(
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


def bounded(candidate: Candidate) -> Candidate:
    """The same candidate, cleaned and within the caps; harmless when repeated."""
    mark = candidate.fingerprint or fingerprint(candidate.kind, candidate.title, candidate.evidence)
    return replace(
        candidate,
        id=candidate.id or candidate_id(mark),
        fingerprint=mark,
        title=one_line(candidate.title, TITLE) or candidate.kind.replace("_", " "),
        reason=one_line(candidate.reason, SUMMARY),
        evidence=capped(candidate.evidence),
        files=tuple(dict.fromkeys(one_line(name, SUMMARY) for name in candidate.files))[:FILES],
        score=candidate.score if math.isfinite(candidate.score) else 0.0,
        symptom=one_line(candidate.symptom, CONTENT),
        cause=one_line(candidate.cause, CONTENT),
        remedy=one_line(candidate.remedy, CONTENT),
        proof=one_line(candidate.proof, CONTENT),
        scope=one_line(candidate.scope, CONTENT),
        taint=tuple(sorted(set(candidate.taint))),
    )


def capped(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
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
        Evidence(e.type, e.role, one_line(e.summary, SUMMARY), clipped(_cleaned(e.content), CONTENT), e.line, e.said_at)
        for e in evidence
    )


def one_line(text: str, limit: int) -> str:
    """``text`` on one line, without what hides or steers and without secrets and what belongs to a person,
    within ``limit`` characters.

    The log was redacted when it was read; this holds for whoever makes a candidate in another way.
    """
    return clipped(" ".join(_cleaned(text).split()), limit)


@lru_cache(128)
def _cleaned(text: str) -> str:
    # The expressions of redaction take longer to compile than most commands that need an identity take as a whole.
    from mind_skills.redaction.personal import redact_personal
    from mind_skills.redaction.secrets import redact

    return redact_personal(redact(strip(text)))


def _digest(text: str, size: int) -> str:
    from hashlib import blake2b  # which loads OpenSSL

    return blake2b(text.encode(), digest_size=size).hexdigest()


def clipped(text: str, limit: int) -> str:
    """``text`` within ``limit`` characters; the last of them is an ellipsis if something is missing."""
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
