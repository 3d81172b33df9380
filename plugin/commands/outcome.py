"""`mind-skills outcome`: how a task came out, where no session log says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from mind_skills.plugin import options
from mind_skills.plugin.group import SuggestingGroup

if TYPE_CHECKING:
    from mind_skills.learning.outcome import OutcomeType
    from mind_skills.plugin.error_report import OutcomeRecordReport


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Say how a task came out. Sessions are judged by their logs; this is for whatever has none."""


@command.command(
    "record",
    epilog=options.examples(
        "mind-skills outcome record shop-12 --success --duration-ms 240000",
        'mind-skills outcome record shop-12 --failed --errors 4 --retries 2 --strategy "split by file type" --json',
    ),
)
@click.argument("task")
@click.option("--success/--failed", "success", required=True, help="Whether it reached what it was after.")
@click.option(
    "--duration-ms", type=click.IntRange(0), default=0, metavar="N", help="How long it took; 0 counts as fast."
)
@click.option("--errors", type=click.IntRange(0), default=0, metavar="N", help="How many errors it had.")
@click.option("--retries", type=click.IntRange(0), default=0, metavar="N", help="How often something was tried again.")
@click.option("--strategy", default="", metavar="TEXT", help="The plan that it followed, in words.")
@options.project
@options.as_json
def record(
    task: str, success: bool, duration_ms: int, errors: int, retries: int, strategy: str, project: str, as_json: bool
) -> None:
    """Score TASK by what is known of it; the strategies that its plan names get one vote each."""
    from mind_skills.learning.scoring import OutcomeSignals, score_implicit_feedback
    from mind_skills.learning.strategies import extract
    from mind_skills.plugin import state
    from mind_skills.plugin.error_report import OutcomeRecordReport
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import emit
    from mind_skills.plugin.patterns import opened

    now = state.now()
    scored = score_implicit_feedback(OutcomeSignals(task, duration_ms, errors, retries, success, now), now=now)
    followed = extract(strategy)
    with opened(chosen(project)) as patterns:
        kind = cast("OutcomeType", scored.type)
        patterns.credit.vote(patterns.project.id, f"task {task}", followed, kind, at=now, now=now)
        patterns.changed()
    report = OutcomeRecordReport(
        task=task,
        type=scored.type,
        score=round(scored.raw, 3),
        reasoning=scored.reasoning,
        strategies=followed,
        voted=bool(followed) and scored.type != "neutral",
    )
    emit(report, as_json, lambda: _show(report))


def _show(report: OutcomeRecordReport) -> None:
    from mind_skills.plugin.output import line

    line(f"{report.task}: {report.type} ({report.score}). {report.reasoning}")
    if report.strategies:
        line(f"{'Voted on' if report.voted else 'No vote on'} {', '.join(report.strategies)}.")
