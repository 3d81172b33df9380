"""A candidate: a finding that waits to become a skill."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from mind_skills.detectors.model import Evidence, FindingKind

Confidence = Literal["high", "medium", "waiting"]
"""The tier: told, told as a perhaps, or kept in the database until another session sees it as well."""
TITLE, SUMMARY, CONTENT, EVIDENCES = 120, 200, 500, 6
OUTPUT = "output"
"""What a candidate rests on that repeats a tool of this machine."""
PER_SESSION, PENDING, PER_OFFER = 5, 10, 5
USUAL = 2
"""How many candidates of one session are told where no setting says otherwise; ``PER_SESSION`` is the most that one may say."""
RULE: FindingKind = "user_rule"
"""The kind whose candidates are sentences of the user, scored apart and told beside the others."""
FILES = 20
"""How many files a candidate names at most: more than that is a sweep, not a place to look."""


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
    def begins(self) -> int:
        """The first line of its session's log that speaks for it."""
        return min((evidence.line for evidence in self.evidence), default=0)


def quoted(evidence: Evidence) -> bool:
    """Whether the user or the main agent said it: the detectors' ``heard`` names the speaker, tools have none."""
    return evidence.role == "insight" or evidence.summary.startswith(("agent: ", "user: "))
