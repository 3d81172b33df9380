"""What the detector measures of a labelled session: every episode that it proposes, its features, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mind_skills.detectors.choice import choose as chosen_of
from mind_skills.detectors.features import FEATURES
from mind_skills.detectors.model import Episode, Evidence, Finding
from mind_skills.detectors.patterns.registry import KIND
from mind_skills.detectors.registry import measured
from mind_skills.detectors.scorer import Scored
from mind_skills.detectors.timeline import Timeline, build_timeline
from mind_skills.detectors.vetoes import veto
from mind_skills.evaluation.judging import Judged, judge_one
from mind_skills.evaluation.labels import Label
from mind_skills.observations.model import Observation


class Proposal(NamedTuple):
    """One proposed episode. ``features`` are in the order of FEATURES; ``judged`` says what it would be if it were raised.

    ``look`` counts the windows in which a long session is looked at.
    """

    episode: Episode
    features: tuple[float, ...]
    judged: Judged
    vetoed: bool
    look: int


class Measured(NamedTuple):
    """A labelled session with all that is proposed in it, by look and episode; ``users`` holds the places of the user's
    messages in each look.
    """

    label: Label
    proposals: tuple[Proposal, ...]
    users: tuple[tuple[int, ...], ...]


class Placed(NamedTuple):
    """A proposal as far as its place goes; see ``Raised`` of placing.py. What would be said of it is not composed."""

    kind: str
    evidence: Sequence[Evidence]
    title: str = ""
    offer: str = ""
    confidence: str = ""
    probability: float = 0.0


class Meter:
    """Measures a session's looks as they come; `staging/analyse.py` calls it in the place of detection."""

    def __init__(self, label: Label) -> None:
        self.label = label
        self.proposals: list[Proposal] = []
        self.users: list[tuple[int, ...]] = []

    def look(self, observations: Sequence[Observation], project: str) -> list[Finding]:
        """Measure one look; nothing is found in it."""
        line = build_timeline(observations, project)
        for episode, values in measured(line):
            features = tuple(values[feature.name] for feature in FEATURES)
            vetoed = bool(veto(line, episode))
            judged = judge_one(self.label, _placed(line, episode))
            self.proposals.append(Proposal(episode, features, judged, vetoed, len(self.users)))
        self.users.append(tuple(line.user_messages))
        return []

    def result(self) -> Measured:
        """What was measured."""
        return Measured(self.label, tuple(self.proposals), tuple(self.users))


def _placed(line: Timeline, episode: Episode) -> Placed:
    """Where its evidence will begin and end (detectors/composing/evidence.py)."""
    first, last = line.observations[episode.first], line.observations[episode.last]
    ends = (first.line, last.end_line or last.line)
    return Placed(KIND[episode.patterns[0]], [Evidence("problem", "context", "", "", each) for each in ends])


def choose(session: Measured, values: Sequence[float], most: int) -> list[int]:
    """The places of the proposals that the product would choose if ``values`` were their probabilities, best first."""
    kept: list[tuple[float, int]] = []
    by_look: dict[int, dict[Episode, int]] = {}
    for place, each in enumerate(session.proposals):
        by_look.setdefault(each.look, {})[each.episode] = place
    for look, places in by_look.items():
        scored = [Scored(episode, float(values[place])) for episode, place in places.items()]

        def vetoed(episode: Episode, places: dict[Episode, int] = places) -> bool:
            return session.proposals[places[episode]].vetoed

        chosen = chosen_of(session.users[look], scored, most, vetoed)
        kept += [(one.probability, places[one.episode]) for one in chosen]
    return [place for _, place in sorted(kept, key=lambda each: (-each[0], each[1]))[:most]]
