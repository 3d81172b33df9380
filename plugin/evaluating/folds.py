"""Thresholds chosen on all sources but one and scored on that one: what a fit to the sessions at hand is worth elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mind_skills.detectors import thresholds
from mind_skills.plugin.evaluating.figures import brief, f1
from mind_skills.plugin.evaluating.judging import SessionScore
from mind_skills.plugin.evaluating.report import ChoiceReport, FoldsReport, SourceReport, ThresholdReport, TriedReport
from mind_skills.plugin.evaluating.variants import AS_IT_IS, Variant

NAMES = tuple(name for name in vars(thresholds) if name.isupper())
"""Every threshold, in the order of its module."""
FACTORS = (0.25, 0.5, 0.75, 1, 1.5, 2, 4)
"""What is tried for each, as multiples of the value in use: the same for all, so that no grid is made to measure."""


def grid(name: str) -> list[int]:
    """The values tried for a threshold, in order: whole numbers from 1 on."""
    used = int(getattr(thresholds, name))
    return sorted({max(1, round(used * factor)) for factor in FACTORS})


def variant(name: str, value: int) -> Variant:
    """A threshold at a value; nothing replaced where that is the one in use."""
    return AS_IT_IS if value == getattr(thresholds, name) else Variant(values=((name, value),))


VARIANTS = tuple(dict.fromkeys([AS_IT_IS, *(variant(name, value) for name in NAMES for value in grid(name))]))

Scores = Mapping[Variant, Sequence[SessionScore]]


Replay = Callable[[Sequence[Variant]], Scores]
"""Scores of variants that were not tried yet."""


class Fold(NamedTuple):
    """One source left out: which sessions are its own, by their place, and what was chosen on the others."""

    source: str
    inside: list[int]
    outside: list[int]
    chosen: dict[str, int]
    """Each threshold chosen alone."""


def folds(scores: Scores, sources: Sequence[str]) -> list[Fold]:
    """One fold a source, by name. ``sources`` says where each session is from, in the order of the scores."""
    made: list[Fold] = []
    for source in sorted(set(sources)):
        inside = [at for at, name in enumerate(sources) if name == source]
        outside = [at for at, name in enumerate(sources) if name != source]
        made.append(Fold(source, inside, outside, {name: _best(scores, name, outside) for name in NAMES}))
    return made


def together(scores: Scores, made: Sequence[Fold], replay: Replay) -> list[list[SessionScore]]:
    """Of each fold, the scores of all sessions under the thresholds that were chosen together on its other sources.

    Chosen as somebody would who tunes by hand: from the values in use on, the threshold that helps most alone is moved
    first, and each further one stays moved only where it helps beside those.
    """
    waiting = [_helpful(scores, fold) for fold in made]
    used = [Variant()] * len(made)
    held = [list(scores[AS_IT_IS])] * len(made)
    while any(waiting):
        moved = {at: Variant(values=(*used[at].values, names.pop(0))) for at, names in enumerate(waiting) if names}
        found = replay(list(dict.fromkeys(moved.values())))
        for at, variant in moved.items():
            if f1(_at(found[variant], made[at].outside)) > f1(_at(held[at], made[at].outside)):
                used[at], held[at] = variant, list(found[variant])
    return held


def _helpful(scores: Scores, fold: Fold) -> list[tuple[str, int]]:
    """The thresholds whose chosen value beats the one in use on the other sources, the one that helps most first."""
    gains = {(name, value): f1(_at(scores[variant(name, value)], fold.outside)) for name, value in fold.chosen.items()}
    whole = f1(_at(scores[AS_IT_IS], fold.outside))
    return sorted((move for move, gained in gains.items() if gained > whole), key=lambda move: -gains[move])


def _best(scores: Scores, name: str, outside: Sequence[int]) -> int:
    """The value with the best F1 of strict hits; of several that are best the middle one, whichever is in use."""
    values = {value: f1(_at(scores[variant(name, value)], outside)) for value in grid(name)}
    best = [value for value in values if values[value] == max(values.values())]
    return best[(len(best) - 1) // 2]


def report(scores: Scores, jointly: Sequence[Sequence[SessionScore]], made: Sequence[Fold]) -> FoldsReport:
    """The whole table. ``jointly`` is what ``together`` gave."""
    whole = scores[AS_IT_IS]
    left_out = [_at(found, fold.inside) for found, fold in zip(jointly, made, strict=True)]
    return FoldsReport(
        thresholds=[_threshold(scores, name, made) for name in NAMES],
        together=brief([score for found in left_out for score in found]),
        sources=[
            SourceReport(
                source=fold.source,
                sessions=len(fold.inside),
                learnings=sum(score.learnings for score in _at(whole, fold.inside)),
                alone=brief(_at(whole, fold.inside)),
                without=brief(_at(whole, fold.outside)),
                left_out=brief(found),
            )
            for fold, found in zip(made, left_out, strict=True)
        ],
    )


def _threshold(scores: Scores, name: str, made: Sequence[Fold]) -> ThresholdReport:
    pooled = [score for fold in made for score in _at(scores[variant(name, fold.chosen[name])], fold.inside)]
    return ThresholdReport(
        threshold=name,
        value=int(getattr(thresholds, name)),
        tried=[TriedReport(value=value, f1=round(f1(scores[variant(name, value)]), 3)) for value in grid(name)],
        chosen=[ChoiceReport(source=fold.source, value=fold.chosen[name]) for fold in made],
        figures=brief(pooled),
    )


def _at(scores: Sequence[SessionScore], places: Sequence[int]) -> list[SessionScore]:
    return [scores[place] for place in places]
