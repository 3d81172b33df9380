"""The JSON that `eval` prints, as models. Rates are fractions of one, rounded to three digits; lines are 1-based."""

from __future__ import annotations

from typing import Literal

from mind_skills.evaluation.judging import Verdict
from mind_skills.output.document import Report


class RateReport(Report):
    """``hits`` of ``tries``; ``low`` and ``high`` bound 95 % of 2,000 bootstrap samples of whole sources,
    of a study of whole owners.
    """

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
    """How good all candidates are together, or those of one kind or confidence alone."""

    name: str
    """A kind, a confidence, or ``all``."""
    candidates: int
    """Those that count: without the neutral ones."""
    neutral: int
    """Candidates inside what only one of two readers marked."""
    unplaced: int
    """Candidates without evidence; they count as wrong."""
    repeats: int
    """Candidates that hit what earlier ones of their session hit; they count as wrong."""
    on_borderline: int
    """Candidates that are no strict hit, inside what a reader called borderline."""
    chance: float
    """The strict precision of spans as wide at random places of the same sessions."""
    useful_chance: float
    """The useful precision of such spans."""
    noisy: int
    """Silent sessions in which something was raised."""
    strict: LevelReport
    named: LevelReport
    told: LevelReport
    lenient: LevelReport
    useful: RateReport
    """The precision that counts strict hits and those on borderline."""


class RowReport(Report):
    """One candidate with its verdict. Lines are 0 where it has no evidence."""

    session: str
    kind: str
    first: int
    last: int
    verdict: Verdict
    told: bool
    """A hit whose offer holds a key phrase."""
    confidence: str
    probability: float
    title: str


class MissedReport(Report):
    """A labelled learning in which no candidate lies."""

    session: str
    first: int
    last: int
    title: str


class BinReport(Report):
    """Candidates of neighbouring probabilities: what was said of them on average, and the share that were hits."""

    candidates: int
    said: float
    seen: float


class BeliefReport(Report):
    """How far probabilities hold. ``error`` is the mean distance of said and seen over ten bins of equal count, ``by_chance`` what
    exact probabilities would be expected to have in so few candidates.

    ``brier`` is the mean square of each miss, ``base`` that of saying the share of all hits of each.
    """

    bins: list[BinReport]
    error: float
    by_chance: float
    brier: float
    base: float


class RulesReport(Report):
    """Candidates of kind user_rule by the corrections that were labelled."""

    precision: RateReport
    recall: RateReport


class EvalReport(Report):
    """The whole answer of `score --json`; what an option would have added is null without it."""

    version: Literal[1] = 1
    labels: str
    corpus: str
    sessions: int
    """Labelled sessions that were replayed."""
    missing: list[str]
    """Labelled sessions that were not found or not read; their learnings count as not found."""
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
    """Null where no label says what the user's lasting rules are."""
    rows: list[RowReport] | None = None
    missed: list[MissedReport] | None = None
    problems: list[str]
