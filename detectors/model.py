"""Types of the detection result: episodes, their composed text and evidence, and findings with a probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious", "user_rule"]
EvidenceType = Literal[
    "discovery", "decision", "problem", "solution", "pattern", "warning", "success", "refactor", "bugfix", "feature"
]
Role = Literal["symptom", "cause", "change", "verification", "insight", "context"]
OUTSIDE_SANDBOX = "outside the sandbox"
"""Appended in parentheses to a remedy if the failed command ran in the host's sandbox and the passing one outside it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observation that supports a finding. ``line`` is 1-based, in the unit of the log's format."""

    type: EvidenceType
    role: Role
    summary: str
    content: str
    line: int
    statement_line: int = 0
    """Line of a statement outside the episode, such as the user's complaint before it or the closing message after it; ``line`` is then
    the line of the episode's nearer end. 0 for all other evidence."""


@dataclass(frozen=True, slots=True)
class Episode:
    """A span of one window's observations in which something may have been learned.

    ``first`` and ``last`` are indexes into the observations, ``first`` < ``last``. ``patterns`` names the patterns that
    proposed the span, in the order of registry.py.
    """

    first: int
    last: int
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EpisodeText:
    """The text of an episode. A part is empty if nothing in the session states it.

    ``evidence`` has at most six entries, ascending by line; the first and last lines bracket the episode.
    """

    title: str
    symptom: str
    cause: str
    remedy: str
    proof: str
    scope: str
    evidence: tuple[Evidence, ...]
    failure_index: int | None
    """Index of the failed call whose error is the symptom; None if the symptom is a complaint or missing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A selected episode, or a rule stated by the user. ``anchor``, if not empty, identifies the finding (registry.py)."""

    kind: FindingKind
    title: str
    reason: str
    anchor: str
    evidence: tuple[Evidence, ...]
    files: tuple[str, ...] = ()
    probability: float = 0.0
    """Calibrated probability, 0 to 1, that a reader of the whole session would call the finding a learning (scorer.py)."""
    symptom: str = ""
    cause: str = ""
    remedy: str = ""
    proof: str = ""
    scope: str = ""
    deciding: tuple[tuple[str, float], ...] = ()
    """Names of at most six deciding features with their contributions to the log odds, largest absolute value first."""
    taint: tuple[str, ...] = ()
    """Untrusted sources of the episode's observations: web, mcp, issue, remote."""
