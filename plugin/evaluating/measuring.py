"""What the detector measures of a labelled session: every episode that it proposes, its features, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mind_skills.detectors.features import FEATURES
from mind_skills.observations.model import Observation
from mind_skills.plugin.evaluating.judging import Judged
from mind_skills.plugin.evaluating.labels import Label


class Proposal(NamedTuple):
    """One proposed episode. ``features`` are in the order of FEATURES; ``judged`` says what it would be if it were raised."""

    patterns: tuple[str, ...]
    features: tuple[float, ...]
    judged: Judged


class Measured(NamedTuple):
    """A labelled session with all that is proposed in it, in the order of the session."""

    label: Label
    proposals: tuple[Proposal, ...]
