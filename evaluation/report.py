"""JSON report of `score`. Rates are fractions of one; lines are 1-based."""

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
