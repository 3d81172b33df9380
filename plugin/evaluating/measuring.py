"""What the detector measures of a labelled session: every episode that it proposes, its features, and where it lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mind_skills.detectors.facts import Facts
from mind_skills.detectors.features import FEATURES, measure
from mind_skills.detectors.model import Episode, Evidence
from mind_skills.detectors.patterns.registry import KIND, propose
from mind_skills.detectors.timeline import timeline
from mind_skills.observations.model import Observation
from mind_skills.plugin.evaluating.judging import Judged, judge_one
from mind_skills.plugin.evaluating.labels import Label


class Proposal(NamedTuple):
    """One proposed episode. ``features`` are in the order of FEATURES; ``judged`` says what it would be if it were raised."""

    episode: Episode
    features: tuple[float, ...]
    judged: Judged


class Measured(NamedTuple):
    """A labelled session with all that is proposed in it, in the order of the session."""

    label: Label
    proposals: tuple[Proposal, ...]


class Placed(NamedTuple):
    """A proposal as far as its place goes; see ``Raised`` of placing.py. What would be said of it is not composed."""

    kind: str
    evidence: Sequence[Evidence]
    title: str = ""
    offer: str = ""
    confidence: str = ""
    probability: float = 0.0


def measured(label: Label, observations: Sequence[Observation], project: str) -> Iterator[Proposal]:
    """Every episode that is proposed in one look at a session."""
    line = timeline(observations, project)
    facts = Facts(line)
    for episode in propose(line):
        values = measure(facts, episode)
        ends = (observations[episode.first], observations[episode.last])
        evidence = [Evidence("problem", "context", "", "", each.line) for each in ends]
        judged = judge_one(label, Placed(KIND[episode.patterns[0]], evidence))
        yield Proposal(episode, tuple(values[feature.name] for feature in FEATURES), judged)
