"""The command `python -m mind_skills.evaluation`, which measures the detector on labelled sessions and fits its weights."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup, run_group
from mind_skills.cli.main import execute
from mind_skills.errors import DONE

F = TypeVar("F", bound=Callable[..., Any])
NAME = "python -m mind_skills.evaluation"
_LABELLED = "--labels labels.jsonl --corpus logs/"


def main(arguments: list[str]) -> int:
    """Run the command in ``arguments`` and return the exit code."""
    return execute(arguments, partial(run_group, command, NAME))


_JOBS = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Number of sessions processed in parallel. Default: one per processor.",
)
_CORPUS = click.option(
    "--corpus",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the labelled sessions, with the file names used in the labels.",
)
_LABELS = click.option(
    "--labels",
    required=True,
    type=click.Path(path_type=Path),
    metavar="L",
    help="File of labels, one JSON object per line.",
)


def _add_session_options(function: F) -> F:
    """Add the options that several commands have: ``labels``, ``corpus`` and ``jobs``."""
    for option in (_JOBS, _CORPUS, _LABELS):
        function = option(function)
    return function


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Fit the detector to hand-labelled sessions, and measure it on them. Not part of the wheel."""


@command.command(
    "score", epilog=options.format_examples(f"{NAME} score {_LABELLED}", f"{NAME} score {_LABELLED} --rows --json")
)
@_add_session_options
@click.option("--rows", is_flag=True, help="Also list every candidate with its verdict, and every missed learning.")
@options.as_json
def score(labels: Path, corpus: Path, rows: bool, jobs: int | None, as_json: bool) -> int:
    """Measure the detector on hand-labelled sessions.

    A label is {"session_file", "length", "learnings": [{"title", "start_line", "end_line", "key_phrases"}], "disputed":
    [the same], "borderline": [the same], "corrections": [{"line"}], "source_repo", "format"}; other keys are ignored. A
    session is identified by the last part of its path. A session without learnings or disputed learnings tests whether
    the detector is silent.

    A candidate extends from the first to the last line of its evidence. Strict: both ends are inside one learning, with
    a tolerance of three lines. Named: strict, and the candidate's title or evidence contains a key phrase of the
    learning. Told: strict, and the candidate's offer contains a key phrase. Lenient: candidate and learning overlap.
    Useful: strict, or inside a borderline range. A candidate inside a disputed learning counts neither way; a repeat,
    which hits only learnings that earlier candidates of its session hit, counts as wrong. Precision counts candidates,
    recall counts learnings; the intervals contain 95 % of bootstrap samples of whole sources. The source of a
    session is source_repo in its label, else OWNER/REPO if its name is like OWNER__REPO__SESSION. Chance is the strict
    precision of the same spans at random positions. Candidates of kind user_rule are counted separately, against the
    corrections.

    Results on sessions to which the weights in use were fitted do not generalise. `study` scores each owner's sessions
    with weights fitted to the other owners' only. Worker processes run at low priority. Nothing is written.
    """
    from mind_skills.evaluation.score import Request, evaluate
    from mind_skills.evaluation.text import print_report
    from mind_skills.output.text import emit, print_note, show_progress
    from mind_skills.plugin.process_pool import count_usable_cpus

    request = Request(labels, corpus, jobs or count_usable_cpus(), rows)
    report = evaluate(request, show_progress)
    emit(report, as_json, lambda: print_report(report))
    for problem in report.problems:
        print_note(problem)
    for name in report.missing:
        print_note(f"{name} was not replayed; its learnings count as not found.")
    return DONE


@command.command("fit", epilog=options.format_examples(f"{NAME} fit {_LABELLED} --out weights.json"))
@_add_session_options
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write the weights to; the detector reads detectors/weights.json.",
)
@options.as_json
def fit(labels: Path, corpus: Path, jobs: int | None, out: Path, as_json: bool) -> int:
    """Fit the detector's weights to labelled sessions. Needs numpy.

    The signs of the weights are predefined (detectors/features.py) and do not change. Vetoed proposals are excluded, and so are
    proposals in disputed or borderline ranges that are on no learning. Calibration and tiers are based on the candidates
    that a fit without an owner chooses in that owner's sessions. The owner is the first part of source_repo, which is
    read from an inventory.csv next to the labels or the sessions (columns file, source_repo), else from the label. The
    same labels and sessions always give the same file.
    """
    from mind_skills.evaluation import require_numpy

    require_numpy()
    from mind_skills.evaluation.study import fit_weights
    from mind_skills.evaluation.text import print_fit
    from mind_skills.output.text import emit, print_note, show_progress
    from mind_skills.plugin.process_pool import count_usable_cpus

    report = fit_weights(labels, corpus, out, jobs or count_usable_cpus(), show_progress)
    emit(report, as_json, lambda: print_fit(report))
    for problem in report.problems:
        print_note(problem)
    return DONE


@command.command("study", epilog=options.format_examples(f"{NAME} study {_LABELLED} --json"))
@_add_session_options
@options.as_json
def study(labels: Path, corpus: Path, jobs: int | None, as_json: bool) -> int:
    """Measure the detector's design on owners that the fit has not seen. Takes minutes; needs numpy.

    For each owner, weights, calibration and tiers are fitted to all others, and that owner's sessions are replayed with
    them; the figures are pooled. High includes the candidates of high confidence, wide those of medium confidence as
    well. Also shown: the results by format and without the largest owner, calibration, alternative designs at the same
    recall, the design without each group of features, fits to fewer owners, and the contribution of each kind and
    pattern. Nothing is written.
    """
    from mind_skills.evaluation import require_numpy

    require_numpy()
    from mind_skills.evaluation.study import study_design
    from mind_skills.evaluation.text import print_study
    from mind_skills.output.text import emit, print_note, show_progress
    from mind_skills.plugin.process_pool import count_usable_cpus

    report = study_design(labels, corpus, jobs or count_usable_cpus(), show_progress)
    emit(report, as_json, lambda: print_study(report))
    for problem in report.problems:
        print_note(problem)
    return DONE


@command.command(
    "rules",
    epilog=options.format_examples(f"{NAME} rules {_LABELLED} --out user_rules.json"),
)
@_add_session_options
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also fit to all sessions and write the weights to this file; the detector reads detectors/user_rules.json.",
)
@options.as_json
def rules(labels: Path, corpus: Path, jobs: int | None, out: Path | None, as_json: bool) -> int:
    """Measure how well the user's lasting rules are found, on owners the fit has not seen. Needs numpy.

    Uses sessions with labelled corrections. For each owner, weights, calibration and threshold come from the other
    owners only. A rule within three lines of a correction is a hit; precision counts rules, at most one per session,
    recall counts corrections. Runs in one process; --jobs has no effect.
    """
    from mind_skills.evaluation import require_numpy

    require_numpy()
    from mind_skills.evaluation.rule_study import study_rules
    from mind_skills.evaluation.text import print_rules
    from mind_skills.output.text import emit, print_note, show_progress

    report = study_rules(labels, corpus, out, show_progress)
    emit(report, as_json, lambda: print_rules(report))
    for problem in report.problems:
        print_note(problem)
    return DONE


@command.command(
    "identity", epilog=options.format_examples(f"{NAME} identity --pairs pairs.jsonl --corpus logs/ --rows")
)
@click.option(
    "--pairs",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of judged pairs, one JSON object per line.",
)
@_CORPUS
@_JOBS
@click.option("--rows", is_flag=True, help="Also list every pair that a key joins or that a reader calls the same.")
@options.as_json
def identity(pairs: Path, corpus: Path, jobs: int | None, rows: bool, as_json: bool) -> int:
    """Measure how well each of the two keys joins learnings that a reader calls the same.

    A pair is {"a": {"session", "repo", "first", "last", "slack"}, "b": the same, "same": "yes", "no" or "unsure",
    "half"}; other keys are ignored. `first` and `last` are lines of the session, `half` names the set of owners that
    the pair belongs to. A side has the keys of the most probable proposal within its lines, with a tolerance of `slack`
    lines; with a slack of 0, the proposal's lines must be exactly these. A side without a proposal has no keys.

    Exact is the fingerprint, which identifies a learning in one project. Family is a key made of error, package,
    program and repair, which is the same in all projects. Precision counts joined pairs, recall pairs that are the same;
    unsure pairs count in neither. The intervals (Wilson, 95 %) treat pairs as independent, which pairs with a common
    side are not. Nothing is written.
    """
    from mind_skills.evaluation.identity import print_identity, study_keys
    from mind_skills.output.text import emit, print_note, show_progress
    from mind_skills.plugin.process_pool import count_usable_cpus

    report = study_keys(pairs, corpus, jobs or count_usable_cpus(), show_progress, rows=rows)
    emit(report, as_json, lambda: print_identity(report))
    for problem in report.problems:
        print_note(problem)
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
