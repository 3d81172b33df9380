"""Rates and intervals, computed from the verdicts on single candidates."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mind_skills.evaluation.calibration import Guess, measure_calibration
from mind_skills.evaluation.judging import Judged, Level, SessionScore
from mind_skills.evaluation.report import (
    BeliefReport,
    BinReport,
    FiguresReport,
    LevelReport,
    RateReport,
    RulesReport,
)

BOOTSTRAP_SAMPLES = 2_000
"""More samples change the bounds by less than 0.01."""
SEED = 0
"""Fixed, so that the same candidates give the same interval."""
TAIL_SHARE = 0.025


class Count(NamedTuple):
    """Hits and tries from one source of sessions."""

    hits: int
    tries: int


def build_rate(counts: Sequence[Count]) -> RateReport:
    """Return the pooled rate and its interval. Sources are drawn whole, since sessions of one repository are similar."""
    hits, tries = sum(count.hits for count in counts), sum(count.tries for count in counts)
    low, high = compute_bootstrap_interval(counts)
    return RateReport(hits=hits, tries=tries, rate=round(hits / max(1, tries), 3), low=low, high=high)


def compute_bootstrap_interval(counts: Sequence[Count]) -> tuple[float, float]:
    """Return the bounds of 95 % of the bootstrap samples, rounded to two digits. Both are 0 without sources."""
    if not counts:
        return 0.0, 0.0
    rng, size, rates = random.Random(SEED), len(counts), list[float]()
    for _ in range(BOOTSTRAP_SAMPLES):
        hits = tries = 0
        for _ in range(size):
            count = counts[rng.randrange(size)]
            hits += count.hits
            tries += count.tries
        rates.append(hits / max(1, tries))
    rates.sort()
    return round(rates[int(BOOTSTRAP_SAMPLES * TAIL_SHARE)], 2), round(
        rates[int(BOOTSTRAP_SAMPLES * (1 - TAIL_SHARE))], 2
    )


def count_precision(scores: Sequence[SessionScore], level: Level) -> list[Count]:
    """Count, per source of replayed sessions, the hits and the candidates that are not neutral."""
    return _count_hits(scores, lambda each: bool(each.list_hits(level)))


def count_recall(scores: Sequence[SessionScore], level: Level) -> list[Count]:
    """Count, per source, the learnings found and all learnings."""
    return _sum_by_source(
        scores,
        lambda score: Count(len({i for each in _drop_neutral(score) for i in each.list_hits(level)}), score.learnings),
    )


def build_figures(name: str, scores: Sequence[SessionScore]) -> FiguresReport:
    judged = [each for score in scores for each in score.judged]
    counted = [each for score in scores for each in _drop_neutral(score)]
    placed = [each for each in counted if each.is_placed]
    return FiguresReport(
        name=name,
        candidates=len(counted),
        neutral=sum(each.is_neutral for each in judged),
        unplaced=sum(not each.is_placed for each in judged),
        repeats=sum(each.is_repeat for each in counted),
        on_borderline=sum(each.is_on_borderline for each in counted),
        chance=_round_mean([each.chance for each in placed]),
        useful_chance=_round_mean([each.useful_chance for each in placed]),
        noisy=len(list_noisy_sessions(scores)),
        noisy_outside_borderline=sum(
            score.is_silent and not all(each.is_in_borderline_range for each in score.judged) for score in scores
        ),
        strict=_build_level(scores, "strict"),
        named=_build_level(scores, "named"),
        told=_build_level(scores, "told"),
        lenient=_build_level(scores, "lenient"),
        useful=build_rate(_count_hits(scores, lambda each: bool(each.list_hits("strict")) or each.is_on_borderline)),
    )


def build_belief(scores: Sequence[SessionScore]) -> BeliefReport:
    """Measure how reliable the probabilities of the candidates are."""
    calibration = measure_calibration(
        [Guess(each.probability, bool(each.list_hits("strict"))) for score in scores for each in _drop_neutral(score)]
    )
    bins = [
        BinReport(candidates=count, said=round(mean, 3), seen=round(share, 3))
        for count, mean, share in calibration.bins
    ]
    return BeliefReport(
        bins=bins,
        error=round(calibration.error, 3),
        by_chance=round(calibration.by_chance, 3),
        brier=round(calibration.brier, 4),
        base=round(calibration.base, 4),
    )


def build_rules(scores: Sequence[SessionScore]) -> RulesReport:
    """Compute the rates of user_rule candidates, in sessions with labelled corrections."""
    precision = _sum_by_source(scores, lambda score: Count(sum(score.rules), len(score.rules)))
    recall = _sum_by_source(scores, lambda score: Count(sum(score.rules), score.correction_count))
    return RulesReport(precision=build_rate(precision), recall=build_rate(recall))


def list_noisy_sessions(scores: Sequence[SessionScore]) -> list[str]:
    return [score.name for score in scores if score.is_silent and score.judged]


def _drop_neutral(score: SessionScore) -> list[Judged]:
    return [each for each in score.judged if not each.is_neutral]


def _count_hits(scores: Sequence[SessionScore], is_hit: Callable[[Judged], bool]) -> list[Count]:
    replayed = [score for score in scores if not score.is_missing]
    return _sum_by_source(
        replayed, lambda score: Count(sum(map(is_hit, _drop_neutral(score))), len(_drop_neutral(score)))
    )


def _sum_by_source(scores: Sequence[SessionScore], count_session: Callable[[SessionScore], Count]) -> list[Count]:
    """Sum the counts by source, in order of first occurrence."""
    totals: dict[str, Count] = {}
    for score in scores:
        total, added = totals.get(score.source, Count(0, 0)), count_session(score)
        totals[score.source] = Count(total.hits + added.hits, total.tries + added.tries)
    return list(totals.values())


def _round_mean(shares: Sequence[float]) -> float:
    return round(sum(shares) / max(1, len(shares)), 3)


def _build_level(scores: Sequence[SessionScore], level: Level) -> LevelReport:
    return LevelReport(
        precision=build_rate(count_precision(scores, level)), recall=build_rate(count_recall(scores, level))
    )
