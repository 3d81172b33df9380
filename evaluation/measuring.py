"""Measurement of a labelled session: every proposed episode, its features, and its position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mind_skills.detectors.features import FEATURES, Facts
from mind_skills.detectors.model import Episode, Evidence, Finding
from mind_skills.detectors.registry import KIND_BY_PATTERN, measure_episodes, select_episodes
from mind_skills.detectors.scorer import Scored
from mind_skills.detectors.timeline import Timeline, build_timeline
from mind_skills.detectors.vetoes import find_veto
from mind_skills.evaluation.judging import Judged, Raised, judge_candidate
from mind_skills.evaluation.labels import Label
from mind_skills.observations.model import Observation


class Proposal(NamedTuple):
    """One proposed episode. ``features`` are in the order of FEATURES; ``judged`` is the verdict that it would receive if raised.

    ``window`` is the index of its window, since a long session has several.
    """

    episode: Episode
    features: tuple[float, ...]
    judged: Judged
    is_vetoed: bool
    window: int


class Measured(NamedTuple):
    """A labelled session with all its proposals. ``user_messages`` holds the indexes of the user's messages in each window."""

    label: Label
    proposals: tuple[Proposal, ...]
    user_messages: tuple[tuple[int, ...], ...]


class Meter:
    """Measures the windows of a session; `staging/analyse.py` calls it in place of the detector."""

    def __init__(self, label: Label) -> None:
        self.label = label
        self.proposals: list[Proposal] = []
        self.user_messages: list[tuple[int, ...]] = []

    def measure_window(self, observations: Sequence[Observation], project: str) -> list[Finding]:
        """Measure one window. Returns no findings."""
        timeline = build_timeline(observations, project)
        for episode, values in measure_episodes(Facts(timeline)):
            features = tuple(values[feature.name] for feature in FEATURES)
            is_vetoed = bool(find_veto(timeline, episode))
            judged = judge_candidate(self.label, _place_proposal(timeline, episode))
            self.proposals.append(Proposal(episode, features, judged, is_vetoed, len(self.user_messages)))
        self.user_messages.append(tuple(timeline.user_messages))
        return []

    def build_result(self) -> Measured:
        return Measured(self.label, tuple(self.proposals), tuple(self.user_messages))


def _place_proposal(timeline: Timeline, episode: Episode) -> Raised:
    """Return a proposal whose evidence begins and ends where the composed evidence would (detectors/composing/evidence.py)."""
    first, last = timeline.observations[episode.first], timeline.observations[episode.last]
    ends = (first.line, last.end_line or last.line)
    evidence = [Evidence("problem", "context", "", "", line) for line in ends]
    return Raised(KIND_BY_PATTERN[episode.patterns[0]], "", evidence)


def choose_proposals(session: Measured, values: Sequence[float], limit: int) -> list[int]:
    """Return the positions of the proposals that the product would choose with ``values`` as probabilities, best first."""
    chosen: list[tuple[float, int]] = []
    positions_by_window: dict[int, dict[Episode, int]] = {}
    for position, proposal in enumerate(session.proposals):
        positions_by_window.setdefault(proposal.window, {})[proposal.episode] = position
    for window, positions in positions_by_window.items():
        scored = [Scored(episode, float(values[position])) for episode, position in positions.items()]

        def is_vetoed(episode: Episode, positions: dict[Episode, int] = positions) -> bool:
            return session.proposals[positions[episode]].is_vetoed

        choices = select_episodes(session.user_messages[window], scored, limit, is_vetoed)
        chosen += [(choice.probability, positions[choice.episode]) for choice in choices]
    return [position for _, position in sorted(chosen, key=lambda pair: (-pair[0], pair[1]))[:limit]]
