"""Evaluation from a checkout: `python -m mind_skills.evaluation` measures the detector on labelled sessions and fits
its weights.
"""

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


def _sessions(function: F) -> F:
    """Add the options that select the labelled sessions: ``labels``, ``corpus`` and ``jobs``."""
    for option in (_JOBS, _CORPUS, _LABELS):
        function = option(function)
    return function


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Fit the detector to hand-labelled sessions, and measure it on them. Not part of the wheel."""


@command.command(
    "score", epilog=options.format_examples(f"{NAME} score {_LABELLED}", f"{NAME} score {_LABELLED} --rows --json")
)
@_sessions
@click.option("--rows", is_flag=True, help="Also list every candidate with its verdict, and every missed learning.")
@options.as_json
def score(labels: Path, corpus: Path, rows: bool, jobs: int | None, as_json: bool) -> int:
    """Measure the detector on hand-labelled sessions.

    A label is {"session_file", "length", "learnings": [{"title", "start_line", "end_line", "key_phrases"}], "disputed":
    [the same], "borderline": [the same], "corrections": [{"line"}], "source_repo", "format"}; other keys are ignored. A
    session is identified by the last part of its path. A session without learnings and disputed learnings is a test of
    silence.

    A candidate extends from the first to the last line of its evidence. Strict: both ends are inside one learning, with
    a tolerance of three lines. Named: strict, and title or evidence contains one of its key phrases. Told: strict, and
    its offer contains one. Lenient: they overlap. Useful: strict, or inside a borderline range. A candidate inside a
    disputed learning counts neither way; a repeat, in the same learning as an earlier one of its session, counts as
    wrong. Precision counts candidates, recall counts learnings; brackets show the interval of 95 % of bootstrap samples
    of whole sources. The source of a session is its label's source_repo, else OWNER__REPO__SESSION in its name. Chance
    is the strict precision of the same spans at random positions. Candidates of kind user_rule are counted separately,
    against the corrections.

    The weights in use were fitted to some of these sessions, so their results here do not generalise. `study` scores
    each owner's sessions with weights from the others only. Worker processes run at low priority. Nothing is written.
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
@_sessions
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

    The signs of the weights are predefined (detectors/features.py) and kept. Proposals in disputed ranges are excluded,
    and those in borderline ranges that are on no learning. Calibration and tiers are based on the choices in each
    owner's sessions by a fit without that owner. The owner is the first part of source_repo, from an inventory.csv next
    to labels or sessions (file, source_repo), else from the label. The same labels and sessions give the same bytes.
    """
    from mind_skills.evaluation.numpy_check import require_numpy

    require_numpy()
    from mind_skills.evaluation.study import fit as fitted
    from mind_skills.evaluation.study_text import print_fit
    from mind_skills.output.text import emit, print_note, show_progress
    from mind_skills.plugin.process_pool import count_usable_cpus

    report = fitted(labels, corpus, out, jobs or count_usable_cpus(), show_progress)
    emit(report, as_json, lambda: print_fit(report))
    for problem in report.problems:
        print_note(problem)
    return DONE


@command.command("study", epilog=options.format_examples(f"{NAME} study {_LABELLED} --json"))
@_sessions
@options.as_json
def study(labels: Path, corpus: Path, jobs: int | None, as_json: bool) -> int:
    """Measure the detector's design on owners it has not seen. Takes minutes; needs numpy.

    For each owner, weights, calibration and tiers are fitted to all others, and that owner's sessions are replayed with
    them; the figures are pooled. High includes the candidates of that confidence, wide those of medium as well. Also:
    each format, all but the largest owner, calibration, alternative designs at the same recall, each group of features
    off, fewer owners to fit to, and the contribution of each kind and pattern. Nothing is written.
    """
    from mind_skills.evaluation.numpy_check import require_numpy

    require_numpy()
    from mind_skills.evaluation.study import study as studied
    from mind_skills.evaluation.study_text import print_study
    from mind_skills.output.text import emit, print_note, show_progress
    from mind_skills.plugin.process_pool import count_usable_cpus

    report = studied(labels, corpus, jobs or count_usable_cpus(), show_progress)
    emit(report, as_json, lambda: print_study(report))
    for problem in report.problems:
        print_note(problem)
    return DONE


@command.command(
    "rules",
    epilog=options.format_examples(f"{NAME} rules {_LABELLED} --out user_rules.json"),
)
@_sessions
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also fit to all sessions and write the weights to this file; the detector reads detectors/user_rules.json.",
)
@options.as_json
def rules(labels: Path, corpus: Path, jobs: int | None, out: Path | None, as_json: bool) -> int:
    """Measure how well the user's lasting rules are found, on owners the fit has not seen. Needs numpy.

    Uses sessions with labelled corrections. For each owner, weights, calibration and threshold come from the others
    only. A rule is a hit within three lines of a correction; precision counts rules, at most one per session, recall
    counts corrections. Runs in one process, whatever --jobs is.
    """
    from mind_skills.evaluation.numpy_check import require_numpy

    require_numpy()
    from mind_skills.evaluation.rule_study import study as studied
    from mind_skills.evaluation.study_text import print_rules
    from mind_skills.output.text import emit, print_note, show_progress

    report = studied(labels, corpus, out, show_progress)
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
@click.option("--rows", is_flag=True, help="Also list every pair that a key joins or that is the same.")
@options.as_json
def identity(pairs: Path, corpus: Path, jobs: int | None, rows: bool, as_json: bool) -> int:
    """Measure how well the two keys of a learning join what a reader calls the same learning.

    A pair is {"a": {"session", "repo", "first", "last", "slack"}, "b": the same, "same": "yes", "no" or "unsure",
    "half"}; other keys are ignored. `first` and `last` are lines of the session, `half` names the set of owners that
    the pair belongs to. A side's keys are those of the most probable proposal within its lines and a tolerance of
    `slack` lines; with a slack of 0, of the proposal with exactly these lines. A side without one has no keys.

    Exact is the fingerprint, which identifies a learning in one project. Family is the key of error, package, program
    and repair, which is equal across projects. Precision counts the joined pairs, recall the pairs that are the same;
    unsure pairs count in neither. The intervals (Wilson, 95 %) treat pairs as independent, which pairs with a common
    side are not. Nothing is written.
    """
    from mind_skills.evaluation.identity import print_identity
    from mind_skills.evaluation.identity import study as studied
    from mind_skills.output.text import emit, print_note, show_progress
    from mind_skills.plugin.process_pool import count_usable_cpus

    report = studied(pairs, corpus, jobs or count_usable_cpus(), show_progress, rows=rows)
    emit(report, as_json, lambda: print_identity(report))
    for problem in report.problems:
        print_note(problem)
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
