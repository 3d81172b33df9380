"""What a user's decisions make of the scorer's probability: a handful of numbers a project, not a new fit. Pure.

The log odds that this user keeps a candidate are taken to be those of the scorer, plus an offset, plus for each group of
features a coefficient times what the deciding features of that group added. Offset and coefficients are those that are most
likely after the decisions of the project, where each was expected to be nothing (a Gaussian prior of the deviations below);
they are found by Newton steps on a function that has one lowest point. The offset is lowered as far as those that were
decided about would be raised on average: they were told already, and that they were kept says nothing of what was not told. So an
acceptance lowers what is unlike the accepted while it raises the like; without that, more is told, and worse
(docs/learning.md has the figures).
The shift never exceeds ``BOUND``, so that no user's decisions silence, or raise, what the scorer is sure of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

BOUND = 1.5
"""Log odds: .5 becomes .18 or .82 at the most, .9 becomes .67 or .98."""
OFFSET, COEFFICIENT = 1.0, 1.0
"""Deviations of the prior. A coefficient of -1 means that a group counts nothing for this user, 1 that it counts double. Of .5, 1
and 2 for the coefficients 1 was taken by made-up users (docs/learning.md); the rest is judgement."""
IGNORED = 0.25
"""What a candidate that was told in vain counts, against one that was refused: it may have been the wrong moment."""
CONTRIBUTION = 3.0
"""Log odds that a feature, or a group of them, is believed to have added at the most."""
STEPS, ENOUGH = 50, 1e-10
_SURE = 1e-6
"""A probability nearer to 0 or 1 has no log odds that anybody could have measured."""

Deciding = Sequence[tuple[str, float]]
"""Names of features, with what each added to the log odds."""


class Decided(NamedTuple):
    """One decision: the scorer's probability of the candidate, what decided it, and whether the user kept it.

    ``weight`` is 1, or ``IGNORED`` for what was told in vain.
    """

    probability: float
    deciding: tuple[tuple[str, float], ...]
    kept: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Taste:
    """What was learned of a user in a project. ``groups`` names the group of each feature; ``coefficients`` are by group."""

    offset: float
    coefficients: Mapping[str, float]
    groups: Mapping[str, str]
    decisions: int = 0

    def parts(self, deciding: Deciding) -> list[tuple[str, float]]:
        """What shifts the log odds of a candidate, before it is bounded: by group, and the offset as an empty name."""
        if not self.decisions:
            return []
        by_group = _by_group(deciding, self.groups)
        return [
            ("", self.offset),
            *((name, self.coefficients.get(name, 0.0) * by_group[name]) for name in sorted(by_group)),
        ]

    def shift(self, deciding: Deciding) -> float:
        """By how much the log odds of a candidate change: at most ``BOUND`` either way."""
        return max(-BOUND, min(BOUND, math.fsum(value for _, value in self.parts(deciding))))

    def probability(self, probability: float, deciding: Deciding) -> float:
        """The scorer's ``probability`` as it stands with this user; the same to the bit where nothing was decided."""
        shift = self.shift(deciding)
        return probability if shift == 0.0 else _chance(_log_odds(probability) + shift)


NOBODYS = Taste(0.0, {}, {})
"""Of a user who has decided nothing."""


def learned(decisions: Iterable[Decided], groups: Mapping[str, str]) -> Taste:
    """The taste that these decisions speak for, whatever their order; ``groups`` names the group of each feature."""
    every = [each for each in decisions if each.weight > 0]
    if not every:
        return NOBODYS
    rows = [_by_group(each.deciding, groups) for each in every]
    names = sorted({name for row in rows for name in row})
    cases = [
        _Case((1.0, *(row.get(name, 0.0) for name in names)), _log_odds(each.probability), each.kept, each.weight)
        for row, each in zip(rows, every, strict=True)
    ]
    found = _most_likely(cases, [OFFSET] + [COEFFICIENT] * len(names))
    raised = math.fsum(each.weight * (each.at(found) - each.log_odds) for each in cases) / math.fsum(
        each.weight for each in cases
    )
    return Taste(found[0] - max(0.0, raised), dict(zip(names, found[1:], strict=True)), groups, len(every))


class _Case(NamedTuple):
    values: tuple[float, ...]
    log_odds: float
    kept: bool
    weight: float

    def at(self, numbers: Sequence[float]) -> float:
        return math.fsum((self.log_odds, *(value * number for value, number in zip(self.values, numbers, strict=True))))


def _most_likely(cases: Sequence[_Case], deviations: Sequence[float]) -> list[float]:
    """The numbers that maximise posterior likelihood. Sums are ``fsum``, which no order of the cases changes."""
    numbers = [0.0] * len(deviations)
    worth = _loss(cases, deviations, numbers)
    for _ in range(STEPS):
        step = _newton(cases, deviations, numbers)
        share, before = 1.0, worth
        while share > ENOUGH:  # a whole step may lead too far where the first guess is far away
            tried = [number - share * part for number, part in zip(numbers, step, strict=True)]
            now = _loss(cases, deviations, tried)
            if now <= worth:
                numbers, worth = tried, now
                break
            share /= 2
        if before - worth <= ENOUGH:
            break
    return numbers


def _loss(cases: Sequence[_Case], deviations: Sequence[float], numbers: Sequence[float]) -> float:
    prior = ((number / deviation) ** 2 / 2 for number, deviation in zip(numbers, deviations, strict=True))
    return math.fsum(
        (*prior, *(each.weight * _surprise(each.at(numbers) * (1 if each.kept else -1)) for each in cases))
    )


def _newton(cases: Sequence[_Case], deviations: Sequence[float], numbers: Sequence[float]) -> list[float]:
    """The inverse of the curvature times the slope."""
    chances = [_chance(each.at(numbers)) for each in cases]
    places = range(len(numbers))
    slope = [
        math.fsum(
            (
                numbers[i] / deviations[i] ** 2,
                *(each.weight * (p - each.kept) * each.values[i] for each, p in zip(cases, chances, strict=True)),
            )
        )
        for i in places
    ]
    curve = [
        [
            math.fsum(
                (
                    1 / deviations[i] ** 2 if i == j else 0.0,
                    *(
                        each.weight * p * (1 - p) * each.values[i] * each.values[j]
                        for each, p in zip(cases, chances, strict=True)
                    ),
                )
            )
            for j in places
        ]
        for i in places
    ]
    return _solved(curve, slope)


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """``x`` of ``matrix x = right``, by elimination; the prior makes the matrix positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        for j in range(i + 1, size):
            share = rows[j][i] / rows[i][i]
            rows[j] = [below - share * above for below, above in zip(rows[j], rows[i], strict=True)]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][size] - math.fsum(rows[i][j] * found[j] for j in range(i + 1, size))) / rows[i][i]
    return found


def _by_group(deciding: Deciding, groups: Mapping[str, str]) -> dict[str, float]:
    """What the features of each group added together, within what is believed; a feature of no group counts nowhere."""
    found: dict[str, list[float]] = {}
    for name, added in deciding:
        if name in groups:
            found.setdefault(groups[name], []).append(_believed(added))
    return {group: _believed(math.fsum(some)) for group, some in found.items()}


def _believed(added: float) -> float:
    return max(-CONTRIBUTION, min(CONTRIBUTION, added))


def _surprise(log_odds: float) -> float:
    """-log of the chance of what happened."""
    return math.log1p(math.exp(-abs(log_odds))) + max(0.0, -log_odds)


def _log_odds(probability: float) -> float:
    sure = max(_SURE, min(1 - _SURE, probability))
    return math.log(sure / (1 - sure))


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds)) if log_odds >= 0 else math.exp(log_odds) / (1 + math.exp(log_odds))
