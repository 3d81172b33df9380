"""What is measured of an episode: numbers, each with the sign of its weight and the reason for it, stated before any fit."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline


class Feature(NamedTuple):
    """One number of an episode. ``sign`` says whether more of it speaks for a learning; a fit may not turn it."""

    name: str
    sign: Literal[1, -1]
    group: str
    reason: str
    """Why the sign is as it is."""
    says: str
    """What `why` prints where it decided."""


FEATURES: tuple[Feature, ...] = ()


def measure(line: Timeline, episode: Episode) -> dict[str, float]:
    """Every feature of an episode by name."""
    return {feature.name: 0.0 for feature in FEATURES}
