"""`mind-skills archive`: put a skill aside where no agent reads it, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.plugin.skill_report import ArchiveReport


@click.command(
    epilog=options.examples(
        "mind-skills archive",
        "mind-skills archive exact-decimals --dry-run",
        'mind-skills archive exact-decimals --reason "superseded"',
        "mind-skills archive exact-decimals --restore",
    )
)
@click.argument("name", default="", metavar="[NAME]")
@click.option("--restore", is_flag=True, help="Put it back to where it was.")
@click.option("--reason", default="", metavar="R", help="Why; without it, what its votes say.")
@options.dry_run
@options.project
@options.as_json
def command(name: str, restore: bool, reason: str, dry_run: bool, project: str, as_json: bool) -> None:
    """Put a skill aside where no agent reads it; without NAME, list what is archived and what is proposed.

    NAME is a skill's name or path. Its folder is moved in one step, with all that is in it, into mind-skills-archive
    beside the folder of skills; it is never changed or deleted, and nothing is overwritten. Only a skill that came from a
    candidate is moved: what people wrote is theirs.
    """
    from mind_skills.cli import archiving
    from mind_skills.cli.skill_list import listed, proposals
    from mind_skills.plugin import state
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import emit
    from mind_skills.plugin.skill_report import ArchiveReport

    if restore and not name:
        raise click.UsageError("--restore needs the NAME of a skill that is archived.")
    if reason and (restore or not name):
        raise click.UsageError("--reason says why the skill NAME is archived.")
    place = chosen(project)
    with state.ledger() as ledger:
        report = ArchiveReport(project=place.root, done="listed", dry_run=dry_run, skills=[], proposed=[])
        if not name:
            report.skills = [archiving.archived_report(each) for each in ledger.archived(place)]
            report.proposed = proposals(listed(ledger, place, state.now()))
        elif restore:
            report.done = "restored"
            report.skills = [archiving.restore(ledger, place, name, state.now(), dry_run=dry_run)]
        else:
            report.done = "archived"
            report.skills = [archiving.archive(ledger, place, name, reason, state.now(), dry_run=dry_run)]
    emit(report, as_json, lambda: _show(report))


def _show(report: ArchiveReport) -> None:
    from mind_skills.plugin.output import line, when

    done = ("Would be restored" if report.dry_run else "Restored") if report.done == "restored" else ""
    done = done or ("Would be archived" if report.dry_run else "Archived")
    for each in report.skills:
        if report.done == "listed":
            line(f"{when(each.at)}  {each.name}: {each.target}, from {each.candidate} ({each.reason})")
        elif report.done == "restored":
            line(f"{done}: {each.name}, to {each.source}.")
        else:
            line(f"{done}: {each.name}, to {each.target} ({each.reason}).")
            line(f"  `mind-skills archive {each.name} --restore` puts it back.")
    for proposal in report.proposed:
        line(f"proposed: `mind-skills archive {proposal.name}`: {proposal.reason}")
    if report.done == "listed" and not report.skills and not report.proposed:
        line(f"No skill of {report.project} is archived, and none is proposed for it.")
