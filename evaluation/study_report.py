"""The JSON that `study` and `fit` print, as models. Rates are fractions of one, rounded to three digits."""

from __future__ import annotations

from typing import Literal

from mind_skills.evaluation.report import BeliefReport, FiguresReport, RulesReport
from mind_skills.output.document import Report


class PointReport(Report):
    """All candidates from the best down to where this share of the learnings is found."""

    recall: float
    precision: float
    useful: float
    candidates: int
    noisy: int


class CurveReport(Report):
    """Precision at each recall that is reached; ``average`` is its mean over recalls up to the last."""

    points: list[PointReport]
    average: float


class DesignReport(Report):
    """One way to score proposals, or one group of features switched off."""

    name: str
    says: str
    curve: CurveReport


class LearningReport(Report):
    """Fits that see this share of the owners."""

    share: float
    curve: CurveReport


class TierReport(Report):
    """Candidates of one tier and those above it. ``begins`` is the range of probabilities at which it began over the folds."""

    name: str
    begins: list[float]
    figures: FiguresReport


class PartReport(Report):
    """The sessions of one format, or all but those of one owner."""

    name: str
    sessions: int
    learnings: int
    silent_sessions: int
    tiers: list[TierReport]


class KindReport(Report):
    """The labelled learnings of one kind: how many any proposal lies on, and how many were found."""

    kind: str
    learnings: int
    proposed: int
    found: int


class PatternReport(Report):
    """What one pattern proposes. ``alone`` counts the learnings on which no other pattern proposes anything.

    ``chosen`` counts its proposals in both tiers out of fold, ``hits`` those of them that lie on a learning.
    """

    pattern: str
    proposals: int
    precision: float
    learnings: int
    alone: int
    chosen: int
    hits: int


class StudyReport(Report):
    """The whole answer of `study --json`."""

    version: Literal[1] = 1
    weights: str
    """The digest of what a fit to all of these sessions writes: the sha256 of weights.json, if that is theirs."""
    sessions: int
    owners: int
    learnings: int
    silent_sessions: int
    per_session: int
    targets: dict[str, float]
    """The precision that a tier is to reach: where it begins is the smallest probability at which it did, inside a fold."""
    proposals: int
    proposed: int
    """Learnings that any proposal lies on."""
    whole: PartReport
    without_largest: PartReport
    formats: list[PartReport]
    probable: FiguresReport
    """Candidates that are probable enough to be high, whether or not they quote what strangers or tools wrote."""
    belief: BeliefReport
    """Of the candidates of both tiers."""
    random: float
    """The strict precision of as many proposals as both tiers have, drawn at random."""
    designs: list[DesignReport]
    ablation: list[DesignReport]
    learning: list[LearningReport]
    kinds: list[KindReport]
    patterns: list[PatternReport]
    problems: list[str]


class FitReport(Report):
    """The whole answer of `fit --json`."""

    version: Literal[1] = 1
    path: str
    changed: bool
    """Whether the file is another one than before."""
    sessions: int
    owners: int
    learnings: int
    features: int
    used: int
    """Features whose weight is not 0."""
    tiers: dict[str, float]
    """The probability at which each begins."""
    outside: CurveReport
    """What is reached on each owner's sessions by weights of the others: no calibration and no tier has a part in it."""
    problems: list[str]


class RuleStudyReport(Report):
    """The whole answer of `rules --json`; ``path`` and ``changed`` are null where nothing was to be written."""

    version: Literal[1] = 1
    sessions: int
    """Those whose corrections were labelled."""
    owners: int
    sentences: int
    corrections: int
    told: RulesReport
    """What those are told who want rules: from a probability on that had a precision of 0.55 inside the folds."""
    asked: RulesReport
    """From a probability on that had a precision of 0.75 inside the folds."""
    asked_all: RulesReport
    """The same, if rules were told that the agent wrote into the project's own file of instructions at once."""
    path: str | None = None
    changed: bool | None = None
    problems: list[str]
