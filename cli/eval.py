"""`mind-skills eval`: how good the detector is, on sessions that were labelled by hand."""

from __future__ import annotations

from pathlib import Path

import click

from mind_skills.cli import options
from mind_skills.errors import DONE

_EXAMPLES = options.examples(
    "mind-skills eval --labels labels.jsonl --corpus logs/",
    "mind-skills eval --labels labels.jsonl --corpus logs/ --rows --json",
    "mind-skills eval --labels labels.jsonl --corpus logs/ --ablation",
)


@click.command(epilog=_EXAMPLES)
@click.option(
    "--labels", required=True, type=click.Path(path_type=Path), metavar="L", help="The labels, one JSON object a line."
)
@click.option(
    "--corpus",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder that holds the labelled sessions, by the names that the labels give them.",
)
@click.option("--rows", is_flag=True, help="Also list every candidate with its verdict, and every learning missed.")
@click.option("--ablation", is_flag=True, help="Also switch each rule of the detector off, alone.")
@click.option(
    "--folds",
    is_flag=True,
    help="Also choose each threshold without one source of sessions and score it there; takes minutes.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 64), metavar="N", help="Replay N sessions at a time; without it, one a processor."
)
@options.as_json
def command(
    labels: Path, corpus: Path, rows: bool, ablation: bool, folds: bool, jobs: int | None, as_json: bool
) -> int:
    """Measure the detector against sessions that were labelled by hand.

    A label is {"session_file", "length", "learnings": [{"title", "start_line", "end_line", "key_phrases"}],
    "disputed": [the same], "borderline": [the same], "source_repo"}; other keys are passed over. Sessions are recognised
    by the last part of their path. One with neither learnings nor disputed ones is a test of silence.

    A candidate is placed by the first and the last line of its evidence. Strict: both lie in one learning, give or take
    three lines. Named: strict, and title or evidence holds one of its key phrases. Lenient: they overlap. Useful:
    strict, or inside a borderline range. A candidate inside a disputed learning counts neither way; a repeat, in the same
    learning as an earlier one of its session, counts as wrong. Precision counts candidates, recall learnings; in brackets
    stands what 95 % of bootstrap samples of whole sources give: a session's source is its label's source_repo, else what
    OWNER__REPO__SESSION in its name says. Chance is the strict precision of the same spans at random places.

    --folds reads which source a session is from in inventory.csv (file, source_repo), beside the labels or the
    sessions. The processes that do the work give way to others. Nothing is written.
    """
    from mind_skills.plugin.evaluating.answer import Wanted, evaluate
    from mind_skills.plugin.evaluating.text import show
    from mind_skills.plugin.output import emit, note
    from mind_skills.plugin.workers import usable_cpus
    from mind_skills.tasks.waiting import progress

    wanted = Wanted(labels, corpus, jobs or usable_cpus(), rows, ablation, folds)
    report = evaluate(wanted, progress)
    emit(report, as_json, lambda: show(report))
    for problem in report.problems:
        note(problem)
    for name in report.missing:
        note(f"{name} was not replayed: its learnings count as not found.")
    return DONE
