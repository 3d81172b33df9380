"""A candidate as `replay` shows it, as far as it is judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mind_skills.detectors.model import Evidence
from mind_skills.staging.block import entry
from mind_skills.staging.model import Candidate, apply_caps


class Shown(NamedTuple):
    """See ``Raised`` of placing.py."""

    kind: str
    title: str
    evidence: Sequence[Evidence]
    offer: str
    confidence: str
    probability: float


def raised(candidate: Candidate) -> Shown:
    """What is judged of a candidate."""
    return Shown(
        candidate.kind,
        candidate.title,
        candidate.evidence,
        entry(apply_caps(candidate)),
        candidate.confidence,
        candidate.probability,
    )
