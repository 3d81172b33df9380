"""`mind-skills proof`: compare how many sessions overcame a recurring error with and without the skill for it."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.proof_report import (
    ProofReport,
    build_proof_report,
    format_arm,
    format_difference,
    format_effort,
)
from mind_skills.output import state
from mind_skills.output.text import emit, format_count, print_line, print_table
from mind_skills.report.document import RemindersReport


@options.top_level_command("mind-skills proof", "mind-skills proof exact-decimals", "mind-skills proof --json")
@click.argument("name", default="", metavar="[SKILL]")
@options.project_and_json
def command(name: str, folder: str, as_json: bool) -> None:
    """Measure whether skills help when their error recurs: how many sessions overcame it, and how fast.

    The command compares sessions that met the same error after the skill was made: those that loaded the skill before
    they overcame the error, and those that did not. With fewer than five sessions on either side there is no verdict.
    Skills are not loaded at random, so the result is a correlation, not a proven cause; docs/learning.md lists possible
    biases.
    """
    with state.open_ledger(create=False) as ledger:
        report = build_proof_report(ledger, state.resolve_project_option(folder), name)
    emit(report, as_json, lambda: _print_report(report))


def _print_report(report: ProofReport) -> None:
    rows = [
        (
            each.name,
            *(format_arm(arm) for arm in (each.comparison.with_skill, each.comparison.without, each.before)),
            *(format_effort(arm) for arm in (each.comparison.with_skill, each.comparison.without)),
            format_difference(each.comparison),
        )
        for each in report.skills
    ]
    if rows:
        columns = ("skill", "solved with", "without", "before the skill", "effort with", "without", "difference")
        print_table("Sessions in which the error recurred", columns, rows)
        overall = report.overall
        print_line(
            f"All skills: {format_arm(overall.with_skill)} with, {format_arm(overall.without)} without; {format_difference(overall)}."
        )
        print_line(
            f"Errors repaired minus errors regressed: {overall.repairs} - {overall.regressions} = {overall.net}."
        )
        print_line(
            "`mind-skills skills` counts the outcomes of all sessions that loaded a skill; this compares only those in which its"
            " error recurred. So a skill can be proven there and lack data here."
        )
    else:
        print_line(f"No learning of {report.project} has become a skill yet, so there is nothing to compare.")
    if report.unskilled.n:
        print_line(
            f"Errors without a skill recurred in {format_count(report.unskilled.n, 'session')}; solved: {format_arm(report.unskilled)}."
        )
    if report.reminders.given or report.reminders.silent.n:
        _print_reminders(report.reminders)
    if rows or report.known:
        print_line(
            f"Tracked in this project: {format_count(report.known, 'error')}. Skills are not loaded at random: this is a correlation."
        )


def _print_reminders(reminders: RemindersReport) -> None:
    sides = (("told", reminders.shown), ("left silent", reminders.silent), ("before and elsewhere", reminders.others))
    rows = [(name, format_arm(side), format_effort(side)) for name, side in sides]
    print_table("Errors that an earlier session had solved", ("sessions", "solved", "effort"), rows)
    given = format_count(reminders.given, "reminder")
    print_line(f"{given}; of {reminders.skills} that named a skill, {reminders.loaded} led to loading it.")
    print_line(
        "Only the sessions that were left silent are a fair comparison; the others are earlier ones, or had another host."
        " Whether an agent read a reminder is in no log."
    )
