"""What of an episode is looked at to compose its text, and which words it is about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.tokens import tokens
from mind_skills.observations.errors import names_nothing
from mind_skills.observations.model import Observation

MOST = 60
"""Statements, failures, changes and runs of an episode that are looked at, of each the last ones: what ended it stands there."""


@dataclass(slots=True)
class Scene:
    """The places of an episode, each list ascending, and the weight of each word in it.

    ``weights``: the logarithm of one more than the number of observations of the episode that hold a word. What a whole
    episode is about is in its errors, its changes, its commands and in what is said, and so counts most.
    """

    line: Timeline
    first: int
    last: int
    failures: list[int]
    changes: list[int]
    runs: list[int]
    said: list[int]
    users: list[int]
    weights: dict[str, float]
    concrete: frozenset[str]
    """Words of the errors, the changes and the commands: what a statement must share to be about this episode."""

    def at(self, index: int) -> Observation:
        """One observation."""
        return self.line.observations[index]

    def weigh(self, words: Iterable[str]) -> float:
        """How much of what the episode is about these words name."""
        return sum(self.weights.get(word, 0.0) for word in words)

    def weight(self, text: str) -> float:
        """The same of a text."""
        return self.weigh(tokens(text))


def scene(line: Timeline, episode: Episode) -> Scene:
    """The scene of an episode of this timeline."""
    first, end = episode.first, episode.last + 1
    failures, changes, runs, said = (
        line.within(places, first, end)[-MOST:] for places in (line.failures, line.changes, line.runs, line.said)
    )
    users = line.within(line.users, first, end)[-MOST:]
    concrete = sorted({*failures, *changes, *runs})
    counted = Counter(word for index in {*concrete, *said, *users} for word in line.tokens(index))
    named = frozenset[str]().union(*(line.tokens(index) for index in concrete))
    weights = {word: math.log1p(times) for word, times in counted.items()}
    return Scene(line, first, episode.last, failures, changes, runs, said, users, weights, named)


def telling(one: Observation) -> str:
    """The error of a call, empty where it only says that something failed."""
    return "" if names_nothing(one.error) else one.error
