"""What detection hands on: episodes, what is said of them, and findings with the probability that they are worth telling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious", "user_rule"]
EvidenceType = Literal[
    "discovery", "decision", "problem", "solution", "pattern", "warning", "success", "refactor", "bugfix", "feature"
]
Role = Literal["symptom", "cause", "change", "verification", "insight", "context"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observation that carries a finding. ``line`` is the log's own, 1-based."""

    type: EvidenceType
    role: Role
    summary: str
    content: str
    line: int
    said_at: int = 0
    """The line where it was said, where that lies outside of the episode: the user's complaint before it, the turn's last words
    behind it. ``line`` is then the end of the episode that lies next."""


@dataclass(frozen=True, slots=True)
class Episode:
    """A span of one look's observations in which something may have been learned.

    ``first`` and ``last`` are indexes into the observations, the first smaller than the last; ``patterns`` names what
    proposed the span, in the order of patterns/registry.py.
    """

    first: int
    last: int
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Composed:
    """What is said of an episode; a text is empty where the session states nothing of it.

    ``evidence`` is at most six, ascending by line, and its first and last line bracket the episode.
    """

    title: str
    symptom: str
    cause: str
    remedy: str
    proof: str
    scope: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """An episode that was chosen. ``anchor`` is what makes two findings the same one: an error, and what was done about it."""

    kind: FindingKind
    title: str
    reason: str
    anchor: str
    evidence: tuple[Evidence, ...]
    files: tuple[str, ...] = ()
    probability: float = 0.0
    """That a reader of the whole session would call it a learning: 0 to 1, calibrated (scorer.py)."""
    symptom: str = ""
    cause: str = ""
    remedy: str = ""
    proof: str = ""
    scope: str = ""
    deciding: tuple[tuple[str, float], ...] = ()
    """The features that decided, by name, with what each added to the log odds: largest first, at most six."""
    taint: tuple[str, ...] = ()
    """Sources other than the local project that it rests on: web, mcp."""
