"""`mind-skills skills`: list skills with the outcomes of their sessions, check them, and archive failing ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import click

from mind_skills.cli import options
from mind_skills.cli.group import ListingGroup
from mind_skills.cli.skill_standing import StandingReport, advise_failing, find_origin, list_proposals, list_skills
from mind_skills.errors import DONE, FAILURE, MindSkillsError, StoreError
from mind_skills.errors.records import OtherProjectError, StagingError
from mind_skills.learning.skills import archive as skill_archive
from mind_skills.learning.skills.discovery import Skill, find_installed_skills
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.output import state
from mind_skills.output.candidates import ProposalReport
from mind_skills.output.document import Report
from mind_skills.output.text import emit, format_count, format_path, format_time, print_line, print_note, print_table
from mind_skills.redaction.personal import redact_personal
from mind_skills.redaction.text import clean_text
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.archived import ArchivedSkill
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.store.project import Project

if TYPE_CHECKING:
    from mind_skills.learning.skills.lint import LintProblem
    from mind_skills.tasks.lint import FlawReport

MAX_REASON_CHARACTERS = 200
"""Maximum number of characters of a reason."""


class SkillsReport(Report):
    """Output of `mind-skills skills --json`."""

    version: Literal[1] = 1
    project: str
    skills: list[StandingReport]


class ArchivedReport(Report):
    """A skill that was or would be moved from the folder ``source`` to the folder ``target``, and the reason.

    ``at`` is the time at which it was archived, null if `archive --dry-run` only planned this.
    """

    name: str
    source: str
    target: str
    candidate: str
    reason: str
    at: int | None


class ArchiveReport(Report):
    """Output of `mind-skills skills archive --json` and `mind-skills skills restore --json`.

    ``skills`` are the skills that were or would be moved; if ``done`` is ``listed``, the skills in the archive.
    """

    version: Literal[1] = 1
    project: str
    done: Literal["archived", "restored", "listed"]
    dry_run: bool
    skills: list[ArchivedReport]
    proposed: list[ProposalReport]


@click.group(cls=ListingGroup)
def command() -> None:
    """List the skills that sessions of a project can load, with the votes of these sessions.

    A helpful or harmful outcome of a session is its vote on each skill that the session loaded. A skill that was made
    from a candidate and is clearly failing is proposed for archiving; skills are never changed or deleted. `mind-skills
    show NAME` lists the votes on a skill. Without a command, the list is shown.
    """


@options.subcommand(command, "list", "mind-skills skills list", "mind-skills skills list --json")
@options.project_and_json
def list_command(folder: str, as_json: bool) -> None:
    """List the skills, most recently used first."""
    project = state.resolve_project_option(folder)
    with state.open_ledger(create=False) as ledger:
        report = SkillsReport(project=project.root, skills=list_skills(ledger, project, state.read_clock()))
    emit(report, as_json, lambda: _print_skills(report))


@options.subcommand(command, "lint", "mind-skills skills lint .claude/skills --json")
@click.argument("path", type=click.Path())
@options.as_json
def lint(path: str, as_json: bool) -> int:
    """Check a skill against the Agent Skills format, for safety, and for conflicts with other installed skills.

    PATH is a SKILL.md, the folder of a skill, or a folder of skills. Nothing in it is executed or changed. The exit
    code is 1 if there are errors; warnings are advice.
    """
    from mind_skills.tasks.lint import lint_path  # imports PyYAML, which only this command needs

    report = lint_path(path)

    def render() -> None:
        for skill in report.skills:
            print_flaws(skill.path, skill.flaws)
        totals = report.totals
        print_line(
            f"{format_count(totals.skills, 'skill')}: {format_count(totals.errors, 'error')}, {format_count(totals.warnings, 'warning')}."
        )

    emit(report, as_json, render)
    return FAILURE if report.totals.errors else DONE


@options.subcommand(
    command,
    "archive",
    "mind-skills skills archive",
    "mind-skills skills archive exact-decimals --dry-run",
    'mind-skills skills archive exact-decimals --reason "superseded"',
)
@click.argument("name", default="", metavar="[NAME]")
@click.option("--reason", default="", metavar="R", help="Reason. Default: derived from the votes on the skill.")
@options.dry_run
@options.project_and_json
def archive(name: str, reason: str, dry_run: bool, folder: str, as_json: bool) -> None:
    """Archive a skill, so that no agent reads it. Without NAME, list the archived and proposed skills.

    NAME is the name or path of a skill. The whole folder of the skill is moved atomically to mind-skills-archive, next
    to the folder of all skills. Skills are never changed or deleted, and nothing is overwritten. Only skills that were
    made from a candidate are moved, never skills that people wrote.
    """
    if reason and not name:
        raise click.UsageError("--reason requires NAME.")
    project = state.resolve_project_option(folder)
    with state.open_ledger(create=False) as ledger:
        report = ArchiveReport(project=project.root, done="listed", dry_run=dry_run, skills=[], proposed=[])
        if name:
            report.done = "archived"
            report.skills = [archive_skill(ledger, project, name, reason, state.read_clock(), dry_run=dry_run)]
        else:
            report.skills = [_build_archived_report(each) for each in ledger.list_archived(project)]
            report.proposed = list_proposals(list_skills(ledger, project, state.read_clock()))
    emit(report, as_json, lambda: _print_archive(report))


@options.subcommand(command, "restore", "mind-skills skills restore exact-decimals")
@click.argument("name")
@options.dry_run
@options.project_and_json
def restore(name: str, dry_run: bool, folder: str, as_json: bool) -> None:
    """Restore an archived skill to its original folder. NAME is its name, or its folder in the archive."""
    project = state.resolve_project_option(folder)
    with state.open_ledger(create=False) as ledger:
        moved = restore_skill(ledger, project, name, state.read_clock(), dry_run=dry_run)
    report = ArchiveReport(project=project.root, done="restored", dry_run=dry_run, skills=[moved], proposed=[])
    emit(report, as_json, lambda: _print_archive(report))


def archive_skill(
    ledger: Ledger, project: Project, name: str, reason: str, now: int, *, dry_run: bool = False
) -> ArchivedReport:
    """Move the skill called ``name``, or at the path ``name``, to the archive next to the folder of all skills.

    If ``reason`` is empty, the reason recorded is why the skill fails, or "by hand". Nothing is overwritten. Raises
    MindSkillsError if the skill is unknown, ambiguous or not made from a candidate, StoreError if it cannot be moved.
    """
    skill = _find_skill(project, name)
    record = find_origin(skill, [record for record in ledger.list_history(project) if record.state == "accepted"])
    if record is None:
        hint = "Only skills made from a candidate are archived; move or delete this skill yourself."
        raise MindSkillsError("not_ours", f"{skill.path} was not made from a candidate of this project", hint)
    source = os.path.dirname(os.path.abspath(skill.path))
    taken = frozenset(each.target for each in ledger.list_archive_rows())
    target = skill_archive.find_free_path(skill_archive.find_archive(skill.path), os.path.basename(source), taken)
    cleaned = (
        redact_personal(" ".join(clean_text(reason, MAX_REASON_CHARACTERS).split()))
        or _explain_failing(ledger, project, skill, now)
        or "by hand"
    )
    if not dry_run:
        number = ledger.begin_archiving(project, skill.name, source, target, record.candidate.id, cleaned, now)
        try:
            skill_archive.move_skill(source, target)
        except StoreError:
            if os.path.isdir(target) and not os.path.lexists(source):  # moved, but syncing to disk failed
                ledger.record_archived(record, target, cleaned, now)
            else:
                ledger.cancel_archiving(number)
            raise
        ledger.record_archived(record, target, cleaned, now)
    return ArchivedReport(
        name=skill.name,
        source=format_path(source),
        target=format_path(target),
        candidate=record.candidate.id,
        reason=cleaned,
        at=None if dry_run else now,
    )


def restore_skill(ledger: Ledger, project: Project, name: str, now: int, *, dry_run: bool = False) -> ArchivedReport:
    """Restore an archived skill, given by its name or its folder in the archive, to its original folder.

    Raises OtherProjectError, StoreError, or MindSkillsError if the skill is unknown or ambiguous, or if its original
    folder exists.
    """
    path = os.path.abspath(os.path.expanduser(name))
    by_path = [each for each in ledger.list_archived() if path in (each.target, os.path.join(each.target, FILE_NAME))]
    matches = [each for each in by_path if each.project == project.id]
    matches = matches or [each for each in ledger.list_archived(project) if each.name == name]
    if by_path and not matches:
        raise OtherProjectError("this archived skill")
    if not matches:
        hint = "Run `mind-skills skills archive` to list the archived skills."
        raise MindSkillsError("not_archived", f"no skill {name} is archived here", hint)
    if len(matches) > 1:
        paths = ", ".join(format_path(each.target) for each in matches)
        raise MindSkillsError(
            "ambiguous_skill", f"several archived skills are called {name}: {paths}", "Use one of these paths."
        )
    (archived,) = matches
    if os.path.lexists(archived.source):
        hint = "Move that folder away first; nothing is overwritten."
        raise MindSkillsError("place_taken", f"{format_path(archived.source)} already exists", hint)
    if not dry_run:
        skill_archive.move_skill(archived.target, archived.source)
        ledger.record_restored(archived, _find_record(ledger, project, archived), now)
    return _build_archived_report(archived)


def _build_archived_report(archived: ArchivedSkill) -> ArchivedReport:
    return ArchivedReport.from_object(
        archived, source=format_path(archived.source), target=format_path(archived.target)
    )


def _find_skill(project: Project, name: str) -> Skill:
    """Find the only installed skill at the path or with the name ``name``. Raises MindSkillsError."""
    path = os.path.abspath(os.path.expanduser(name))
    skills = find_installed_skills(project.root).skills
    matches = [
        each for each in skills if path in (os.path.abspath(each.path), os.path.dirname(os.path.abspath(each.path)))
    ]
    matches = matches or [each for each in skills if each.name == name]
    if not matches:
        hint = "Run `mind-skills skills list` to list the skills."
        raise MindSkillsError("unknown_skill", f"there is no skill {name} here", hint)
    if len(matches) > 1:
        paths = ", ".join(format_path(each.path) for each in matches)
        raise MindSkillsError(
            "ambiguous_skill", f"several skills are called {name}: {paths}", "Use one of these paths."
        )
    return matches[0]


def _explain_failing(ledger: Ledger, project: Project, skill: Skill, now: int) -> str:
    path = format_path(skill.path)
    return next((each.failing for each in list_skills(ledger, project, now) if each.path == path), "")


def _find_record(ledger: Ledger, project: Project, archived: ArchivedSkill) -> StoredCandidate | None:
    try:
        return ledger.find_candidate(archived.candidate, project)
    except StagingError:
        return None  # the candidate was deleted in the meantime


def print_flaws(
    path: str, flaws: Sequence[LintProblem | FlawReport], write: Callable[[str], None] = print_line
) -> None:
    """Print each flaw of the skill at ``path`` with its location and a hint, by calling ``write`` for each line."""
    for flaw in flaws:
        location = f"{path}:{flaw.line}" if flaw.line else path
        write(f"{location}: {flaw.severity}: {flaw.message} [{flaw.code}]")
        write(f"    {flaw.hint} ({flaw.source})")


def _print_skills(report: SkillsReport) -> None:
    """Print the skills, and advice on the failing ones."""
    rows = [
        (
            each.name,
            each.state if each.votes else "not used",
            str(each.loads),
            f"{each.helpful}/{each.harmful}",
            "-" if each.confidence is None else f"{each.confidence:.0%} ({each.low:.0%} to {each.high:.0%})",
        )
        for each in report.skills
    ]
    if not rows:
        print_line(f"No skill is installed for {report.project}, and none was used.")
        return
    print_note(f"Skills that sessions in {report.project} can load:")
    columns = ("skill", "state", "sessions", "helpful/harmful", "helpful share (95 % interval)")
    print_table("", columns, rows, right_aligned=("sessions",))
    project_option = state.format_project_option(report.project)
    for each in report.skills:
        if each.problems and each.installed:
            print_line(f"{each.name} needs a look: {'; '.join(each.problems)}.")
        if each.failing and each.installed:
            print_line(f"{each.name} is failing: {each.failing}. {advise_failing(each, project_option)}")


def _print_archive(report: ArchiveReport) -> None:
    """Print the moved or listed skills, and the proposed ones."""
    project_option = state.format_project_option(report.project)
    for each in report.skills:
        if report.done == "listed":
            print_line(f"{format_time(each.at)}  {each.name}: {each.target}, from {each.candidate} ({each.reason})")
        elif report.done == "restored":
            print_line(f"{'Would be restored' if report.dry_run else 'Restored'}: {each.name}, to {each.source}.")
        else:
            label = "Would be archived" if report.dry_run else "Archived"
            print_line(f"{label}: {each.name}, to {each.target} ({each.reason}).")
            print_line(f"  `mind-skills skills restore {each.name}{project_option}` restores it.")
    for proposal in report.proposed:
        archive = f"`mind-skills skills archive {proposal.name}{project_option}`"
        print_line(f"{proposal.name} is failing: {proposal.reason}. Run {archive} to archive it.")
    if report.done == "listed" and not report.skills and not report.proposed:
        print_line(f"No skill of {report.project} is archived or proposed for archiving.")
