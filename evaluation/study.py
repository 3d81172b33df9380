"""The whole of `study`: what the design does on owners whose sessions had no part in it, and what others would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mind_skills.detectors.features import FEATURES
from mind_skills.detectors.patterns.registry import PATTERNS
from mind_skills.detectors.scorer import parse
from mind_skills.errors import MindSkillsError
from mind_skills.evaluation import designs, running, weights
from mind_skills.evaluation.answer import Progress
from mind_skills.evaluation.corpus import locate, owners
from mind_skills.evaluation.curves import curve
from mind_skills.evaluation.figures import belief_of, figures
from mind_skills.evaluation.folds import HIGH, MEDIUM, Chosen, Folds, Model
from mind_skills.evaluation.judging import SessionScore
from mind_skills.evaluation.labels import Label, load
from mind_skills.evaluation.measuring import Proposal
from mind_skills.evaluation.pool import Pool, pool
from mind_skills.evaluation.study_report import (
    FitReport,
    KindReport,
    PartReport,
    PatternReport,
    StudyReport,
    TierReport,
)
from mind_skills.output.text import path_text
from mind_skills.staging.model import USUAL

TIERS = {"high": ("high",), "wide": ("high", "medium")}
"""The confidences of the candidates that each figure is of."""
OWNERS = 3
"""With fewer, one that is left out of the others leaves nobody to fit to."""
TARGETS = {"high": HIGH, "medium": MEDIUM}


class Read(NamedTuple):
    """Everything that was read: the labels, a task for each session, who it is from, its proposals, and what went wrong."""

    labels: Sequence[Label]
    tasks: Sequence[running.Task]
    owners: dict[str, str]
    folds: Folds
    problems: list[str]


def read(labels: Path, corpus: Path, jobs: int, progress: Progress) -> Read:
    """Read and measure. Raises MindSkillsError where the labels or the sessions are not there."""
    found = load(labels)
    logs = locate(corpus, found.labels)
    tasks = [running.Task(label, logs.logs[label.name]) for label in found.labels if label.name in logs.logs]
    by_name = owners(found.labels, (labels.parent, corpus, corpus.parent))
    with progress("Measuring", len(tasks)) as advance:
        answers = running.run(running.measured, tasks, jobs, advance)
    folds = Folds(pool(list(answers.done.values()), by_name), designs.SIGNS, USUAL)
    if len(folds.pool.names) < OWNERS or not folds.pool.hits.any():
        message = f"The sessions are of {len(folds.pool.names)} owners, and {int(folds.pool.hits.sum())} proposals lie on a learning."
        raise MindSkillsError(
            "too_few", message, f"A fit needs sessions of {OWNERS} owners at least, and learnings in them."
        )
    problems = [*found.problems, *logs.problems, *answers.problems]
    return Read(found.labels, [task for task in tasks if task.label.name in answers.done], by_name, folds, problems)


def fit(labels: Path, corpus: Path, out: Path, jobs: int, progress: Progress) -> FitReport:
    """Fit to all sessions and write ``out``. Raises MindSkillsError as ``read`` does, and OSError."""
    had = read(labels, corpus, jobs, progress)
    pool, model = had.folds.pool, had.folds.model()
    text = weights.text(weights.document(model, weights.provenance(pool)))
    changed = not out.exists() or out.read_text(encoding="utf-8") != text
    if changed:
        out.write_text(text, encoding="utf-8")
    return FitReport(
        path=path_text(str(out)),
        changed=changed,
        sessions=len(pool.sessions),
        owners=len(pool.names),
        learnings=sum(len(session.label.learnings) for session in pool.sessions),
        features=len(FEATURES),
        used=int(np.count_nonzero(model.fitted.weights)),
        tiers=model.tiers,
        outside=curve(pool, designs.out_of_fold(had.folds, had.folds.without)),
        problems=had.problems,
    )


def study(labels: Path, corpus: Path, jobs: int, progress: Progress) -> StudyReport:
    """Study the design. Raises MindSkillsError as ``read`` does."""
    had = read(labels, corpus, jobs, progress)
    folds, names = had.folds, had.folds.pool.names
    with progress("Fitting without one owner", len(names)) as advance:
        models = {owner: _advanced(folds.model(frozenset({owner})), advance) for owner in names}
    scores, problems = _raise_all(had, models, jobs, progress)
    whole = _part("all", had.labels, scores, models)
    steps = 5 + len(designs.GROUPS) + designs.DRAWS * (len(designs.SHARES) - 1) + 1
    with progress("Comparing designs", steps) as advance:
        compared = designs.compared(folds, advance)
        ablation = designs.ablation(folds, advance)
        learning = designs.learning_curve(folds, advance)
    wide = [score.of(TIERS["wide"]) for score in scores]
    largest = Counter(had.owners.values()).most_common(1)[0][0]
    others = [label for label in had.labels if had.owners[label.name] != largest]
    proposed = {(at, index) for at, _, index in _reached(folds.pool)}
    shipped = weights.text(weights.document(folds.model(), weights.provenance(folds.pool)))
    return StudyReport(
        weights=sha256(shipped.encode()).hexdigest(),
        sessions=len(folds.pool.sessions),
        owners=len(names),
        learnings=whole.learnings,
        silent_sessions=whole.silent_sessions,
        per_session=USUAL,
        targets=TARGETS,
        proposals=len(folds.pool.rows),
        proposed=len(proposed),
        whole=whole,
        without_largest=_part(largest, others, scores, models),
        formats=[
            _part(name, [label for label in had.labels if label.format == name], scores, models)
            for name in sorted({label.format for label in had.labels})
        ],
        probable=figures(
            "probable", [score.above(models[score.source].tiers["high"]) for score in scores if not score.missing]
        ),
        belief=belief_of(wide),
        random=designs.random_precision(folds, sum(len(score.judged) for score in wide)),
        designs=compared,
        ablation=ablation,
        learning=learning,
        kinds=_kinds(had, wide, proposed),
        patterns=_patterns(folds, models),
        problems=problems,
    )


def _advanced(model: Model, advance: Callable[[], None]) -> Model:
    advance()
    return model


def _raise_all(
    had: Read, models: Mapping[str, Model], jobs: int, progress: Progress
) -> tuple[list[SessionScore], list[str]]:
    """What the product raises in each session by the model of all other owners."""
    by_owner = {owner: parse(weights.text(weights.document(model))) for owner, model in models.items()}
    tasks = [task._replace(model=by_owner[had.owners[task.label.name]]) for task in had.tasks]
    with progress("Replaying", len(tasks)) as advance:
        answers = running.run(running.judged, tasks, jobs, advance)
    scores = running.scores(had.labels, answers.done)
    # Intervals are over owners here: sessions of two repositories of one owner are alike, too.
    return [replace(score, source=had.owners[score.name]) for score in scores], [*had.problems, *answers.problems]


def _part(
    name: str, labels: Sequence[Label], scores: Sequence[SessionScore], models: Mapping[str, Model]
) -> PartReport:
    by_name = {score.name: score for score in scores}
    mine = [by_name[label.name] for label in labels]
    tiers: list[TierReport] = []
    for tier, confidences in TIERS.items():
        begins = [model.tiers["high" if tier == "high" else "medium"] for model in models.values()]
        found = figures(tier, [score.of(confidences) for score in mine])
        tiers.append(TierReport(name=tier, begins=[min(begins), max(begins)], figures=found))
    return PartReport(
        name=name,
        sessions=len(mine),
        learnings=sum(len(label.learnings) for label in labels),
        silent_sessions=sum(label.silent for label in labels),
        tiers=tiers,
    )


def _reached(pool: Pool) -> list[tuple[int, str, int]]:
    """Of each learning that a proposal lies on: the session's place, the pattern, and the learning's."""
    return [
        (at, pattern, index)
        for at, session in enumerate(pool.sessions)
        for each in session.proposals
        for pattern in each.episode.patterns
        for index in each.judged.found["strict"]
    ]


def _kinds(had: Read, scores: Sequence[SessionScore], proposed: set[tuple[int, int]]) -> list[KindReport]:
    places = {session.label.name: at for at, session in enumerate(had.folds.pool.sessions)}
    every, on, found = Counter[str](), Counter[str](), Counter[str]()
    for label, score in zip(had.labels, scores, strict=True):
        hit = {index for each in score.judged for index in each.hits("strict")}
        for index, learning in enumerate(label.learnings):
            every[learning.kind] += 1
            on[learning.kind] += (places.get(label.name, -1), index) in proposed
            found[learning.kind] += index in hit
    return [
        KindReport(kind=kind, learnings=count, proposed=on[kind], found=found[kind])
        for kind, count in sorted(every.items(), key=lambda item: (-item[1], item[0]))
    ]


def _patterns(folds: Folds, models: Mapping[str, Model]) -> list[PatternReport]:
    pool = folds.pool
    reached: dict[tuple[int, int], set[str]] = {}
    for at, pattern, index in _reached(pool):
        reached.setdefault((at, index), set()).add(pattern)
    raised = [each for owner, model in models.items() for each in _above(folds, owner, model)]
    made: list[PatternReport] = []
    for pattern, _, _ in PATTERNS:
        mine = [each for session in pool.sessions for each in session.proposals if pattern in each.episode.patterns]
        counted = [each for each in mine if not each.judged.neutral]
        chosen = [each for each in raised if pattern in _proposal(pool, each).episode.patterns]
        made.append(
            PatternReport(
                pattern=pattern,
                proposals=len(mine),
                precision=round(sum(bool(each.judged.found["strict"]) for each in counted) / max(1, len(counted)), 3),
                learnings=sum(pattern in patterns for patterns in reached.values()),
                alone=sum(patterns == {pattern} for patterns in reached.values()),
                chosen=len(chosen),
                hits=sum(bool(_proposal(pool, each).judged.found["strict"]) for each in chosen),
            )
        )
    return made


def _above(folds: Folds, owner: str, model: Model) -> list[Chosen]:
    chosen = folds.chosen(owner, model.fitted.scores)
    return [each for each in chosen if model.line.probability(each.value) >= model.tiers["medium"]]


def _proposal(pool: Pool, chosen: Chosen) -> Proposal:
    return pool.sessions[chosen.session].proposals[chosen.row - pool.bounds[chosen.session][0]]
