"""Adjusts the scorer's probability to a user's decisions, with a few parameters per project and an unchanged scorer.

The log odds that this user accepts a candidate are modelled as the scorer's log odds, plus an offset, plus for each group of
features a coefficient times the contribution of the group's deciding features. The offset and the coefficients maximise the
posterior given the project's decisions, with a Gaussian prior around zero (deviations below); the loss is convex, and Newton
steps minimise it. If the candidates that the user decided about rise on average, the offset is then lowered by that average:
they had been offered, so accepting them says nothing about candidates that had not. As a result, an acceptance raises similar
candidates and lowers others; without this step, more candidates are offered, and worse ones (figures in docs/learning.md).
The shift never exceeds ``MAX_SHIFT``, so decisions cannot suppress or promote a candidate about which the scorer is certain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mind_skills.store.light_dataclasses import dataclass

MAX_SHIFT = 1.5
"""Maximum change of the log odds: a probability of .5 can become .18 to .82, one of .9 can become .67 to .98."""
OFFSET_DEVIATION, COEFFICIENT_DEVIATION = 1.0, 1.0
"""Standard deviations of the prior. A coefficient of -1 means that a group has no effect for this user, 1 that its
effect doubles. The coefficients' deviation was chosen among .5, 1 and 2 with simulated users (docs/learning.md), the
offset's by judgement."""
IGNORED_WEIGHT = 0.25
"""Weight of a candidate that was offered and ignored, relative to a dismissed one: it may only have come at a bad moment."""
MAX_CONTRIBUTION = 3.0
"""Maximum contribution of a feature, or of a group of features, in either direction, in log odds."""
MAX_NEWTON_STEPS, TOLERANCE = 50, 1e-10
_MIN_PROBABILITY = 1e-6
"""Probabilities closer to 0 or 1 than this are clamped: such small differences cannot be measured."""

FeatureContributions = Sequence[tuple[str, float]]
"""Names of deciding features, with their contributions in log odds."""


class TasteDecision(NamedTuple):
    """One decision: the scorer's probability for a candidate, its deciding features, and whether it was accepted.

    ``weight`` is 1, or ``IGNORED_WEIGHT`` for a candidate that was offered and ignored.
    """

    probability: float
    deciding: tuple[tuple[str, float], ...]
    is_accepted: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Taste:
    """A user's preferences in a project. ``groups`` maps features to groups, ``coefficients`` maps groups to coefficients."""

    offset: float
    coefficients: Mapping[str, float]
    groups: Mapping[str, str]
    decision_count: int = 0

    def list_parts(self, deciding: FeatureContributions) -> list[tuple[str, float]]:
        """Return the parts of the shift before it is limited, in log odds: the offset (named "") and one per group."""
        if not self.decision_count:
            return []
        by_group = _sum_by_group(deciding, self.groups)
        return [
            ("", self.offset),
            *((name, self.coefficients.get(name, 0.0) * by_group[name]) for name in sorted(by_group)),
        ]

    def compute_shift(self, deciding: FeatureContributions) -> float:
        """Return the change of a candidate's log odds, at most ``MAX_SHIFT`` in either direction."""
        return max(-MAX_SHIFT, min(MAX_SHIFT, math.fsum(value for _, value in self.list_parts(deciding))))

    def adjust_probability(self, probability: float, deciding: FeatureContributions) -> float:
        """Adjust the scorer's ``probability``; without decisions, exactly the same number is returned."""
        shift = self.compute_shift(deciding)
        return probability if shift == 0.0 else _compute_probability(_compute_log_odds(probability) + shift)


NO_TASTE = Taste(0.0, {}, {})
"""The preferences of a user without decisions."""


def fit_taste(decisions: Iterable[TasteDecision], groups: Mapping[str, str]) -> Taste:
    """Fit a user's preferences to decisions, whose order does not matter; ``groups`` maps features to groups."""
    weighted = [decision for decision in decisions if decision.weight > 0]
    if not weighted:
        return NO_TASTE
    rows = [_sum_by_group(decision.deciding, groups) for decision in weighted]
    names = sorted({name for row in rows for name in row})
    cases = [
        _Case(
            (1.0, *(row.get(name, 0.0) for name in names)),
            _compute_log_odds(each.probability),
            each.is_accepted,
            each.weight,
        )
        for row, each in zip(rows, weighted, strict=True)
    ]
    parameters = _maximise_posterior(cases, [OFFSET_DEVIATION] + [COEFFICIENT_DEVIATION] * len(names))
    increases = (case.weight * (case.compute_log_odds(parameters) - case.log_odds) for case in cases)
    offset = parameters[0] - max(0.0, math.fsum(increases) / math.fsum(case.weight for case in cases))
    return Taste(offset, dict(zip(names, parameters[1:], strict=True)), groups, len(weighted))


class _Case(NamedTuple):
    values: tuple[float, ...]
    log_odds: float
    is_accepted: bool
    weight: float

    def compute_log_odds(self, parameters: Sequence[float]) -> float:
        products = (value * parameter for value, parameter in zip(self.values, parameters, strict=True))
        return math.fsum((self.log_odds, *products))


def _maximise_posterior(cases: Sequence[_Case], deviations: Sequence[float]) -> list[float]:
    """Return the parameters that maximise the posterior. Sums use ``fsum``, so the order of the cases does not matter."""
    parameters = [0.0] * len(deviations)
    loss = _compute_loss(cases, deviations, parameters)
    for _ in range(MAX_NEWTON_STEPS):
        step = _compute_newton_step(cases, deviations, parameters)
        step_fraction, previous_loss = 1.0, loss
        while step_fraction > TOLERANCE:  # far from the optimum, a full step may overshoot
            trial = [number - step_fraction * change for number, change in zip(parameters, step, strict=True)]
            trial_loss = _compute_loss(cases, deviations, trial)
            if trial_loss <= loss:
                parameters, loss = trial, trial_loss
                break
            step_fraction /= 2
        if previous_loss - loss <= TOLERANCE:
            break
    return parameters


def _compute_loss(cases: Sequence[_Case], deviations: Sequence[float], parameters: Sequence[float]) -> float:
    prior = ((number / deviation) ** 2 / 2 for number, deviation in zip(parameters, deviations, strict=True))
    losses = (
        case.weight * _compute_logistic_loss(case.compute_log_odds(parameters) * (1 if case.is_accepted else -1))
        for case in cases
    )
    return math.fsum((*prior, *losses))


def _compute_newton_step(
    cases: Sequence[_Case], deviations: Sequence[float], parameters: Sequence[float]
) -> list[float]:
    """Return the Newton step: the inverse of the curvature, multiplied by the slope."""
    indices = range(len(parameters))
    slope_terms = [[parameters[i] / deviations[i] ** 2] for i in indices]
    curvature_terms = [[[1 / deviations[i] ** 2 if i == j else 0.0] for j in indices] for i in indices]
    for case in cases:
        p = _compute_probability(case.compute_log_odds(parameters))
        for i in indices:
            slope_terms[i].append(case.weight * (p - case.is_accepted) * case.values[i])
            for j in indices:
                curvature_terms[i][j].append(case.weight * p * (1 - p) * case.values[i] * case.values[j])
    curvature = [[math.fsum(terms) for terms in row] for row in curvature_terms]
    return _solve(curvature, [math.fsum(terms) for terms in slope_terms])


def _solve(matrix: list[list[float]], right_side: Sequence[float]) -> list[float]:
    """Solve ``matrix x = right_side`` by elimination without pivoting: the prior makes the matrix positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right_side, strict=True)]
    size = len(rows)
    for i in range(size):
        for j in range(i + 1, size):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [below - factor * above for below, above in zip(rows[j], rows[i], strict=True)]
    solution = [0.0] * size
    for i in reversed(range(size)):
        solution[i] = (rows[i][size] - math.fsum(rows[i][j] * solution[j] for j in range(i + 1, size))) / rows[i][i]
    return solution


def _sum_by_group(deciding: FeatureContributions, groups: Mapping[str, str]) -> dict[str, float]:
    """Sum the clamped contributions of each group; features without a group are ignored."""
    contributions: dict[str, list[float]] = {}
    for name, contribution in deciding:
        if name in groups:
            contributions.setdefault(groups[name], []).append(_clamp_contribution(contribution))
    return {group: _clamp_contribution(math.fsum(values)) for group, values in contributions.items()}


def _clamp_contribution(contribution: float) -> float:
    return max(-MAX_CONTRIBUTION, min(MAX_CONTRIBUTION, contribution))


def _compute_logistic_loss(log_odds: float) -> float:
    """Return -log of the probability of a decision that has these log odds."""
    return math.log1p(math.exp(-abs(log_odds))) + max(0.0, -log_odds)


def _compute_log_odds(probability: float) -> float:
    clamped = max(_MIN_PROBABILITY, min(1 - _MIN_PROBABILITY, probability))
    return math.log(clamped / (1 - clamped))


def _compute_probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds)) if log_odds >= 0 else math.exp(log_odds) / (1 + math.exp(log_odds))
