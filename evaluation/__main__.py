"""`python -m mind_skills.evaluation`, from a checkout: how good the detector is on labelled sessions, and the fit of its weights."""

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
    """Run what ``arguments`` ask for and return the exit code."""
    return execute(arguments, partial(run_group, command, NAME))


def _sessions(function: F) -> F:
    """Add what names the labelled sessions: ``labels``, ``corpus`` and ``jobs``."""
    for option in (
        click.option(
            "--jobs",
            type=click.IntRange(1, 64),
            metavar="N",
            help="Work on N sessions at a time; without it, one a processor.",
        ),
        click.option(
            "--corpus",
            required=True,
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="The folder that holds the labelled sessions, by the names that the labels give them.",
        ),
        click.option(
            "--labels",
            required=True,
            type=click.Path(path_type=Path),
            metavar="L",
            help="The labels, one JSON object a line.",
        ),
    ):
        function = option(function)
    return function


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Fit the detector to sessions that were labelled by hand, and measure it there. Nothing of it is in the wheel."""


@command.command(
    "score", epilog=options.examples(f"{NAME} score {_LABELLED}", f"{NAME} score {_LABELLED} --rows --json")
)
@_sessions
@click.option("--rows", is_flag=True, help="Also list every candidate with its verdict, and every learning missed.")
@options.as_json
def score(labels: Path, corpus: Path, rows: bool, jobs: int | None, as_json: bool) -> int:
    """Measure the detector against sessions that were labelled by hand.

    A label is {"session_file", "length", "learnings": [{"title", "start_line", "end_line", "key_phrases"}],
    "disputed": [the same], "borderline": [the same], "corrections": [{"line"}], "source_repo", "format"}; other keys are
    passed over. Sessions are recognised by the last part of their path. One with neither learnings nor disputed ones is a
    test of silence.

    A candidate is placed by the first and the last line of its evidence. Strict: both lie in one learning, give or take
    three lines. Named: strict, and title or evidence holds one of its key phrases. Told: strict, and its offer does.
    Lenient: they overlap. Useful: strict, or inside a borderline range. A candidate inside a disputed learning counts
    neither way; a repeat, in the same learning as an earlier one of its session, counts as wrong. Precision counts
    candidates, recall learnings; in brackets stands what 95 % of bootstrap samples of whole sources give: a session's
    source is its label's source_repo, else what OWNER__REPO__SESSION in its name says. Chance is the strict precision of
    the same spans at random places. Candidates of kind user_rule count apart, by the corrections.

    The weights in use have seen the sessions that they were fitted to: what they do on those says nothing of others.
    `study` scores each owner's sessions by weights of the others alone. The processes that do the work give way to
    others. Nothing is written.
    """
    from mind_skills.evaluation.answer import Wanted, evaluate
    from mind_skills.evaluation.text import show
    from mind_skills.output.text import emit, note, show_progress
    from mind_skills.plugin.workers import usable_cpus

    wanted = Wanted(labels, corpus, jobs or usable_cpus(), rows)
    report = evaluate(wanted, show_progress)
    emit(report, as_json, lambda: show(report))
    for problem in report.problems:
        note(problem)
    for name in report.missing:
        note(f"{name} was not replayed: its learnings count as not found.")
    return DONE


@command.command("fit", epilog=options.examples(f"{NAME} fit {_LABELLED} --out weights.json"))
@_sessions
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the weights are written; detectors/weights.json is what the detector reads.",
)
@options.as_json
def fit(labels: Path, corpus: Path, jobs: int | None, out: Path, as_json: bool) -> int:
    """Fit the detector's weights to labelled sessions. Needs numpy: the extra `fit`.

    The signs of the weights are fixed beforehand (detectors/features.py) and kept. Proposals in disputed ranges are left
    out, and those in borderline ranges that lie on no learning. Probabilities are calibrated, and tiers begin, by what is
    chosen in each owner's sessions without that owner: owners are told apart by the first part of source_repo, of
    inventory.csv beside labels or sessions (file, source_repo), else of the label. The same labels and sessions give the
    same bytes.
    """
    from mind_skills.evaluation.extra import needed

    needed()
    from mind_skills.evaluation.study import fit as fitted
    from mind_skills.evaluation.study_text import show_fit
    from mind_skills.output.text import emit, note, show_progress
    from mind_skills.plugin.workers import usable_cpus

    report = fitted(labels, corpus, out, jobs or usable_cpus(), show_progress)
    emit(report, as_json, lambda: show_fit(report))
    for problem in report.problems:
        note(problem)
    return DONE


@command.command("study", epilog=options.examples(f"{NAME} study {_LABELLED} --json"))
@_sessions
@options.as_json
def study(labels: Path, corpus: Path, jobs: int | None, as_json: bool) -> int:
    """Measure the detector's design on owners that it did not see. Takes minutes; needs numpy: the extra `fit`.

    For each owner weights are fitted, probabilities calibrated and tiers chosen on all others, and then that owner's
    sessions are replayed with them; the figures are pooled. High are the candidates of that confidence, wide those of
    medium as well. Further: each format, all but the largest owner, how far probabilities hold, other designs at the same
    recall, each group of features off, fewer owners to fit to, and what each kind and pattern brings. Nothing is written.
    """
    from mind_skills.evaluation.extra import needed

    needed()
    from mind_skills.evaluation.study import study as studied
    from mind_skills.evaluation.study_text import show_study
    from mind_skills.output.text import emit, note, show_progress
    from mind_skills.plugin.workers import usable_cpus

    report = studied(labels, corpus, jobs or usable_cpus(), show_progress)
    emit(report, as_json, lambda: show_study(report))
    for problem in report.problems:
        note(problem)
    return DONE


@command.command(
    "rules",
    epilog=options.examples(f"{NAME} rules {_LABELLED} --out user_rules.json"),
)
@_sessions
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also fit to all sessions and write the weights there; detectors/user_rules.json is what the detector reads.",
)
@options.as_json
def rules(labels: Path, corpus: Path, jobs: int | None, out: Path | None, as_json: bool) -> int:
    """Measure how well the user's lasting rules are told, on owners that had no part in it. Needs numpy: the extra `fit`.

    Of sessions whose corrections were labelled. For each owner weights, calibration and the least probability come from the
    others alone. A rule is a hit within three lines of a correction; precision counts rules, at most one a session, recall
    corrections. One process does the work, whatever --jobs says.
    """
    from mind_skills.evaluation.extra import needed

    needed()
    from mind_skills.evaluation.rule_study import study as studied
    from mind_skills.evaluation.study_text import show_rules
    from mind_skills.output.text import emit, note, show_progress

    report = studied(labels, corpus, out, show_progress)
    emit(report, as_json, lambda: show_rules(report))
    for problem in report.problems:
        note(problem)
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
