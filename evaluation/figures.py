"""From the verdicts on single candidates to rates with their intervals."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mind_skills.evaluation.calibration import Guess, belief
from mind_skills.evaluation.judging import Judged, Level, SessionScore
from mind_skills.evaluation.report import (
    BeliefReport,
    BinReport,
    FiguresReport,
    LevelReport,
    RateReport,
    RulesReport,
)

ROUNDS = 2_000
"""Bootstrap samples: the bounds move by less than a hundredth with more."""
SEED = 0
"""Always the same samples, so that the same candidates give the same interval."""
TAIL = 0.025


class Part(NamedTuple):
    """What one source of sessions adds to a rate."""

    hits: int
    tries: int


def rate(parts: Sequence[Part]) -> RateReport:
    """The rate over sources, and its interval: sources are drawn whole, since sessions of one repository are alike."""
    hits, tries = sum(part.hits for part in parts), sum(part.tries for part in parts)
    low, high = interval(parts)
    return RateReport(hits=hits, tries=tries, rate=round(hits / max(1, tries), 3), low=low, high=high)


def interval(parts: Sequence[Part]) -> tuple[float, float]:
    """The bounds of 95 % of the bootstrap samples, to two digits; both 0 without sources."""
    if not parts:
        return 0.0, 0.0
    dice, count, drawn = random.Random(SEED), len(parts), list[float]()
    for _ in range(ROUNDS):
        hits = tries = 0
        for _ in range(count):
            part = parts[dice.randrange(count)]
            hits += part.hits
            tries += part.tries
        drawn.append(hits / max(1, tries))
    drawn.sort()
    return round(drawn[int(ROUNDS * TAIL)], 2), round(drawn[int(ROUNDS * (1 - TAIL))], 2)


def precision_parts(scores: Sequence[SessionScore], level: Level) -> list[Part]:
    """Of each source with replayed sessions: the candidates that hit, and those that count."""
    return _precision_parts(scores, lambda each: bool(each.hits(level)))


def recall_parts(scores: Sequence[SessionScore], level: Level) -> list[Part]:
    """Of each source: the learnings that were found, and all."""
    return _by_source(
        scores, lambda score: Part(len({i for each in _counted(score) for i in each.hits(level)}), score.learnings)
    )


def figures(name: str, scores: Sequence[SessionScore]) -> FiguresReport:
    """All figures of these sessions."""
    judged = [each for score in scores for each in score.judged]
    counted = [each for score in scores for each in _counted(score)]
    placed = [each for each in counted if each.placed]
    return FiguresReport(
        name=name,
        candidates=len(counted),
        neutral=sum(each.neutral for each in judged),
        unplaced=sum(not each.placed for each in judged),
        repeats=sum(each.repeat for each in counted),
        on_borderline=sum(each.on_borderline for each in counted),
        chance=_mean([each.chance for each in placed]),
        useful_chance=_mean([each.useful_chance for each in placed]),
        noisy=len(noisy(scores)),
        strict=_level(scores, "strict"),
        named=_level(scores, "named"),
        told=_level(scores, "told"),
        lenient=_level(scores, "lenient"),
        useful=rate(_precision_parts(scores, lambda each: bool(each.hits("strict")) or each.on_borderline)),
    )


def belief_of(scores: Sequence[SessionScore]) -> BeliefReport:
    """How far the probabilities of the candidates that count hold."""
    found = belief([Guess(each.probability, bool(each.hits("strict"))) for score in scores for each in _counted(score)])
    bins = [BinReport(candidates=n, said=round(said, 3), seen=round(seen, 3)) for n, said, seen in found.bins]
    return BeliefReport(
        bins=bins,
        error=round(found.error, 3),
        by_chance=round(found.by_chance, 3),
        brier=round(found.brier, 4),
        base=round(found.base, 4),
    )


def rules(scores: Sequence[SessionScore]) -> RulesReport:
    """Candidates of kind user_rule, in the sessions whose corrections were labelled."""
    raised = _by_source(scores, lambda score: Part(sum(score.rules), len(score.rules)))
    wanted = _by_source(scores, lambda score: Part(sum(score.rules), score.rules_wanted))
    return RulesReport(precision=rate(raised), recall=rate(wanted))


def noisy(scores: Sequence[SessionScore]) -> list[str]:
    """The silent sessions in which something was raised."""
    return [score.name for score in scores if score.silent and score.judged]


def _counted(score: SessionScore) -> list[Judged]:
    return [each for each in score.judged if not each.neutral]


def _precision_parts(scores: Sequence[SessionScore], hit: Callable[[Judged], bool]) -> list[Part]:
    there = [score for score in scores if not score.missing]
    return _by_source(there, lambda score: Part(sum(map(hit, _counted(score))), len(_counted(score))))


def _by_source(scores: Sequence[SessionScore], part: Callable[[SessionScore], Part]) -> list[Part]:
    """One part a source, in the order in which they come first."""
    pooled: dict[str, Part] = {}
    for score in scores:
        before, more = pooled.get(score.source, Part(0, 0)), part(score)
        pooled[score.source] = Part(before.hits + more.hits, before.tries + more.tries)
    return list(pooled.values())


def _mean(shares: Sequence[float]) -> float:
    return round(sum(shares) / max(1, len(shares)), 3)


def _level(scores: Sequence[SessionScore], level: Level) -> LevelReport:
    return LevelReport(precision=rate(precision_parts(scores, level)), recall=rate(recall_parts(scores, level)))
