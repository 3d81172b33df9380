"""JSON reports of `fit`, `study` and `rules`. Rates are fractions of one."""

from __future__ import annotations

from typing import Literal

from mind_skills.evaluation.report import BeliefReport, FiguresReport, RulesReport
from mind_skills.output.document import Report


class PointReport(Report):
    """The best candidates, as few as are needed to find this share of the learnings."""

    recall: float
    precision: float
    useful: float
    candidates: int
    noisy: int


class CurveReport(Report):
    """Precision at each recall that is reached. ``average`` is the mean precision over all recalls up to the last one of a curve.

    Where recall is not reached, precision counts as 0 in the average.
    """

    points: list[PointReport]
    average: float


class DesignReport(Report):
    """Results of one way to score proposals, or of the design without one group of features."""

    name: str
    says: str
    curve: CurveReport


class LearningReport(Report):
    """Results of fits to this share of the other owners."""

    share: float
    curve: CurveReport


class TierReport(Report):
    """Candidates of a tier and of the tiers above it. ``begins`` is the range of the tier's thresholds over the folds."""

    name: str
    begins: list[float]
    figures: FiguresReport


class PartReport(Report):
    """Results of all sessions, of the sessions of one format, or of all owners but one."""

    name: str
    sessions: int
    learnings: int
    silent_sessions: int
    tiers: list[TierReport]


class KindReport(Report):
    """Labelled learnings of one kind: how many have a proposal, and how many were found."""

    kind: str
    learnings: int
    proposed: int
    found: int


class PatternReport(Report):
    """Results of one pattern. ``alone`` counts the learnings on which no other pattern proposes anything.

    ``chosen`` counts its proposals that are chosen out of fold and reach medium; ``hits`` counts how many of these are on a learning.
    """

    pattern: str
    proposals: int
    precision: float
    learnings: int
    alone: int
    chosen: int
    hits: int


class StudyReport(Report):
    """Output of `study --json`."""

    version: Literal[1] = 1
    weights: str
    """SHA-256 of the file that `fit` writes for these sessions, and of weights.json if that file was fitted to them."""
    sessions: int
    owners: int
    learnings: int
    silent_sessions: int
    per_session: int
    targets: dict[str, float]
    """Target precision of each tier. The threshold of a tier is the smallest probability that reached its target inside a fold."""
    proposals: int
    proposed: int
    """Learnings with at least one proposal."""
    whole: PartReport
    without_largest: PartReport
    formats: list[PartReport]
    probable: FiguresReport
    """Candidates probable enough for high, whether or not they quote untrusted text or tool output."""
    belief: BeliefReport
    """About the candidates of high and medium confidence."""
    random: float
    """Strict precision of as many random proposals as there are candidates of high and medium confidence."""
    designs: list[DesignReport]
    ablation: list[DesignReport]
    learning: list[LearningReport]
    kinds: list[KindReport]
    patterns: list[PatternReport]
    problems: list[str]


class FitReport(Report):
    """Output of `fit --json`."""

    version: Literal[1] = 1
    path: str
    changed: bool
    """Whether the file differs from before."""
    sessions: int
    owners: int
    learnings: int
    features: int
    used: int
    """Features with a weight other than 0."""
    tiers: dict[str, float]
    """Minimum probability of each tier."""
    outside: CurveReport
    """Result on each owner's sessions with weights fitted to the others, independent of calibration and tiers."""
    problems: list[str]


class RuleStudyReport(Report):
    """Output of `rules --json`. ``path`` and ``changed`` are null without --out."""

    version: Literal[1] = 1
    sessions: int
    """Sessions with labelled corrections."""
    owners: int
    sentences: int
    corrections: int
    told: RulesReport
    """Rules offered to users who opted in: those at or above the threshold that reaches a precision of 0.55 inside the folds."""
    asked: RulesReport
    """Rules at or above the threshold that reaches a precision of 0.75 inside the folds."""
    asked_all: RulesReport
    """Like ``asked``, including rules that the agent wrote at once to the project's own instruction file."""
    path: str | None = None
    changed: bool | None = None
    problems: list[str]
