"""Alternative ways to score proposals. Those that need a fit are evaluated on owners that the fit has not seen."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from mind_skills.detectors.features import FEATURES
from mind_skills.evaluation.fitting import Array, Fitted, fit
from mind_skills.evaluation.folds import NO_OWNERS, Chosen, Folds, build_curve, build_guesses
from mind_skills.evaluation.report import CurveReport, DesignReport, LearningReport, PointReport

SIGNS = np.array([float(feature.sign) for feature in FEATURES])
GROUPS = tuple(dict.fromkeys(feature.group for feature in FEATURES))
OWNER_SHARES = (0.25, 0.5, 0.75, 1.0)
"""Shares of the other owners to which weights are fitted."""
OWNER_DRAWS = 5
"""Number of random draws of owners for each share below 1; the mean of their results is reported."""
RANDOM_DRAWS = 20
"""Number of random choices of proposals; the mean of their results is reported."""
FIXED_PATTERN = "red_to_green"
"""The pattern of a command that fails and later passes."""


def choose_out_of_fold(folds: Folds, fit_without: Callable[[frozenset[str]], Fitted]) -> list[Chosen]:
    """Choose candidates in each owner's sessions by a fit without that owner."""
    return [
        choice
        for owner in folds.pool.names
        for choice in folds.choose_for_owner(owner, fit_without(frozenset({owner})).compute_scores)
    ]


def compare_designs(folds: Folds, advance: Callable[[], None]) -> list[DesignReport]:
    """Compare the designs, the one in use first."""
    reports: list[DesignReport] = []

    def add(name: str, description: str, curve: CurveReport) -> None:
        reports.append(DesignReport(name=name, says=description, curve=curve))
        advance()

    pool, all_features = folds.pool, np.ones(len(SIGNS), dtype=np.bool_)
    add(
        "signed logistic",
        "in use: signs fixed beforehand",
        build_curve(pool, choose_out_of_fold(folds, folds.fit_without)),
    )
    any_sign = np.zeros(len(SIGNS))
    start = _fit_design(folds, NO_OWNERS, any_sign, all_features, None)
    choices = choose_out_of_fold(
        folds, partial(_fit_design, folds, signs=any_sign, is_included=all_features, start=start)
    )
    add("free ridge", "the same features, signs left to the fit", build_curve(pool, choices))
    equal = choose_out_of_fold(folds, lambda left_out: folds.fit_without(left_out)._replace(weights=SIGNS))
    add("signs alone", "every feature with weight 1 or -1", build_curve(pool, equal))
    add("failed, changed, passed", "each such episode, the shortest first", build_curve(pool, _choose_fixed(folds)))
    draws = [build_curve(pool, _choose_random(folds, seed)) for seed in range(RANDOM_DRAWS)]
    add("random", f"any proposals, mean of {RANDOM_DRAWS} draws", average_curves(draws))
    return reports


def ablate_groups(folds: Folds, advance: Callable[[], None]) -> list[DesignReport]:
    """Measure the design without one group of features, for each group."""
    reports: list[DesignReport] = []
    for group in GROUPS:
        is_included = np.array([feature.group != group for feature in FEATURES])
        start = _fit_design(folds, NO_OWNERS, SIGNS, is_included, folds.fit_without(NO_OWNERS))
        chosen = choose_out_of_fold(
            folds, partial(_fit_design, folds, signs=SIGNS, is_included=is_included, start=start)
        )
        count = int((~is_included).sum())
        description = f"{count} feature{'s' if count != 1 else ''} removed"
        reports.append(DesignReport(name=group, says=description, curve=build_curve(folds.pool, chosen)))
        advance()
    return reports


def build_learning_curve(folds: Folds, advance: Callable[[], None]) -> list[LearningReport]:
    """Measure the design with weights fitted to only a share of the other owners."""
    reports: list[LearningReport] = []
    all_features = np.ones(len(SIGNS), dtype=np.bool_)
    for share in OWNER_SHARES:
        curves: list[CurveReport] = []
        for seed in range(OWNER_DRAWS if share < 1 else 1):
            rng = random.Random(seed)

            def fit_to_share(left_out: frozenset[str], rng: random.Random = rng, share: float = share) -> Fitted:
                others = [name for name in folds.pool.names if name not in left_out]
                unseen = frozenset(rng.sample(others, len(others) - max(1, round(share * len(others)))))
                start = folds.fit_without(left_out)
                return _fit_design(folds, left_out | unseen, SIGNS, all_features, start) if unseen else start

            curves.append(build_curve(folds.pool, choose_out_of_fold(folds, fit_to_share)))
            advance()
        reports.append(LearningReport(share=share, curve=average_curves(curves)))
    return reports


def measure_random_precision(folds: Folds, candidates: int) -> float:
    """Return the mean strict precision of ``candidates`` proposals chosen at random, or of all chosen ones if there are fewer."""
    shares: list[float] = []
    for seed in range(RANDOM_DRAWS):
        draw = sorted(_choose_random(folds, seed), key=lambda choice: -choice.value)[:candidates]
        guesses = build_guesses(folds.pool, sorted(draw, key=lambda choice: (choice.session, -choice.value)))
        shares.append(sum(guess.hit for guess in guesses) / max(1, len(guesses)))
    return round(mean(shares), 3)


def average_curves(curves: list[CurveReport]) -> CurveReport:
    """Return the mean of several curves, at the points that all of them reach."""
    points = [
        PointReport(
            recall=points_at_recall[0].recall,
            precision=round(mean(point.precision for point in points_at_recall), 3),
            useful=round(mean(point.useful for point in points_at_recall), 3),
            candidates=round(mean(point.candidates for point in points_at_recall)),
            noisy=round(mean(point.noisy for point in points_at_recall)),
        )
        for points_at_recall in zip(*(curve.points for curve in curves), strict=False)
    ]
    return CurveReport(points=points, average=round(mean(curve.average for curve in curves), 3))


def _fit_design(
    folds: Folds, left_out: frozenset[str], signs: Array, is_included: NDArray[np.bool_], start: Fitted | None
) -> Fitted:
    pool, is_seen = folds.pool, folds.pool.mask_fitted_rows(left_out)
    return fit(
        np.where(is_included, pool.rows[is_seen], 0.0), pool.hits[is_seen], pool.row_weights[is_seen], signs, start
    )


def _choose_fixed(folds: Folds) -> list[Chosen]:
    pool, chosen = folds.pool, list[Chosen]()
    for session_index, (session, (begin, _)) in enumerate(zip(pool.sessions, pool.bounds, strict=True)):
        positions = [
            position
            for position, proposal in enumerate(session.proposals)
            if FIXED_PATTERN in proposal.episode.patterns
        ]
        values = np.full(len(session.proposals), -np.inf)
        for position in positions:
            values[position] = -float(
                session.proposals[position].judged.last - session.proposals[position].judged.first
            )
        if positions:
            chosen_positions = [position for position in folds.choose(session, values) if position in positions]
            chosen += [
                Chosen(session_index, begin + position, float(values[position])) for position in chosen_positions
            ]
    return chosen


def _choose_random(folds: Folds, seed: int) -> list[Chosen]:
    rng, pool = np.random.default_rng(seed), folds.pool
    chosen: list[Chosen] = []
    for session_index, (session, (begin, end)) in enumerate(zip(pool.sessions, pool.bounds, strict=True)):
        values = rng.random(end - begin)
        chosen += [
            Chosen(session_index, begin + position, float(values[position]))
            for position in folds.choose(session, values)
        ]
    return chosen
