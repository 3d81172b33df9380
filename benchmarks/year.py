"""A simulated year of sessions with known truth: which skills and strategies help, harm or change.

2,000 sessions load up to three of 40 skills and follow one of twelve strategies. Each helps or harms by a fixed amount,
which the rules do not see. Difficulties are included: skills in one session share its outcome, one outcome in ten is
random, a quarter is unknown, popularity is uneven, and four good skills turn bad in mid-year.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mind_skills.learning.outcome import OutcomeType
from mind_skills.learning.statistics import DAY_MS
from mind_skills.learning.strategies import STRATEGIES

Truth = Literal["good", "neutral", "bad", "turning"]

BEGIN = 1_700_000_000_000
DAYS, SESSIONS, HALF = 365, 2_000, 0.5
SKILLS: dict[Truth, int] = {"good": 14, "neutral": 14, "bad": 8, "turning": 4}
FOLLOWED: dict[Truth, int] = {"good": 4, "neutral": 4, "bad": 2, "turning": 2}
EFFECT: dict[Truth, float] = {"good": -0.9, "neutral": 0.0, "bad": 1.7}
"""Effect on the log odds of a failing session: 20 % becomes 9 %, 20 % or 58 %."""
NOISE, SILENCE = 0.1, 0.25
"""The share of outcomes that are random, and of those that are unknown or neutral."""
LOADED = (0, 0, 1, 1, 2, 3)
"""Number of skills that a session loads; each number is equally likely."""


@dataclass(frozen=True, slots=True)
class Event:
    """A session: its end (UTC ms), the skills and strategies it used (by number), and its outcome."""

    name: str
    at: int
    skills: tuple[int, ...]
    strategy: int
    outcome: OutcomeType


class Year:
    """One year by a seed. ``failing`` is the share of sessions that fail without any effect.

    Skills in ``aside`` are no longer loaded.
    """

    def __init__(self, seed: int, *, failing: float = 0.2, sessions: int = SESSIONS) -> None:
        self._random = random.Random(seed)
        self.skills = _shuffled(self._random, SKILLS)
        self.strategies = _shuffled(self._random, FOLLOWED)
        assert len(self.strategies) == len(STRATEGIES)
        self.aside: set[int] = set()
        self._odds, self._sessions = math.log(failing / (1 - failing)), sessions
        self._popular = [1 / (number + 3) for number in range(len(self.skills))]

    def events(self) -> Iterator[Event]:
        """Yield the sessions in order; ``aside`` may be changed in between."""
        for number in range(self._sessions):
            part = number / self._sessions
            loaded, strategy = self._loaded(), self._random.randrange(len(self.strategies))
            truths = [*(self.skills[each] for each in loaded), self.strategies[strategy]]
            odds = self._odds + sum(EFFECT[_now(truth, part)] for truth in truths)
            failed = self._random.random() < 1 / (1 + math.exp(-odds))
            if self._random.random() < NOISE:
                failed = self._random.random() < HALF
            known = self._random.random() >= SILENCE
            outcome: OutcomeType = ("harmful" if failed else "helpful") if known else "unknown"
            yield Event(f"s{number:04}", BEGIN + int(part * DAYS * DAY_MS), loaded, strategy, outcome)

    def harmful(self, skill: int, at: int) -> bool:
        """Return whether a skill is harmful at that time."""
        return _now(self.skills[skill], (at - BEGIN) / (DAYS * DAY_MS)) == "bad"

    def _loaded(self) -> tuple[int, ...]:
        left = [number for number in range(len(self.skills)) if number not in self.aside]
        most = self._random.choice(LOADED)
        weights = [self._popular[number] for number in left]
        return tuple(sorted(set(self._random.choices(left, weights, k=most)))) if left and most else ()


def _now(truth: Truth, part: float) -> Truth:
    if truth != "turning":
        return truth
    return "bad" if part >= HALF else "good"


def _shuffled(chance: random.Random, kinds: dict[Truth, int]) -> list[Truth]:
    found = [truth for truth, count in kinds.items() for _ in range(count)]
    chance.shuffle(found)
    return found
