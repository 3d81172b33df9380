"""Whether a skill helps when its error comes back: of the sessions in which it did, how many got past it, and how fast.

Compared are sessions in which the same error came back after the skill was there: those that had loaded it before they got
past the error, and those that had not. Nobody drew lots for who loads it, so this is what was seen and no cause
(docs/learning.md says what may mislead). The unit is a session, however many errors of the skill it met.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from mind_skills.learning.statistics import newcombe, wilson

ENOUGH = 5
"""Sessions on each side below which nothing is concluded: with fewer, one session moves a share by more than 20 points."""
Verdict = Literal["better", "worse", "no_difference", "not_enough_data"]


class Case(NamedTuple):
    """One error (its signature) that came back in one session. ``loaded``: the skill was, before it was got past.

    ``steps`` (tool calls) and ``duration_ms`` (None where the log names no times) count from where it came up to where
    it was got past, and mean nothing where it was not.
    """

    session: str
    signature: str
    solved: bool
    loaded: bool
    steps: int = 0
    duration_ms: int | None = None


class Arm(NamedTuple):
    """One side: ``solved`` of ``n`` sessions got past their errors; the share's 95 % interval (Wilson); medians of those."""

    n: int
    solved: int
    low: float
    high: float
    median_steps: float | None
    median_ms: float | None


class Comparison(NamedTuple):
    """Both sides. ``difference`` is the share with the skill less the share without, with its 95 % interval (Newcombe).

    It is None where a side is empty. ``repairs`` are signatures that fewer than half of the sessions got past without
    the skill, and at least half with it; ``regressions`` the other way round; ``net`` is the one less the other.
    """

    with_skill: Arm
    without: Arm
    difference: float | None
    low: float
    high: float
    verdict: Verdict
    repairs: int
    regressions: int

    @property
    def net(self) -> int:
        """Repairs less regressions."""
        return self.repairs - self.regressions


def compare_arms(cases: Iterable[Case]) -> Comparison:
    """What these cases say of the skill that they are about; of several skills, each case is to be given under its own."""
    found = list(cases)
    one, other = (
        summarize_arm(each for each in found if each.loaded),
        summarize_arm(each for each in found if not each.loaded),
    )
    low, high = newcombe(one.solved, one.n, other.solved, other.n)
    difference = one.solved / one.n - other.solved / other.n if one.n and other.n else None
    repairs, regressions = _turned(found)
    return Comparison(one, other, difference, low, high, _verdict(one, other, low, high), repairs, regressions)


def summarize_arm(cases: Iterable[Case]) -> Arm:
    """One side. A session got past its errors if it did so with each; it took as long as the one that took longest."""
    sessions: dict[str, list[Case]] = {}
    for case in cases:
        sessions.setdefault(case.session, []).append(case)
    solved = [each for each in sessions.values() if all(case.solved for case in each)]
    steps = [max(case.steps for case in each) for each in solved]
    times = [_longest(each) for each in solved]
    known = [time for time in times if time is not None]
    low, high = wilson(len(solved), len(sessions))
    return Arm(len(sessions), len(solved), low, high, _median(steps), _median(known))


def _median(numbers: Iterable[int]) -> float | None:
    """The middle of them, None of none; by hand, since `statistics` imports far more than it."""
    found = sorted(numbers)
    middle = len(found) // 2
    if not found:
        return None
    return float(found[middle]) if len(found) % 2 else (found[middle - 1] + found[middle]) / 2


def _longest(cases: Sequence[Case]) -> int | None:
    times = [case.duration_ms for case in cases if case.duration_ms is not None]
    return max(times) if len(times) == len(cases) else None


def _verdict(one: Arm, other: Arm, low: float, high: float) -> Verdict:
    if min(one.n, other.n) < ENOUGH:
        return "not_enough_data"
    if low > 0:
        return "better"
    return "worse" if high < 0 else "no_difference"


def _turned(cases: Iterable[Case]) -> tuple[int, int]:
    """Repairs and regressions, by signature: only one that was met on both sides can turn."""
    sides: dict[str, tuple[list[bool], list[bool]]] = {}
    for case in cases:
        sides.setdefault(case.signature, ([], []))[0 if case.loaded else 1].append(case.solved)
    both = [(_mostly(loaded), _mostly(not_loaded)) for loaded, not_loaded in sides.values() if loaded and not_loaded]
    return both.count((True, False)), both.count((False, True))


def _mostly(solved: Sequence[bool]) -> bool:
    return 2 * sum(solved) >= len(solved)
