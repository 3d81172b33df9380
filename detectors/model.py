"""What a detector returns: evidence and what speaks for it, never a rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious"]
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


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector saw. ``anchor`` is what makes two findings the same one: a normalised error or insight."""

    kind: FindingKind
    title: str
    reason: str
    anchor: str
    evidence: tuple[Evidence, ...]
    files: tuple[str, ...] = ()
    verified: bool = False
    """A check that failed before passed after the change, or somebody said that it works."""
    insight: bool = False
    """The user or the main agent put the cause into words."""
    user_signal: bool = False
    """A complaint, a correction or a pasted error of the user is part of it."""
    steps: int = 0
    """How many observations lie between the first and the last evidence: what it cost."""
    taint: tuple[str, ...] = ()
    """Sources other than the local project that it rests on: web, mcp."""
