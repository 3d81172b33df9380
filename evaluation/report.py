"""JSON reports of `score`, `fit`, `study` and `rules`. Rates are fractions of one; lines are 1-based."""

from __future__ import annotations

from typing import Literal

from mind_skills.evaluation.judging import Verdict
from mind_skills.output.document import Report


class RateReport(Report):
    """``hits`` of ``tries``. ``low`` and ``high`` bound 95 % of 2,000 bootstrap samples of whole sources; in a study, of owners."""

    hits: int
    tries: int
    rate: float
    low: float
    high: float


class LevelReport(Report):
    """Precision counts candidates, recall counts labelled learnings."""

    precision: RateReport
    recall: RateReport


class FiguresReport(Report):
    """Quality of all candidates, or of the candidates of one kind, confidence, tier or minimum probability."""

    name: str
    """A kind, a confidence, or ``all``; in a study, a tier or ``probable``."""
    candidates: int
    """Candidates without the neutral ones."""
    neutral: int
    """Candidates that hit no learning and are inside a range that only one of two readers marked."""
    unplaced: int
    """Candidates without evidence; they count as wrong."""
    repeats: int
    """Candidates that hit only learnings that earlier candidates of their session hit; they count as wrong."""
    on_borderline: int
    """Candidates inside a borderline range that are not strict hits."""
    chance: float
    """Strict precision of spans of the same width at random positions in the same sessions."""
    useful_chance: float
    """Useful precision of the same random spans."""
    noisy: int
    """Silent sessions in which something was raised."""
    noisy_outside_borderline: int
    """Silent sessions in which something was raised that is inside no borderline range."""
    strict: LevelReport
    named: LevelReport
    told: LevelReport
    lenient: LevelReport
    useful: RateReport
    """Precision that counts strict hits and candidates on borderline ranges as hits."""


class RowReport(Report):
    """One candidate with its verdict. Lines are 0 if it has no evidence."""

    session: str
    kind: str
    first: int
    last: int
    verdict: Verdict
    told: bool
    """Whether the candidate is a hit whose offer contains a key phrase of the learning."""
    confidence: str
    probability: float
    title: str


class MissedReport(Report):
    """A labelled learning that no candidate hit."""

    session: str
    first: int
    last: int
    title: str


class BinReport(Report):
    """Candidates of similar probability: ``said`` is their mean probability, ``seen`` the share of hits."""

    candidates: int
    said: float
    seen: float


class BeliefReport(Report):
    """Reliability of the probabilities. ``error`` is the mean absolute difference between ``said`` and ``seen``, over ten equal bins.

    ``by_chance`` is the error to be expected if the probabilities were exact. ``brier`` is the mean squared error; ``base``
    is the same error if the overall share of hits is predicted for every candidate.
    """

    bins: list[BinReport]
    error: float
    by_chance: float
    brier: float
    base: float


class RulesReport(Report):
    """Rates of user_rule candidates, compared with the labelled corrections."""

    precision: RateReport
    recall: RateReport


class EvalReport(Report):
    """Output of `score --json`. A field that an option adds is null without that option."""

    version: Literal[1] = 1
    labels: str
    corpus: str
    sessions: int
    """Labelled sessions that were replayed."""
    missing: list[str]
    """Labelled sessions that were not found or not readable; their learnings count as not found."""
    learnings: int
    silent_sessions: int
    noisy_sessions: list[str]
    over_cap: int
    """Sessions with more than five candidates."""
    all: FiguresReport
    confidences: list[FiguresReport]
    kinds: list[FiguresReport]
    belief: BeliefReport
    rules: RulesReport | None
    """Null if no session has labelled corrections."""
    rows: list[RowReport] | None = None
    missed: list[MissedReport] | None = None
    problems: list[str]


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


class OutcomeReport(Report):
    """The sessions to which a reader gave one outcome, by the outcome that the product determines."""

    outcome: str
    succeeded: int
    failed: int
    unknown: int


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
    untainted: FiguresReport
    """Candidates of high and medium confidence that neither follow untrusted text nor repeat tool output."""
    tainted: FiguresReport
    """The other candidates of high and medium confidence."""
    belief: BeliefReport
    """About the candidates of high and medium confidence."""
    random: float
    """Strict precision of as many random proposals as there are candidates of high and medium confidence."""
    designs: list[DesignReport]
    ablation: list[DesignReport]
    learning: list[LearningReport]
    kinds: list[KindReport]
    patterns: list[PatternReport]
    outcomes: list[OutcomeReport]
    """By the readers' outcome, the most frequent first. Sessions without one are left out."""
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
