"""The `score` command: from labels and sessions to the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, get_args

from mind_skills.detectors.model import FindingKind
from mind_skills.evaluation import running
from mind_skills.evaluation.judging import SessionScore
from mind_skills.evaluation.labels import Label, load_labels, locate_logs
from mind_skills.evaluation.rates import build_belief, build_figures, build_rules, list_noisy_sessions
from mind_skills.evaluation.report import EvalReport, MissedReport, RowReport
from mind_skills.output.text import format_path
from mind_skills.staging.model import MAX_PER_SESSION

Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Called with a title and a number of steps. The context manager yields a function, which is called after each step."""
KINDS: tuple[FindingKind, ...] = get_args(FindingKind)
CONFIDENCES = ("high", "medium")


class Request(NamedTuple):
    """Options of `score`. ``jobs`` is the number of sessions replayed in parallel."""

    labels: Path
    corpus: Path
    jobs: int
    rows: bool = False


def evaluate(request: Request, progress: Progress) -> EvalReport:
    """Measure the detector. Raises MindSkillsError if labels or sessions are missing."""
    labels = load_labels(request.labels)
    corpus = locate_logs(request.corpus, labels.labels)
    tasks = [running.Task(label, corpus.logs[label.name]) for label in labels.labels if label.name in corpus.logs]
    with progress("Replaying", len(tasks)) as advance:
        outcomes = running.run_tasks(running.judge_session, tasks, request.jobs, advance)
    scores = running.collect_scores(labels.labels, outcomes.results)
    report = _build_report(request, labels.labels, scores)
    report.problems = [*labels.problems, *corpus.problems, *outcomes.problems]
    if request.rows:
        report.rows = _build_rows(scores)
        report.missed = _build_missed(labels.labels, scores)
    return report


def _build_report(request: Request, labels: Sequence[Label], scores: Sequence[SessionScore]) -> EvalReport:
    replayed = [score for score in scores if not score.is_missing]
    return EvalReport(
        labels=format_path(str(request.labels)),
        corpus=format_path(str(request.corpus)),
        sessions=len(replayed),
        missing=[format_path(score.name) for score in scores if score.is_missing],
        learnings=sum(len(label.learnings) for label in labels),
        silent_sessions=sum(score.is_silent for score in replayed),
        noisy_sessions=list_noisy_sessions(scores),
        over_cap=sum(len(score.judged) > MAX_PER_SESSION for score in scores),
        all=build_figures("all", scores),
        confidences=[
            build_figures(name, [score.filter_confidences((name,)) for score in scores]) for name in CONFIDENCES
        ],
        kinds=[build_figures(kind, [score.filter_kind(kind) for score in scores]) for kind in KINDS],
        belief=build_belief(scores),
        rules=build_rules(scores) if any(label.correction_lines is not None for label in labels) else None,
        problems=[],
    )


def _build_rows(scores: Sequence[SessionScore]) -> list[RowReport]:
    return [
        RowReport(
            session=score.name,
            kind=each.kind,
            first=each.first,
            last=each.last,
            verdict=each.verdict,
            told=bool(each.hits_by_level["told"]) and not each.is_repeat,
            confidence=each.confidence,
            probability=each.probability,
            title=each.title,
        )
        for score in scores
        for each in score.judged
    ]


def _build_missed(labels: Sequence[Label], scores: Sequence[SessionScore]) -> list[MissedReport]:
    missed: list[MissedReport] = []
    for label, score in zip(labels, scores, strict=True):
        hits = {index for candidate in score.judged for index in candidate.hits_by_level["strict"]}
        missed += [
            MissedReport(session=label.name, first=each.start_line, last=each.end_line, title=each.title)
            for index, each in enumerate(label.learnings)
            if index not in hits
        ]
    return missed
