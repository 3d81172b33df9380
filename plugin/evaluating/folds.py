"""Thresholds chosen on all sources but one and scored on that one: what a fit to the sessions at hand is worth elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class Fold(NamedTuple):
    """One source left out: which sessions are its own, by their place, and what was chosen on the others."""

    source: str
    inside: list[int]
    outside: list[int]
    chosen: dict[str, int]

    @property
    def together(self) -> Variant:
        """All thresholds at what was chosen for each."""
        values = ((name, value) for name, value in self.chosen.items() if value != getattr(thresholds, name))
        return Variant(values=tuple(values))


def folds(scores: Scores, sources: Sequence[str]) -> list[Fold]:
    """One fold a source, by name. ``sources`` says where each session is from, in the order of the scores."""
    made: list[Fold] = []
    for source in sorted(set(sources)):
        inside = [at for at, name in enumerate(sources) if name == source]
        outside = [at for at, name in enumerate(sources) if name != source]
        made.append(Fold(source, inside, outside, {name: _best(scores, name, outside) for name in NAMES}))
    return made


def _best(scores: Scores, name: str, outside: Sequence[int]) -> int:
    """The value with the best F1 of strict hits; of several that are best the middle one, whichever is in use."""
    values = {value: f1(_at(scores[variant(name, value)], outside)) for value in grid(name)}
    best = [value for value in values if values[value] == max(values.values())]
    return best[(len(best) - 1) // 2]


def report(scores: Scores, together: Scores, made: Sequence[Fold]) -> FoldsReport:
    """The whole table. ``together`` holds for each fold the scores of its ``together`` variant, at least of its own sessions."""
    whole = scores[AS_IT_IS]
    return FoldsReport(
        thresholds=[_threshold(scores, name, made) for name in NAMES],
        together=brief([score for fold in made for score in _at(together[fold.together], fold.inside)]),
        sources=[
            SourceReport(
                source=fold.source,
                sessions=len(fold.inside),
                learnings=sum(score.learnings for score in _at(whole, fold.inside)),
                alone=brief(_at(whole, fold.inside)),
                without=brief(_at(whole, fold.outside)),
                left_out=brief(_at(together[fold.together], fold.inside)),
            )
            for fold in made
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
