"""What of an episode is looked at to compose its text, and which words it is about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.tokens import tokens
from mind_skills.observations.errors import names_nothing
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later

MOST = 60
"""Statements, failures, changes and runs of an episode that are looked at, of each the last ones: what ended it stands there."""

_BEHIND = 2
"""Statements behind an episode that are heard, besides the turn's last one."""
_RUN = 5
"""Words in a row that are a repetition."""
_WORDS = compile_later(r"[^\W_]+")
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
    earlier: list[int]
    """What was changed before the episode in its turn, where it changed nothing itself and the user had complained."""
    complained: bool
    """Whether the user had complained when its turn began."""
    runs: list[int]
    said: list[int]
    users: list[int]
    beside: list[int]
    """What the agent said before the episode and just behind it, in the same turn."""
    closing: int | None
    """The turn's last words, where the episode does not begin behind them."""
    weights: dict[str, float]
    concrete: frozenset[str]
    """Words of the errors, the changes and the commands: what a statement must share to be about this episode."""
    named: frozenset[str]
    """Those of them that have the form of a name."""
    names: frozenset[str]
    """Words of whatever was done or said that have the form of a name."""
    story: dict[str, float]
    """The weight of each word in the turn that the episode is part of, counted in the same way."""
    changed: frozenset[str]
    """Words of what its turn changed, and of what failed in it."""
    printed: frozenset[str]
    """Rows of ``_RUN`` words that its calls printed."""

    def at(self, index: int) -> Observation:
        """One observation."""
        return self.line.observations[index]

    def weigh(self, words: Iterable[str]) -> float:
        """How much of what the episode is about these words name."""
        return math.fsum(self.weights.get(word, 0.0) for word in words)  # in whatever order a set gives them

    def weigh_in_story(self, words: Iterable[str]) -> float:
        """How much of what the episode's turn is about these words name."""
        return math.fsum(self.story.get(word, 0.0) for word in words)

    def weight(self, text: str) -> float:
        """The same of a text."""
        return self.weigh(tokens(text))

    def is_printed(self, text: str) -> bool:
        """Whether a statement repeats a row of words that a call of the episode printed."""
        return any(row in self.printed for row in _rows_of(text))


def scene(line: Timeline, episode: Episode) -> Scene:
    """The scene of an episode of this timeline."""
    first, end = episode.first, episode.last + 1
    failures, changes, runs, said = (
        line.within(places, first, end)[-MOST:] for places in (line.failures, line.changes, line.runs, line.said)
    )
    users = line.within(line.users, first, end)[-MOST:]
    counting = _around(line, first, episode.last)
    turn = line.turn(first)
    complained = turn is not None and complains(line, turn)
    earlier = line.within(line.changes, turn, first)[-MOST:] if complained and turn is not None and not changes else []
    around = [
        line.within(places, *counting) for places in (line.failures, line.changes, line.runs, line.said, line.users)
    ]
    around.append(earlier)
    weights = _weights(line, around)
    begun, ended = turn or 0, line.turn_end(episode.last)
    channels = [
        line.within(places, begun, ended)[-MOST:]
        for places in (line.failures, line.changes, line.checks, line.aloud, line.users)
    ]
    changed = frozenset[str]().union(*(line.tokens(index) for places in channels[:2] for index in places))
    concrete = frozenset[str]().union(*(line.tokens(index) for index in {*failures, *changes, *runs, *earlier}))
    beside, closing = _said_beside(line, first, episode.last)
    calls = line.within(line.tools, counting[0], end)[-MOST:]
    printed = frozenset(row for index in calls for row in _rows_of(line.observations[index].text))
    return Scene(
        line=line,
        first=first,
        last=episode.last,
        failures=failures,
        changes=changes,
        earlier=earlier,
        complained=complained,
        runs=runs,
        said=said,
        users=users,
        beside=beside,
        closing=closing,
        weights=weights,
        concrete=concrete,
        named=frozenset(word for word in concrete if not word.isalpha()),
        names=frozenset(word for word in weights if not word.isalpha()),
        story=_weights(line, channels),
        changed=changed,
        printed=printed,
    )


def _weights(line: Timeline, channels: list[list[int]]) -> dict[str, float]:
    """The weight of each word of the observations at these places."""
    counted = Counter(word for index in set[int]().union(*channels) for word in line.tokens(index))
    words = (frozenset[str]().union(*(line.tokens(index) for index in channel)) for channel in channels)
    spread = Counter(word for channel in words for word in channel)
    return {word: math.log1p(times) * spread[word] ** 0.5 for word, times in counted.items()}


def _rows_of(text: str) -> Iterator[str]:
    words = _WORDS.findall(text.lower())
    return (" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))


def _around(line: Timeline, first: int, last: int) -> tuple[int, int]:
    """Where words are counted, from and to: a short episode with as much of its turn on either side as makes ``_SHORT``."""
    beside = max(0, _SHORT - (last + 1 - first)) // 2
    turn = line.turn(first)
    return max(first - beside, 0 if turn is None else turn), min(last + 1 + beside, line.turn_end(last))


def _said_beside(line: Timeline, first: int, last: int) -> tuple[list[int], int | None]:
    turn, end = line.turn(first) or 0, line.turn_end(last)
    before, behind = line.within(line.said, turn, first)[-MOST:], line.within(line.said, last + 1, end)[:_BEHIND]
    closing = line.after(line.closing, last - 1)
    return [*before, *behind], closing if closing is not None and closing < end else None


def complains(line: Timeline, index: int) -> bool:
    """Whether a message of the user says that something is wrong."""
    said = line.asked[index]
    return said.pasted or said.broken or said.denies or said.why


def telling(one: Observation) -> str:
    """The error of a call, empty where it only says that something failed."""
    return "" if names_nothing(one.error) else one.error
