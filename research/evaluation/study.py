"""The `fit` and `study` commands: the weights of all labelled sessions, and how the design performs on owners it has not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.detectors.scorer import parse_weights
from mind_skills.errors import MindSkillsError
from mind_skills.output.text import show_progress
from research.evaluation import showing, weights
from research.evaluation.calibration import Guess, measure_calibration
from research.evaluation.figures import build_figures, build_gate, build_parts, write_digests
from research.evaluation.folds import FittedModel, Folds, build_pool
from research.evaluation.labels import Label, find_sources, get_owner, load_labels, locate_logs
from research.evaluation.measuring import measure_session
from research.evaluation.running import Task, run_tasks

MIN_OWNERS = 3
"""With fewer owners, none remains to fit to after two are left out."""


class StudyInput(NamedTuple):
    """All input: labels, a task and a repository for each session, the folds, and descriptions of errors."""

    labels: Sequence[Label]
    tasks: Sequence[Task]
    sources: dict[str, str]
    folds: Folds
    problems: list[str]


def read_sessions(labels: Sequence[Path], corpus: Sequence[Path], jobs: int) -> StudyInput:
    """Read and measure the sessions. Raises MindSkillsError if labels, sessions or owners are missing or too few."""
    loaded = load_labels(*labels)
    logs, missing = locate_logs(corpus, loaded.labels)
    tasks = [Task(label, logs[label.name]) for label in loaded.labels if label.name in logs]
    folders = [*(path.parent for path in labels), *corpus, *(path.parent for path in corpus)]
    sources = find_sources(loaded.labels, folders)
    with show_progress("Measuring", len(tasks)) as advance:
        measured, unread = run_tasks(measure_session, tasks, jobs, advance)
    folds = Folds(build_pool(list(measured.values()), {name: get_owner(source) for name, source in sources.items()}))
    if len(folds.pool.names) < MIN_OWNERS or not folds.pool.hits.any():
        hits = int(folds.pool.hits.sum())
        message = f"The sessions have {len(folds.pool.names)} owners, and {hits} proposals are on a learning."
        hint = f"Label sessions of at least {MIN_OWNERS} owners, with learnings."
        raise MindSkillsError("too_few", message, hint)
    problems = [*loaded.problems, *missing, *unread]
    read = [task for task in tasks if task.label.name in measured]
    return StudyInput([task.label for task in read], read, sources, folds, problems)


def fit_weights(data: StudyInput, out: Path) -> dict[str, Any]:
    """Fit to all sessions and write the weights to ``out``. Raises OSError."""
    document = weights.build_document(data.folds.build_model(), data.folds.pool)
    out.write_text(weights.format_document(document), encoding="utf-8")
    return {
        **document["fitted"],
        "used": len(document["weights"]),
        "measured": document["measured"],
        "problems": data.problems,
    }


def study_design(data: StudyInput, jobs: int, digests: Path | None = None) -> dict[str, Any]:
    """Measure the digests of each owner's sessions with what is fitted to all others. Writes them to ``digests``.

    Raises MindSkillsError if there is a bug in mind-skills, and OSError.
    """
    pool, owners = data.folds.pool, data.folds.pool.names
    models: dict[str, FittedModel] = {}
    with show_progress("Fitting without one owner", len(owners)) as advance:
        for owner in owners:
            models[owner] = data.folds.build_model(frozenset({owner}))
            advance()
    scorers = {
        owner: parse_weights(weights.format_document(weights.build_document(model, pool)))
        for owner, model in models.items()
    }
    tasks = [task._replace(model=scorers[get_owner(data.sources[task.label.name])]) for task in data.tasks]
    with show_progress("Condensing", len(tasks)) as advance:
        variants, unread = run_tasks(showing.show_variants, tasks, jobs, advance)
    by_design = {
        design: {name: each.shown[design] for name, each in variants.items()}
        for design in next(iter(variants.values())).shown
    }
    if digests is not None:
        write_digests([task.log.path for task in data.tasks], by_design["digest"], digests)
    figures = {design: build_figures(data.labels, shown) for design, shown in by_design.items()}
    largest = Counter(pool.owners).most_common(1)[0][0]
    others = [label for label in data.labels if get_owner(data.sources[label.name]) != largest]
    fitted = weights.format_document(weights.build_document(data.folds.build_model(), pool))
    return {
        "weights": sha256(fitted.encode()).hexdigest(),
        "owners": len(owners),
        "proposals": len(pool.rows),
        "digest": figures.pop("digest"),
        "without_largest": {"owner": largest, **build_figures(others, by_design["digest"])},
        "formats": build_parts(data.labels, by_design["digest"], lambda label: label.format or "?"),
        "counts": build_parts(data.labels, by_design["digest"], lambda label: str(min(len(label.learnings), 3))),
        "sources": build_parts(data.labels, by_design["digest"], lambda label: data.sources[label.name]),
        "designs": figures,
        "lines_inside": round(
            sum(each.inside for each in variants.values()) / max(1, sum(each.lines for each in variants.values())), 3
        ),
        "gate": build_gate(_list_best(data.folds, models)),
        "calibration": _build_calibration(data.folds, models),
        "problems": [*data.problems, *unread],
    }


def _list_best(folds: Folds, models: dict[str, FittedModel]) -> list[tuple[float, bool]]:
    """Return, for each session, the probability of its best proposal and whether the session holds a learning."""
    best: list[tuple[float, bool]] = []
    pool = folds.pool
    for session, owner, (start, end) in zip(pool.sessions, pool.owners, pool.bounds, strict=True):
        probabilities = models[owner].compute_probabilities(pool.rows[start:end]) if end > start else []
        kept = [p for p, each in zip(probabilities, session.proposals, strict=True) if not each.is_vetoed]
        best.append((max(kept, default=0.0), bool(session.label.learnings)))
    return best


def _build_calibration(folds: Folds, models: dict[str, FittedModel]) -> dict[str, Any]:
    """Compare the probabilities of the chosen episodes, out of fold, with the share of them that is on a learning."""
    guesses = [
        Guess(models[owner].line.compute_probability(score), hit)
        for owner in folds.pool.names
        for score, hit in folds.guess(owner, models[owner].fitted)
    ]
    calibration = measure_calibration(guesses)
    rounded = {name: round(value, 4) for name, value in calibration._asdict().items() if name != "bins"}
    return rounded | {"bins": [[round(value, 3) for value in each] for each in calibration.bins]}
