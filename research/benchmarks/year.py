"""A simulated year of sessions with known truth: which skills and strategies help, harm or change.

2,000 sessions load up to three of 40 skills and follow one of twelve strategies. Each helps or harms by a fixed amount,
which the rules do not see. Difficulties are included: the skills of a session share its outcome, one outcome in ten is
random, a quarter are unknown, popularity is uneven, and four good skills turn bad in mid-year.
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
"""The share of outcomes that are random, and the share of those that are unknown."""
LOADED = (0, 0, 1, 1, 2, 3)
"""Number of skills that a session loads; each number is equally likely."""


@dataclass(frozen=True, slots=True)
class Event:
    """A session: its end (UTC ms), the skills and the strategy that it used (by number), and its outcome."""

    name: str
    at: int
    skills: tuple[int, ...]
    strategy: int
    outcome: OutcomeType


class Year:
    """A year generated from a seed. ``failing`` is the share of sessions that fail without any skill or strategy.

    Skills in ``archived`` are no longer loaded.
    """

    def __init__(self, seed: int, *, failing: float = 0.2, sessions: int = SESSIONS) -> None:
        self._random = random.Random(seed)
        self.skills = _shuffle_kinds(self._random, SKILLS)
        self.strategies = _shuffle_kinds(self._random, FOLLOWED)
        assert len(self.strategies) == len(STRATEGIES)
        self.archived: set[int] = set()
        self._odds, self._sessions = math.log(failing / (1 - failing)), sessions
        self._popular = [1 / (number + 3) for number in range(len(self.skills))]

    def simulate_sessions(self) -> Iterator[Event]:
        """Yield the sessions in order; ``archived`` may be changed in between."""
        for number in range(self._sessions):
            part = number / self._sessions
            loaded, strategy = self._draw_skills(), self._random.randrange(len(self.strategies))
            truths = [*(self.skills[each] for each in loaded), self.strategies[strategy]]
            odds = self._odds + sum(EFFECT[_get_current_truth(truth, part)] for truth in truths)
            failed = self._random.random() < 1 / (1 + math.exp(-odds))
            if self._random.random() < NOISE:
                failed = self._random.random() < HALF
            is_clear = self._random.random() >= SILENCE
            outcome: OutcomeType = ("harmful" if failed else "helpful") if is_clear else "unknown"
            yield Event(f"s{number:04}", BEGIN + int(part * DAYS * DAY_MS), loaded, strategy, outcome)

    def is_harmful(self, skill: int, at: int) -> bool:
        """Return whether a skill is harmful at that time."""
        return _get_current_truth(self.skills[skill], (at - BEGIN) / (DAYS * DAY_MS)) == "bad"

    def _draw_skills(self) -> tuple[int, ...]:
        available = [number for number in range(len(self.skills)) if number not in self.archived]
        count = self._random.choice(LOADED)
        weights = [self._popular[number] for number in available]
        return tuple(sorted(set(self._random.choices(available, weights, k=count)))) if available and count else ()


def _get_current_truth(truth: Truth, part: float) -> Truth:
    if truth != "turning":
        return truth
    return "bad" if part >= HALF else "good"


def _shuffle_kinds(rng: random.Random, kinds: dict[Truth, int]) -> list[Truth]:
    found = [truth for truth, count in kinds.items() for _ in range(count)]
    rng.shuffle(found)
    return found
