"""The whole of `score`: labels and sessions in, the report out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, get_args

from mind_skills.detectors.model import FindingKind
from mind_skills.evaluation import running
from mind_skills.evaluation.corpus import locate
from mind_skills.evaluation.figures import belief_of, figures, noisy, rules
from mind_skills.evaluation.judging import SessionScore
from mind_skills.evaluation.labels import Label, load
from mind_skills.evaluation.report import EvalReport, MissedReport, RowReport
from mind_skills.output.text import path_text
from mind_skills.staging.model import PER_SESSION

Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Given what is done and in how many steps: a context whose value is called after each."""
KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
CONFIDENCES = ("high", "medium")


class Wanted(NamedTuple):
    """What is asked for. ``jobs`` sessions are replayed at a time."""

    labels: Path
    corpus: Path
    jobs: int
    rows: bool = False


def evaluate(wanted: Wanted, progress: Progress) -> EvalReport:
    """Measure. Raises MindSkillsError where the labels or the sessions are not there."""
    labels = load(wanted.labels)
    corpus = locate(wanted.corpus, labels.labels)
    tasks = [running.Task(label, corpus.logs[label.name]) for label in labels.labels if label.name in corpus.logs]
    with progress("Replaying", len(tasks)) as advance:
        answers = running.run(running.judged, tasks, wanted.jobs, advance)
    scores = running.scores(labels.labels, answers.done)
    report = _report(wanted, labels.labels, scores)
    report.problems = [*labels.problems, *corpus.problems, *answers.problems]
    if wanted.rows:
        report.rows = _rows(scores)
        report.missed = _missed(labels.labels, scores)
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
        confidences=[figures(name, [score.of((name,)) for score in scores]) for name in CONFIDENCES],
        kinds=[figures(kind, [score.of_kind(kind) for score in scores]) for kind in KINDS],
        belief=belief_of(scores),
        rules=rules(scores) if any(label.rules is not None for label in labels) else None,
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
            told=bool(each.found["told"]) and not each.repeat,
            confidence=each.confidence,
            probability=each.probability,
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
