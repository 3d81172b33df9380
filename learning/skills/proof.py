"""Measures whether a skill helps when its error recurs, in sessions that had loaded it and in others. Nobody assigned
skills at random, so this is no causation (docs/learning.md). A session counts once per side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from mind_skills.learning.statistics import compute_newcombe_interval, compute_wilson_interval

MIN_SESSIONS = 5
"""Minimum number of sessions on each side for a verdict; with fewer, one session moves a share by more than 20 points."""
Verdict = Literal["better", "worse", "no_difference", "not_enough_data"]


class Case(NamedTuple):
    """An error that recurred. ``loaded``: the skill was, before the solution if there was one. ``steps`` (tool calls)
    and ``duration_ms`` are to the solution.
    """

    session: str
    signature: str
    solved: bool
    loaded: bool
    steps: int = 0
    duration_ms: int | None = None


class Arm(NamedTuple):
    """One side: ``solved`` of ``n`` sessions, the share's 95 % interval (Wilson), and medians of those with a solution."""

    n: int
    solved: int
    low: float
    high: float
    median_steps: float | None
    median_ms: float | None


class Comparison(NamedTuple):
    """Both sides; ``difference`` of the shares with its 95 % interval (Newcombe), None if a side is empty. Of the
    errors on both sides, ``repairs`` were mostly overcome only with the skill, ``regressions`` only without.
    """

    with_skill: Arm
    without_skill: Arm
    difference: float | None
    low: float
    high: float
    verdict: Verdict
    repairs: int
    regressions: int

    @property
    def net(self) -> int:
        return self.repairs - self.regressions


def compare_arms(cases: Iterable[Case]) -> Comparison:
    all_cases = list(cases)
    loaded = summarise_arm(case for case in all_cases if case.loaded)
    not_loaded = summarise_arm(case for case in all_cases if not case.loaded)
    low, high = compute_newcombe_interval(loaded.solved, loaded.n, not_loaded.solved, not_loaded.n)
    difference = loaded.solved / loaded.n - not_loaded.solved / not_loaded.n if loaded.n and not_loaded.n else None
    repairs, regressions = _count_changes(all_cases)
    return Comparison(
        loaded, not_loaded, difference, low, high, _judge(loaded, not_loaded, low, high), repairs, regressions
    )


def summarise_arm(cases: Iterable[Case]) -> Arm:
    """Summarise one side. A session overcame its errors if all of its cases are solved, and took as long as its longest case."""
    sessions: dict[str, list[Case]] = {}
    for case in cases:
        sessions.setdefault(case.session, []).append(case)
    solved = [each for each in sessions.values() if all(case.solved for case in each)]
    steps = [max(case.steps for case in each) for each in solved]
    durations = [time for each in solved if (time := _find_max_duration(each)) is not None]
    low, high = compute_wilson_interval(len(solved), len(sessions))
    return Arm(len(sessions), len(solved), low, high, _compute_median(steps), _compute_median(durations))


def _compute_median(numbers: Iterable[int]) -> float | None:
    """Return the median, or None without numbers. Importing `statistics` for this would take too long."""
    values = sorted(numbers)
    middle = len(values) // 2
    if not values:
        return None
    return float(values[middle]) if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def _find_max_duration(cases: Sequence[Case]) -> int | None:
    durations = [case.duration_ms for case in cases if case.duration_ms is not None]
    return max(durations) if len(durations) == len(cases) else None


def _judge(loaded: Arm, not_loaded: Arm, low: float, high: float) -> Verdict:
    if min(loaded.n, not_loaded.n) < MIN_SESSIONS:
        return "not_enough_data"
    if low > 0:
        return "better"
    return "worse" if high < 0 else "no_difference"


def _count_changes(cases: Iterable[Case]) -> tuple[int, int]:
    """Count repairs and regressions among the signatures that occur on both sides."""
    sides: dict[str, tuple[list[bool], list[bool]]] = {}
    for case in cases:
        sides.setdefault(case.signature, ([], []))[0 if case.loaded else 1].append(case.solved)
    both = [
        (_is_mostly_solved(with_skill), _is_mostly_solved(without))
        for with_skill, without in sides.values()
        if with_skill and without
    ]
    return both.count((True, False)), both.count((False, True))


def _is_mostly_solved(solved: Sequence[bool]) -> bool:
    return 2 * sum(solved) >= len(solved)
