"""Thresholds chosen on all sources but one and scored on that one: what a fit to the sessions at hand is worth elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mind_skills.detectors import thresholds
from mind_skills.plugin.evaluating.figures import brief, f1
from mind_skills.plugin.evaluating.judging import SessionScore
from mind_skills.plugin.evaluating.report import ChoiceReport, FoldsReport, SourceReport, ThresholdReport, TriedReport
from mind_skills.plugin.evaluating.variants import AS_IT_IS, Variant

GRIDS: dict[str, tuple[int, ...]] = {
    "REACH": (40, 80, 150, 300, 600),
    "TRIES": (1, 2, 3, 4),
    "TITLE_CAUSE": (40, 70, 100),
    "NEAR": (10, 20, 30, 60, 120),
    "SPECIFIC_WORDS": (4, 8, 12, 20, 40),
    "VISITS": (2, 3, 5, 8, 12),
    "LOOKS": (2, 4, 8, 12, 20),
    "BEFORE": (2, 4, 6, 10, 20),
    "AFTER": (10, 20, 40, 80, 160),
    "RERUN": (10, 20, 40, 80, 160),
    "ANSWER": (10, 20, 40, 80, 160),
    "LAST_RED": (2, 4, 8, 16, 64),
    "STYLE_TEXT": (150, 300, 600, 1200, 4000),
    "NAME_LENGTH": (2, 4, 6, 8),
    "PASSAGE": (150, 250, 420, 600, 1000),
    "LOOK_BACK": (100, 200, 300, 600),
    "NARRATION": (300, 500, 700, 1000, 2000),
    "CONDITION": (40, 80, 120, 240),
    "REPORT_LINE": (100, 200, 300, 600),
    "SHORT_FOLLOW_UP": (10, 25, 50, 80),
    "FOLLOW_UP": (60, 120, 200, 400),
    "APPROVAL": (100, 200, 280, 500, 1000),
    "TELLING": (2, 3, 5, 8),
    "SENTENCE": (1, 2, 3, 4, 6),
    "WORD": (3, 4, 5, 6),
    "TOKENS_TEXT": (1000, 2000, 4000, 8000),
    "HOST_WORDS": (100, 200, 400, 800, 2000),
    "SCRATCH_COMMAND": (100, 200, 300, 600),
}
"""What is tried for each threshold: values around the one in use, which is always tried as well."""


def grid(name: str) -> list[int]:
    """The values tried for a threshold, in order, with the one in use among them."""
    return sorted({*GRIDS[name], int(getattr(thresholds, name))})


def variant(name: str, value: int) -> Variant:
    """A threshold at a value; nothing replaced where that is the one in use."""
    return AS_IT_IS if value == getattr(thresholds, name) else Variant(values=((name, value),))


VARIANTS = tuple(dict.fromkeys([AS_IT_IS, *(variant(name, value) for name in GRIDS for value in grid(name))]))

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
        made.append(Fold(source, inside, outside, {name: _best(scores, name, outside) for name in GRIDS}))
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
        thresholds=[_threshold(scores, name, made) for name in GRIDS],
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
