"""The JSON that `eval` prints, as models. Rates are fractions of one, rounded to three digits; lines are 1-based."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.evaluating.judging import Verdict
from mind_skills.plugin.report import Report


class RateReport(Report):
    """``hits`` of ``tries``; ``low`` and ``high`` bound 95 % of 2,000 bootstrap samples of whole sources."""

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
    """How good all detectors are together, or one of them alone."""

    name: str
    """A detector, or ``all``."""
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
    title: str


class MissedReport(Report):
    """A labelled learning in which no candidate lies."""

    session: str
    first: int
    last: int
    title: str


class BriefReport(Report):
    """The figures of one variant, as far as variants are compared."""

    candidates: int
    noisy: int
    strict_precision: float
    strict_recall: float
    named_precision: float
    named_recall: float


class RuleReport(Report):
    """One rule switched off, alone. ``changed`` counts the sessions whose candidates are others then."""

    rule: str
    says: str
    instead: str
    """What stood in its place."""
    test: str
    """The test that fails without the rule, whatever the corpus says."""
    changed: int
    figures: BriefReport


class ChoiceReport(Report):
    """Of one source left out: the value that was best on all others."""

    source: str
    value: int


class TriedReport(Report):
    """A value of a threshold, and the F1 of strict hits on all labelled sessions with it."""

    value: int
    f1: float


class ThresholdReport(Report):
    """One threshold, chosen anew for each source on all the others; ``figures`` pools what was scored on those left out."""

    threshold: str
    value: int
    """The one in use."""
    tried: list[TriedReport]
    chosen: list[ChoiceReport]
    figures: BriefReport


class SourceReport(Report):
    """One source of sessions: alone, all but it, and it under thresholds that were chosen together on all others."""

    source: str
    sessions: int
    learnings: int
    alone: BriefReport
    without: BriefReport
    left_out: BriefReport


class FoldsReport(Report):
    """Thresholds chosen by leaving one source out at a time. ``together`` pools what was scored where they were chosen together."""

    thresholds: list[ThresholdReport]
    together: BriefReport
    sources: list[SourceReport]


class EvalReport(Report):
    """The whole answer of `mind-skills eval --json`; what an option would have added is null without it."""

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
    detectors: list[FiguresReport]
    rows: list[RowReport] | None = None
    missed: list[MissedReport] | None = None
    ablation: list[RuleReport] | None = None
    folds: FoldsReport | None = None
    problems: list[str]
