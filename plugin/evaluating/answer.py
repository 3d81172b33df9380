"""The whole of `eval`: labels and sessions in, the report out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from mind_skills.detectors.registry import DETECTORS
from mind_skills.plugin.evaluating import ablation, folds
from mind_skills.plugin.evaluating.corpus import locate, sources
from mind_skills.plugin.evaluating.figures import figures, noisy
from mind_skills.plugin.evaluating.judging import SessionScore
from mind_skills.plugin.evaluating.labels import Label, load
from mind_skills.plugin.evaluating.report import EvalReport, FoldsReport, MissedReport, RowReport
from mind_skills.plugin.evaluating.running import Replays, run
from mind_skills.plugin.evaluating.variants import AS_IT_IS, Variant
from mind_skills.plugin.output import path_text
from mind_skills.plugin.sources import Log
from mind_skills.staging.model import PER_SESSION

Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Given what is done and in how many steps: a context whose value is called after each."""


class Wanted(NamedTuple):
    """What is asked for. ``jobs`` sessions are replayed at a time."""

    labels: Path
    corpus: Path
    jobs: int
    rows: bool = False
    ablation: bool = False
    folds: bool = False


def evaluate(wanted: Wanted, progress: Progress) -> EvalReport:
    """Measure. Raises MindSkillsError where the labels, the sessions or (for folds) their sources are not there."""
    labels = load(wanted.labels)
    corpus = locate(wanted.corpus, labels.labels)
    near = (wanted.labels.parent, wanted.corpus, wanted.corpus.parent)
    origins = sources(labels.labels, near) if wanted.folds else {}
    variants = [AS_IT_IS, *(ablation.VARIANTS if wanted.ablation else ()), *(folds.VARIANTS if wanted.folds else ())]
    with progress("Replaying", len(corpus.logs)) as advance:
        done = run(labels.labels, corpus.logs, list(dict.fromkeys(variants)), wanted.jobs, advance)
    report = _report(wanted, labels.labels, done.scores[AS_IT_IS])
    report.problems = [*labels.problems, *corpus.problems, *done.problems]
    if wanted.rows:
        report.rows = _rows(done.scores[AS_IT_IS])
        report.missed = _missed(labels.labels, done.scores[AS_IT_IS])
    if wanted.ablation:
        report.ablation = ablation.table(done.scores)
    if wanted.folds:
        report.folds = _folds(wanted, labels.labels, corpus.logs, done, origins, progress)
    return report


def _report(wanted: Wanted, labels: Sequence[Label], scores: Sequence[SessionScore]) -> EvalReport:
    there = [score for score in scores if not score.missing]
    return EvalReport(
        labels=path_text(str(wanted.labels)),
        corpus=path_text(str(wanted.corpus)),
        sessions=len(there),
        missing=[path_text(score.name) for score in scores if score.missing],
        learnings=sum(len(label.learnings) for label in labels),
        silent_sessions=sum(score.silent for score in there),
        noisy_sessions=noisy(scores),
        over_cap=sum(len(score.judged) > PER_SESSION for score in scores),
        all=figures("all", scores),
        detectors=[figures(kind, [score.of_kind(kind) for score in scores]) for kind, _ in DETECTORS],
        problems=[],
    )


def _rows(scores: Sequence[SessionScore]) -> list[RowReport]:
    return [
        RowReport(
            session=score.name,
            kind=each.kind,
            first=each.first,
            last=each.last,
            verdict=each.verdict,
            title=each.title,
        )
        for score in scores
        for each in score.judged
    ]


def _missed(labels: Sequence[Label], scores: Sequence[SessionScore]) -> list[MissedReport]:
    missed: list[MissedReport] = []
    for label, score in zip(labels, scores, strict=True):
        found = {index for each in score.judged for index in each.found["strict"]}
        missed += [
            MissedReport(session=label.name, first=each.start_line, last=each.end_line, title=each.title)
            for index, each in enumerate(label.learnings)
            if index not in found
        ]
    return missed


def _folds(
    wanted: Wanted,
    labels: Sequence[Label],
    logs: dict[str, Log],
    done: Replays,
    origins: dict[str, str],
    progress: Progress,
) -> FoldsReport:
    made = folds.folds(done.scores, [origins[label.name] for label in labels])

    def replay(variants: Sequence[Variant]) -> folds.Scores:
        with progress("Choosing together", len(logs)) as advance:
            return run(labels, logs, variants, wanted.jobs, advance).scores

    return folds.report(done.scores, folds.together(done.scores, made, replay), made)
