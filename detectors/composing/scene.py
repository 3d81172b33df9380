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

_SHORT = 12
"""Observations of an episode that says by itself what it is about."""


@dataclass(slots=True)
class Scene:
    """The places of an episode, each list ascending, and the weight of each word in it.

    ``weights``: the logarithm of one more than the number of observations of the episode that hold a word, times the root of
    the number of channels that do: errors, changes, commands, agent, user. What an episode is about is in most of them.
    """

    line: Timeline
    first: int
    last: int
    failures: list[int]
    changes: list[int]
    runs: list[int]
    said: list[int]
    users: list[int]
    beside: list[int]
    """What the agent said just before the episode and just behind it, in the same turn."""
    closing: int | None
    """The turn's last words, where the episode does not begin behind them."""
    weights: dict[str, float]
    concrete: frozenset[str]
    """Words of the errors, the changes and the commands: what a statement must share to be about this episode."""
    named: frozenset[str]
    """Those of the errors and the changes that have the form of a name."""

    def at(self, index: int) -> Observation:
        """One observation."""
        return self.line.observations[index]

    def weigh(self, words: Iterable[str]) -> float:
        """How much of what the episode is about these words name."""
        return math.fsum(self.weights.get(word, 0.0) for word in words)  # in whatever order a set gives them

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
    counting = _around(line, first, episode.last)
    around = [
        line.within(places, *counting) for places in (line.failures, line.changes, line.runs, line.said, line.users)
    ]
    channels = [[line.tokens(index) for index in places] for places in around]
    counted = Counter(word for index in set[int]().union(*around) for word in line.tokens(index))
    words = [frozenset[str]().union(*channel) for channel in channels]
    spread = Counter(word for channel in words for word in channel)
    weights = {word: math.log1p(times) * spread[word] ** 0.5 for word, times in counted.items()}
    concrete = frozenset[str]().union(*(line.tokens(index) for index in {*failures, *changes, *runs}))
    named = frozenset(word for index in {*failures, *changes} for word in line.tokens(index) if not word.isalpha())
    beside, closing = _said_beside(line, first, episode.last)
    return Scene(
        line, first, episode.last, failures, changes, runs, said, users, beside, closing, weights, concrete, named
    )


def _around(line: Timeline, first: int, last: int) -> tuple[int, int]:
    """Where words are counted, from and to: a short episode with as much of its turn on either side as makes ``_SHORT``."""
    beside = max(0, _SHORT - (last + 1 - first)) // 2
    turn = line.turn(first)
    return max(first - beside, 0 if turn is None else turn), min(last + 1 + beside, line.turn_end(last))


def _said_beside(line: Timeline, first: int, last: int) -> tuple[list[int], int | None]:
    turn, end = line.turn(first), line.turn_end(last)
    before, behind, closing = (
        line.before(line.said, first),
        line.after(line.said, last),
        line.after(line.closing, last - 1),
    )
    beside = [before] if before is not None and (turn is None or before > turn) else []
    beside += [behind] if behind is not None and behind < end else []
    return beside, closing if closing is not None and closing < end else None


def telling(one: Observation) -> str:
    """The error of a call, empty where it only says that something failed."""
    return "" if names_nothing(one.error) else one.error
