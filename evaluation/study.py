"""The `fit` and `study` commands: how the design performs on owners it has not seen, compared with alternatives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mind_skills.detectors.features import FEATURES
from mind_skills.detectors.registry import PATTERNS
from mind_skills.detectors.scorer import parse_weights
from mind_skills.errors import MindSkillsError
from mind_skills.evaluation import designs, running, weights
from mind_skills.evaluation.folds import HIGH, MEDIUM, Chosen, Folds, Model, Pool, build_curve, build_pool
from mind_skills.evaluation.judging import SessionScore
from mind_skills.evaluation.labels import Label, find_owners, load_labels, locate_logs
from mind_skills.evaluation.measuring import Proposal
from mind_skills.evaluation.rates import build_belief, build_figures
from mind_skills.evaluation.report import (
    FitReport,
    KindReport,
    OutcomeReport,
    PartReport,
    PatternReport,
    StudyReport,
    TierReport,
)
from mind_skills.evaluation.score import Progress
from mind_skills.output.text import format_path
from mind_skills.staging.model import DEFAULT_PER_SESSION

TIER_CONFIDENCES = {"high": ("high",), "wide": ("high", "medium")}
"""Confidences of the candidates that each tier's figures include."""
MIN_OWNERS = 3
"""With fewer owners, none remains to fit to after two are left out."""
TARGETS = {"high": HIGH, "medium": MEDIUM}


class StudyInput(NamedTuple):
    """All input: labels, a task and an owner for each session, the folds, and descriptions of errors."""

    labels: Sequence[Label]
    tasks: Sequence[running.Task]
    owners: dict[str, str]
    folds: Folds
    problems: list[str]


def read_sessions(labels: Path, corpus: Path, jobs: int, progress: Progress) -> StudyInput:
    """Read and measure the sessions. Raises MindSkillsError if labels, sessions or owners are missing or too few."""
    loaded = load_labels(labels)
    logs = locate_logs(corpus, loaded.labels)
    tasks = [running.Task(label, logs.logs[label.name]) for label in loaded.labels if label.name in logs.logs]
    owners = find_owners(loaded.labels, (labels.parent, corpus, corpus.parent))
    with progress("Measuring", len(tasks)) as advance:
        outcomes = running.run_tasks(running.measure_session, tasks, jobs, advance)
    folds = Folds(build_pool(list(outcomes.results.values()), owners), designs.SIGNS, DEFAULT_PER_SESSION)
    if len(folds.pool.names) < MIN_OWNERS or not folds.pool.hits.any():
        hits = int(folds.pool.hits.sum())
        message = f"The sessions have {len(folds.pool.names)} owners, and {hits} proposals are on a learning."
        hint = f"Label sessions of at least {MIN_OWNERS} owners, with learnings."
        raise MindSkillsError("too_few", message, hint)
    problems = [*loaded.problems, *logs.problems, *outcomes.problems]
    return StudyInput(
        loaded.labels, [task for task in tasks if task.label.name in outcomes.results], owners, folds, problems
    )


def fit_weights(labels: Path, corpus: Path, out: Path, jobs: int, progress: Progress) -> FitReport:
    """Fit to all sessions and write the weights to ``out``. Raises MindSkillsError like ``read_sessions``, and OSError."""
    data = read_sessions(labels, corpus, jobs, progress)
    pool, model = data.folds.pool, data.folds.build_model()
    return FitReport(
        path=format_path(str(out)),
        changed=weights.write_document(weights.build_document(model, weights.summarise_training_data(pool)), out),
        sessions=len(pool.sessions),
        owners=len(pool.names),
        learnings=sum(len(session.label.learnings) for session in pool.sessions),
        features=len(FEATURES),
        used=int(np.count_nonzero(model.fitted.weights)),
        tiers=model.tiers,
        outside=build_curve(pool, designs.choose_out_of_fold(data.folds, data.folds.fit_without)),
        problems=data.problems,
    )


def study_design(labels: Path, corpus: Path, jobs: int, progress: Progress) -> StudyReport:
    """Study the design. Raises MindSkillsError like ``read_sessions``."""
    data = read_sessions(labels, corpus, jobs, progress)
    folds, names = data.folds, data.folds.pool.names
    models: dict[str, Model] = {}
    with progress("Fitting without one owner", len(names)) as advance:
        for owner in names:
            models[owner] = folds.build_model(frozenset({owner}))
            advance()
    scores, problems = _replay_all(data, models, jobs, progress)
    whole = _build_part("all", data.labels, scores, models)
    steps = 5 + len(designs.GROUPS) + designs.OWNER_DRAWS * (len(designs.OWNER_SHARES) - 1) + 1
    with progress("Comparing designs", steps) as advance:
        compared = designs.compare_designs(folds, advance)
        ablation = designs.ablate_groups(folds, advance)
        learning = designs.build_learning_curve(folds, advance)
    wide = [score.filter_confidences(TIER_CONFIDENCES["wide"]) for score in scores]
    largest = Counter(data.owners.values()).most_common(1)[0][0]
    others = [label for label in data.labels if data.owners[label.name] != largest]
    proposed = {(session_index, learning_index) for session_index, _, learning_index in _list_hits(folds.pool)}
    fitted_text = weights.format_document(
        weights.build_document(folds.build_model(), weights.summarise_training_data(folds.pool))
    )
    return StudyReport(
        weights=sha256(fitted_text.encode()).hexdigest(),
        sessions=len(folds.pool.sessions),
        owners=len(names),
        learnings=whole.learnings,
        silent_sessions=whole.silent_sessions,
        per_session=DEFAULT_PER_SESSION,
        targets=TARGETS,
        proposals=len(folds.pool.rows),
        proposed=len(proposed),
        whole=whole,
        without_largest=_build_part(largest, others, scores, models),
        formats=[
            _build_part(name, [label for label in data.labels if label.format == name], scores, models)
            for name in sorted({label.format for label in data.labels})
        ],
        probable=build_figures(
            "probable",
            [score.filter_probable(models[score.source].tiers["high"]) for score in scores if not score.is_missing],
        ),
        untainted=build_figures("untainted", [score.filter_taint(False) for score in wide]),
        tainted=build_figures("tainted", [score.filter_taint(True) for score in wide]),
        belief=build_belief(wide),
        random=designs.measure_random_precision(folds, sum(len(score.judged) for score in wide)),
        designs=compared,
        ablation=ablation,
        learning=learning,
        kinds=_build_kinds(data, wide, proposed),
        patterns=_build_patterns(folds, models),
        outcomes=_build_outcomes(data.labels, scores),
        problems=problems,
    )


def _replay_all(
    data: StudyInput, models: Mapping[str, Model], jobs: int, progress: Progress
) -> tuple[list[SessionScore], list[str]]:
    """Replay each session with the model of all other owners."""
    scorer_models = {
        owner: parse_weights(weights.format_document(weights.build_document(model))) for owner, model in models.items()
    }
    tasks = [task._replace(model=scorer_models[data.owners[task.label.name]]) for task in data.tasks]
    with progress("Replaying", len(tasks)) as advance:
        outcomes = running.run_tasks(running.judge_session, tasks, jobs, advance)
    scores = running.collect_scores(data.labels, outcomes.results)
    # Intervals are over owners here, since sessions of different repositories of one owner are similar too.
    return [replace(score, source=data.owners[score.name]) for score in scores], [*data.problems, *outcomes.problems]


def _build_part(
    name: str, labels: Sequence[Label], scores: Sequence[SessionScore], models: Mapping[str, Model]
) -> PartReport:
    by_name = {score.name: score for score in scores}
    part_scores = [by_name[label.name] for label in labels]
    tiers: list[TierReport] = []
    for tier, confidences in TIER_CONFIDENCES.items():
        thresholds = [model.tiers["high" if tier == "high" else "medium"] for model in models.values()]
        figures = build_figures(tier, [score.filter_confidences(confidences) for score in part_scores])
        tiers.append(TierReport(name=tier, begins=[min(thresholds), max(thresholds)], figures=figures))
    return PartReport(
        name=name,
        sessions=len(part_scores),
        learnings=sum(len(label.learnings) for label in labels),
        silent_sessions=sum(label.is_silent for label in labels),
        tiers=tiers,
    )


def _list_hits(pool: Pool) -> list[tuple[int, str, int]]:
    """Return (session index, pattern, learning index) for each pattern of each proposal on a learning."""
    return [
        (session_index, pattern, learning)
        for session_index, session in enumerate(pool.sessions)
        for proposal in session.proposals
        for pattern in proposal.episode.patterns
        for learning in proposal.judged.hits_by_level["strict"]
    ]


def _build_kinds(data: StudyInput, scores: Sequence[SessionScore], proposed: set[tuple[int, int]]) -> list[KindReport]:
    session_indexes = {
        session.label.name: session_index for session_index, session in enumerate(data.folds.pool.sessions)
    }
    totals, proposed_counts, found_counts = Counter[str](), Counter[str](), Counter[str]()
    for label, score in zip(data.labels, scores, strict=True):
        hits = {index for each in score.judged for index in each.list_hits("strict")}
        for index, learning in enumerate(label.learnings):
            totals[learning.kind] += 1
            proposed_counts[learning.kind] += (session_indexes.get(label.name, -1), index) in proposed
            found_counts[learning.kind] += index in hits
    return [
        KindReport(kind=kind, learnings=count, proposed=proposed_counts[kind], found=found_counts[kind])
        for kind, count in sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    ]


def _build_outcomes(labels: Sequence[Label], scores: Sequence[SessionScore]) -> list[OutcomeReport]:
    counts: dict[str, Counter[bool | None]] = {}
    for label, score in zip(labels, scores, strict=True):
        if label.outcome and not score.is_missing:
            counts.setdefault(label.outcome, Counter()).update([score.has_succeeded])
    return [
        OutcomeReport(outcome=outcome, succeeded=count[True], failed=count[False], unknown=count[None])
        for outcome, count in sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))
    ]


def _build_patterns(folds: Folds, models: Mapping[str, Model]) -> list[PatternReport]:
    pool = folds.pool
    patterns_by_learning: dict[tuple[int, int], set[str]] = {}
    for session_index, pattern, index in _list_hits(pool):
        patterns_by_learning.setdefault((session_index, index), set()).add(pattern)
    choices = [choice for owner, model in models.items() for choice in _choose_offered(folds, owner, model)]
    reports: list[PatternReport] = []
    for pattern, _, _ in PATTERNS:
        proposals = [
            proposal
            for session in pool.sessions
            for proposal in session.proposals
            if pattern in proposal.episode.patterns
        ]
        counted = [proposal for proposal in proposals if not proposal.judged.is_neutral]
        chosen = [choice for choice in choices if pattern in _get_proposal(pool, choice).episode.patterns]
        reports.append(
            PatternReport(
                pattern=pattern,
                proposals=len(proposals),
                precision=round(
                    sum(bool(proposal.judged.hits_by_level["strict"]) for proposal in counted) / max(1, len(counted)), 3
                ),
                learnings=sum(pattern in patterns for patterns in patterns_by_learning.values()),
                alone=sum(patterns == {pattern} for patterns in patterns_by_learning.values()),
                chosen=len(chosen),
                hits=sum(bool(_get_proposal(pool, choice).judged.hits_by_level["strict"]) for choice in chosen),
            )
        )
    return reports


def _choose_offered(folds: Folds, owner: str, model: Model) -> list[Chosen]:
    chosen = folds.choose_for_owner(owner, model.fitted.compute_scores)
    return [choice for choice in chosen if model.line.compute_probability(choice.value) >= model.tiers["medium"]]


def _get_proposal(pool: Pool, choice: Chosen) -> Proposal:
    return pool.sessions[choice.session].proposals[choice.row - pool.bounds[choice.session][0]]
