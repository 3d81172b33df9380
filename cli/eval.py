"""`mind-skills eval`: how good the detector is, on sessions that were labelled by hand, and the fit of its weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import DONE

F = TypeVar("F", bound=Callable[..., Any])

_EXAMPLES = options.examples(
    "mind-skills eval --labels labels.jsonl --corpus logs/",
    "mind-skills eval --labels labels.jsonl --corpus logs/ --rows --json",
    "mind-skills eval --journal",
    "mind-skills eval study --labels labels.jsonl --corpus logs/",
    "mind-skills eval fit --labels labels.jsonl --corpus logs/ --out detectors/weights.json",
    "mind-skills eval rules --labels labels.jsonl --corpus logs/",
)


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
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="The folder that holds the labelled sessions, by the names that the labels give them.",
        ),
        click.option(
            "--labels", type=click.Path(path_type=Path), metavar="L", help="The labels, one JSON object a line."
        ),
    ):
        function = option(function)
    return function


def _given(labels: Path | None, corpus: Path | None) -> tuple[Path, Path]:
    for name, value in (("--labels", labels), ("--corpus", corpus)):
        if value is None:
            raise click.UsageError(f"Missing option '{name}'.")
    assert labels is not None
    assert corpus is not None
    return labels, corpus


@click.group(cls=SuggestingGroup, invoke_without_command=True, epilog=_EXAMPLES)
@_sessions
@click.option("--rows", is_flag=True, help="Also list every candidate with its verdict, and every learning missed.")
@click.option("--journal", is_flag=True, help="Measure by your own decisions instead, without labels and sessions.")
@options.as_json
@click.pass_context
def command(
    context: click.Context,
    labels: Path | None,
    corpus: Path | None,
    rows: bool,
    journal: bool,
    jobs: int | None,
    as_json: bool,
) -> int | None:
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
    `eval study` scores each owner's sessions by weights of the others alone. The processes that do the work give way to
    others. Nothing is written.

    --journal goes through what you accepted, dismissed and passed over, in the order in which you did, each project by
    itself: how much of what was told you kept, by tier, as the scorer alone would have told it, and as what you had
    decided before shifts it. `learn_from_decisions` of the settings switches that shift off.
    """
    if context.invoked_subcommand is not None:
        return None
    if journal:
        return _journal(as_json)
    from mind_skills.evaluation.answer import Wanted, evaluate
    from mind_skills.evaluation.text import show
    from mind_skills.output.text import emit, note
    from mind_skills.plugin.workers import usable_cpus
    from mind_skills.tasks.waiting import progress

    wanted = Wanted(*_given(labels, corpus), jobs or usable_cpus(), rows)
    report = evaluate(wanted, progress)
    emit(report, as_json, lambda: show(report))
    for problem in report.problems:
        note(problem)
    for name in report.missing:
        note(f"{name} was not replayed: its learnings count as not found.")
    return DONE


def _journal(as_json: bool) -> int:
    from mind_skills.evaluation.journal import journal
    from mind_skills.evaluation.journal_text import show
    from mind_skills.output import state
    from mind_skills.output.text import emit
    from mind_skills.staging.decisions import group_features

    with state.open_ledger() as ledger:
        report = journal(*ledger.list_decisions(), group_features())
    emit(report, as_json, lambda: show(report))
    return DONE


@command.command(
    "fit", epilog=options.examples("mind-skills eval fit --labels labels.jsonl --corpus logs/ --out weights.json")
)
@_sessions
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the weights are written; detectors/weights.json is what the detector reads.",
)
@options.as_json
def fit(labels: Path | None, corpus: Path | None, jobs: int | None, out: Path, as_json: bool) -> int:
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
    from mind_skills.output.text import emit, note
    from mind_skills.plugin.workers import usable_cpus
    from mind_skills.tasks.waiting import progress

    report = fitted(*_given(labels, corpus), out, jobs or usable_cpus(), progress)
    emit(report, as_json, lambda: show_fit(report))
    for problem in report.problems:
        note(problem)
    return DONE


@command.command("study", epilog=options.examples("mind-skills eval study --labels labels.jsonl --corpus logs/ --json"))
@_sessions
@options.as_json
def study(labels: Path | None, corpus: Path | None, jobs: int | None, as_json: bool) -> int:
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
    from mind_skills.output.text import emit, note
    from mind_skills.plugin.workers import usable_cpus
    from mind_skills.tasks.waiting import progress

    report = studied(*_given(labels, corpus), jobs or usable_cpus(), progress)
    emit(report, as_json, lambda: show_study(report))
    for problem in report.problems:
        note(problem)
    return DONE


@command.command(
    "rules",
    epilog=options.examples("mind-skills eval rules --labels labels.jsonl --corpus logs/ --out user_rules.json"),
)
@_sessions
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also fit to all sessions and write the weights there; detectors/user_rules.json is what the detector reads.",
)
@options.as_json
def rules(labels: Path | None, corpus: Path | None, jobs: int | None, out: Path | None, as_json: bool) -> int:
    """Measure how well the user's lasting rules are told, on owners that had no part in it. Needs numpy: the extra `fit`.

    Of sessions whose corrections were labelled. For each owner weights, calibration and the least probability come from the
    others alone. A rule is a hit within three lines of a correction; precision counts rules, at most one a session, recall
    corrections. One process does the work, whatever --jobs says.
    """
    from mind_skills.evaluation.extra import needed

    needed()
    from mind_skills.evaluation.rule_study import study as studied
    from mind_skills.evaluation.study_text import show_rules
    from mind_skills.output.text import emit, note
    from mind_skills.tasks.waiting import progress

    report = studied(*_given(labels, corpus), out, progress)
    emit(report, as_json, lambda: show_rules(report))
    for problem in report.problems:
        note(problem)
    return DONE
