"""Other ways to give proposals a score, each fitted without one owner and scored on that owner's sessions."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from mind_skills.detectors.features import FEATURES
from mind_skills.evaluation.curves import curve
from mind_skills.evaluation.fitting import Array, Fitted, fit
from mind_skills.evaluation.folds import NOBODY, Chosen, Folds, guesses_of
from mind_skills.evaluation.study_report import CurveReport, DesignReport, LearningReport, PointReport

SIGNS = np.array([float(feature.sign) for feature in FEATURES])
GROUPS = tuple(dict.fromkeys(feature.group for feature in FEATURES))
SHARES = (0.25, 0.5, 0.75, 1.0)
"""Of the owners that a fit may see."""
DRAWS = 5
"""Draws of owners for each share but the whole, whose mean is shown."""
RANDOM = 20
"""Draws of the random choice, whose mean is shown."""
CURED = "red_to_green"
"""The pattern that proposes: a command failed, and after a change it passed."""


def out_of_fold(folds: Folds, fitted: Callable[[frozenset[str]], Fitted]) -> list[Chosen]:
    """What is chosen in each owner's sessions by a fit without that owner."""
    return [each for owner in folds.pool.names for each in folds.chosen(owner, fitted(frozenset({owner})).scores)]


def compared(folds: Folds, advance: Callable[[], None]) -> list[DesignReport]:
    """The designs, the one in use first."""
    made: list[DesignReport] = []

    def add(name: str, says: str, found: CurveReport) -> None:
        made.append(DesignReport(name=name, says=says, curve=found))
        advance()

    pool, everything = folds.pool, np.ones(len(SIGNS), dtype=np.bool_)
    add("signed logistic", "in use: signs fixed beforehand", curve(pool, out_of_fold(folds, folds.without)))
    any_sign = np.zeros(len(SIGNS))
    near = _fit(folds, NOBODY, any_sign, everything, None)
    free = out_of_fold(folds, partial(_fit, folds, signs=any_sign, kept=everything, near=near))
    add("free ridge", "the same features, signs left to the fit", curve(pool, free))
    equal = out_of_fold(folds, lambda left_out: folds.without(left_out)._replace(weights=SIGNS))
    add("signs alone", "every feature with weight 1 or -1", curve(pool, equal))
    add("failed, changed, passed", "each such episode, the shortest first", curve(pool, _cured(folds)))
    draws = [curve(pool, _random(folds, seed)) for seed in range(RANDOM)]
    add("random", f"any proposals, mean of {RANDOM} draws", average(draws))
    return made


def ablation(folds: Folds, advance: Callable[[], None]) -> list[DesignReport]:
    """Each group of features off, alone."""
    made: list[DesignReport] = []
    for group in GROUPS:
        kept = np.array([feature.group != group for feature in FEATURES])
        near = _fit(folds, NOBODY, SIGNS, kept, folds.without(NOBODY))
        chosen = out_of_fold(folds, partial(_fit, folds, signs=SIGNS, kept=kept, near=near))
        made.append(DesignReport(name=group, says=f"{int((~kept).sum())} off", curve=curve(folds.pool, chosen)))
        advance()
    return made


def learning_curve(folds: Folds, advance: Callable[[], None]) -> list[LearningReport]:
    """Fits that see a share of the other owners alone."""
    made: list[LearningReport] = []
    everything = np.ones(len(SIGNS), dtype=np.bool_)
    for share in SHARES:
        curves: list[CurveReport] = []
        for seed in range(DRAWS if share < 1 else 1):
            dice = random.Random(seed)

            def fitted(left_out: frozenset[str], dice: random.Random = dice, share: float = share) -> Fitted:
                others = [name for name in folds.pool.names if name not in left_out]
                unseen = frozenset(dice.sample(others, len(others) - max(1, round(share * len(others)))))
                near = folds.without(left_out)
                return _fit(folds, left_out | unseen, SIGNS, everything, near) if unseen else near

            curves.append(curve(folds.pool, out_of_fold(folds, fitted)))
            advance()
        made.append(LearningReport(share=share, curve=average(curves)))
    return made


def random_precision(folds: Folds, candidates: int) -> float:
    """The strict precision of so many proposals, drawn at random as ``compared`` draws them; of all where there are fewer."""
    shares: list[float] = []
    for seed in range(RANDOM):
        drawn = sorted(_random(folds, seed), key=lambda each: -each.value)[:candidates]
        guesses = guesses_of(folds.pool, sorted(drawn, key=lambda each: (each.session, -each.value)))
        shares.append(sum(guess.hit for guess in guesses) / max(1, len(guesses)))
    return round(mean(shares), 3)


def average(curves: list[CurveReport]) -> CurveReport:
    """The mean of several draws, at the points that all of them reach."""
    points = [
        PointReport(
            recall=same[0].recall,
            precision=round(mean(each.precision for each in same), 3),
            useful=round(mean(each.useful for each in same), 3),
            candidates=round(mean(each.candidates for each in same)),
            noisy=round(mean(each.noisy for each in same)),
        )
        for same in zip(*(each.points for each in curves), strict=False)
    ]
    return CurveReport(points=points, average=round(mean(each.average for each in curves), 3))


def _fit(folds: Folds, left_out: frozenset[str], signs: Array, kept: NDArray[np.bool_], near: Fitted | None) -> Fitted:
    pool, seen = folds.pool, folds.pool.seen_by(left_out)
    return fit(np.where(kept, pool.rows[seen], 0.0), pool.hits[seen], pool.counts[seen], signs, near)


def _cured(folds: Folds) -> list[Chosen]:
    pool, chosen = folds.pool, list[Chosen]()
    for at, (session, (begin, _)) in enumerate(zip(pool.sessions, pool.bounds, strict=True)):
        cured = [place for place, each in enumerate(session.proposals) if CURED in each.episode.patterns]
        short = np.full(len(session.proposals), -np.inf)
        for place in cured:
            short[place] = -float(session.proposals[place].judged.last - session.proposals[place].judged.first)
        if cured:
            places = [place for place in folds.choose(session, short) if place in cured]
            chosen += [Chosen(at, begin + place, float(short[place])) for place in places]
    return chosen


def _random(folds: Folds, seed: int) -> list[Chosen]:
    dice, pool = np.random.default_rng(seed), folds.pool
    chosen: list[Chosen] = []
    for at, (session, (begin, end)) in enumerate(zip(pool.sessions, pool.bounds, strict=True)):
        values = dice.random(end - begin)
        chosen += [Chosen(at, begin + place, float(values[place])) for place in folds.choose(session, values)]
    return chosen
