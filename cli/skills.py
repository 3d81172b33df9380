"""`mind-skills skills`: installed skills, what came of the sessions that loaded them, and the archive of those that fail."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal

import click

from mind_skills.cli import options
from mind_skills.cli.group import ListingGroup
from mind_skills.cli.overview import ProposalReport
from mind_skills.cli.skill_standing import StandingReport, find_origin, list_proposals, list_skills
from mind_skills.errors import DONE, INPUT, MindSkillsError, StoreError
from mind_skills.errors.records import OtherProjectError, StagingError
from mind_skills.learning.skills import archive as skill_archive
from mind_skills.learning.skills.discovery import Skill, find_installed
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.learning.skills.lint import Flaw
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, line, path_text, table, when
from mind_skills.redaction.personal import redact_personal
from mind_skills.redaction.text import clean
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.archived import Archived
from mind_skills.staging.tables.candidates import Record
from mind_skills.store.project import Project
from mind_skills.tasks.lint import FlawReport, lint_path

REASON = 200
"""Characters of a reason that are kept."""
BY_HAND = "by hand"


class SkillsReport(Report):
    """`mind-skills skills --json`."""

    version: Literal[1] = 1
    project: str
    skills: list[StandingReport]


class ArchivedReport(Report):
    """A skill that was put aside, or would be: from the folder ``source`` to the folder ``target``, and why.

    ``at`` is when, null where it has not been done.
    """

    name: str
    source: str
    target: str
    candidate: str
    reason: str
    at: int | None


class ArchiveReport(Report):
    """`mind-skills skills archive --json` and `skills restore --json`.

    ``skills`` are those that were moved just now, would be, or (listed) stand in the archive.
    """

    version: Literal[1] = 1
    project: str
    done: Literal["archived", "restored", "listed"]
    dry_run: bool
    skills: list[ArchivedReport]
    proposed: list[ProposalReport]


@click.group(cls=ListingGroup)
def command() -> None:
    """Show the skills that sessions of a project can load, and how the sessions that did came out.

    A session has one vote on each skill that it loaded, from its outcome; neutral and unknown sessions have none. One
    that fails for sure is proposed for the archive; no skill is ever changed or removed. `mind-skills show NAME` has
    every vote on one. Without a command the list is shown.
    """


@options.subcommand(command, "list", "mind-skills skills list", "mind-skills skills list --json")
@options.project_and_json
def list_command(project: str, as_json: bool) -> None:
    """List the skills, those used last first."""
    place = choose_project(project)
    with state.open_ledger() as ledger:
        report = SkillsReport(project=place.root, skills=list_skills(ledger, place, state.now()))
    emit(report, as_json, lambda: _print_skills(report))


@options.subcommand(command, "lint", "mind-skills skills lint .claude/skills --json")
@click.argument("path", type=click.Path())
@options.as_json
def lint(path: str, as_json: bool) -> int:
    """Check a skill against the Agent Skills format, for safety, and against the other skills that are installed.

    PATH is a SKILL.md, the folder of a skill, or a folder of skills. Nothing in it is run or changed. The exit code is
    1 if there are errors; warnings are advice.
    """
    report = lint_path(path)

    def render() -> None:
        for skill in report.skills:
            print_flaws(skill.path, skill.flaws)
        sums = report.totals
        line(f"{count(sums.skills, 'skill')}: {count(sums.errors, 'error')}, {count(sums.warnings, 'warning')}.")

    emit(report, as_json, render)
    return INPUT if report.totals.errors else DONE


@options.subcommand(
    command,
    "archive",
    "mind-skills skills archive",
    "mind-skills skills archive exact-decimals --dry-run",
    'mind-skills skills archive exact-decimals --reason "superseded"',
)
@click.argument("name", default="", metavar="[NAME]")
@click.option("--reason", default="", metavar="R", help="Why; without it, what its votes say.")
@options.dry_run
@options.project_and_json
def archive(name: str, reason: str, dry_run: bool, project: str, as_json: bool) -> None:
    """Put a skill aside where no agent reads it; without NAME, list what is archived and what is proposed.

    NAME is a skill's name or path. Its folder is moved in one step, with all that is in it, into mind-skills-archive
    beside the folder of skills; it is never changed or deleted, and nothing is overwritten. Only a skill that came from a
    candidate is moved: what people wrote is theirs.
    """
    if reason and not name:
        raise click.UsageError("--reason says why the skill NAME is archived.")
    place = choose_project(project)
    with state.open_ledger() as ledger:
        report = ArchiveReport(project=place.root, done="listed", dry_run=dry_run, skills=[], proposed=[])
        if name:
            report.done = "archived"
            report.skills = [archive_skill(ledger, place, name, reason, state.now(), dry_run=dry_run)]
        else:
            report.skills = [_archived(each) for each in ledger.list_archived(place)]
            report.proposed = list_proposals(list_skills(ledger, place, state.now()))
    emit(report, as_json, lambda: _print_archive(report))


@options.subcommand(command, "restore", "mind-skills skills restore exact-decimals")
@click.argument("name")
@options.dry_run
@options.project_and_json
def restore(name: str, dry_run: bool, project: str, as_json: bool) -> None:
    """Put an archived skill back to where it was. NAME is its name, or the folder where it stands now."""
    place = choose_project(project)
    with state.open_ledger() as ledger:
        moved = restore_skill(ledger, place, name, state.now(), dry_run=dry_run)
    report = ArchiveReport(project=place.root, done="restored", dry_run=dry_run, skills=[moved], proposed=[])
    emit(report, as_json, lambda: _print_archive(report))


def archive_skill(
    ledger: Ledger, project: Project, name: str, reason: str, now: int, *, dry_run: bool = False
) -> ArchivedReport:
    """Move the skill of that name, or at that path, into the archive beside its folder of skills.

    ``reason`` empty: why it is failing, or "by hand". Raises MindSkillsError where there is none, where several are meant,
    where it came from no learning of ours; StoreError where it cannot be moved. Nothing is ever overwritten.
    """
    skill = _find_installed(project, name)
    record = find_origin(skill, [record for record in ledger.list_history(project) if record.state == "accepted"])
    if record is None:
        hint = "Only skills that came from a candidate are archived; what people wrote is theirs to move."
        raise MindSkillsError("not_ours", f"{skill.path} came from no candidate of this project", hint)
    source = os.path.dirname(os.path.abspath(skill.path))
    taken = frozenset(each.target for each in ledger.list_archive_rows())
    target = skill_archive.find_free_path(skill_archive.find_archive(skill.path), os.path.basename(source), taken)
    why = redact_personal(" ".join(clean(reason, REASON).split())) or _failing(ledger, project, skill, now) or BY_HAND
    if not dry_run:
        number = ledger.begin_archiving(project, skill.name, source, target, record.candidate.id, why, now)
        try:
            skill_archive.move_skill(source, target)
        except StoreError:
            if os.path.isdir(target) and not os.path.lexists(source):  # moved, but the disk would not confirm it
                ledger.record_archived(record, target, why, now)
            else:
                ledger.cancel_archiving(number)
            raise
        ledger.record_archived(record, target, why, now)
    return ArchivedReport(
        name=skill.name,
        source=path_text(source),
        target=path_text(target),
        candidate=record.candidate.id,
        reason=why,
        at=None if dry_run else now,
    )


def restore_skill(ledger: Ledger, project: Project, name: str, now: int, *, dry_run: bool = False) -> ArchivedReport:
    """Move an archived skill, by its name or the folder where it stands, back to where it was.

    Raises MindSkillsError where there is none, or several are meant, OtherProjectError; StoreError where something stands in its place.
    """
    wanted = os.path.abspath(os.path.expanduser(name))
    named = [each for each in ledger.list_archived() if wanted in (each.target, os.path.join(each.target, FILE_NAME))]
    found = [each for each in named if each.project == project.id]
    found = found or [each for each in ledger.list_archived(project) if each.name == name]
    if named and not found:
        raise OtherProjectError("this archived skill")
    if not found:
        hint = "`mind-skills skills archive` lists what is archived."
        raise MindSkillsError("not_archived", f"no skill {name} is archived here", hint)
    if len(found) > 1:
        places = ", ".join(path_text(each.target) for each in found)
        raise MindSkillsError("ambiguous_skill", f"several skills {name} are archived: {places}", "Name its folder.")
    (one,) = found
    if os.path.lexists(one.source):
        hint = "Move it away first; nothing is overwritten."
        raise MindSkillsError("place_taken", f"{path_text(one.source)} is there already", hint)
    if not dry_run:
        skill_archive.move_skill(one.target, one.source)
        ledger.record_restored(one, _record(ledger, project, one), now)
    return _archived(one)


def _archived(each: Archived) -> ArchivedReport:
    return ArchivedReport.copy(each, source=path_text(each.source), target=path_text(each.target))


def _find_installed(project: Project, name: str) -> Skill:
    path = os.path.abspath(os.path.expanduser(name))
    skills = find_installed(project.root).skills
    found = [
        each for each in skills if path in (os.path.abspath(each.path), os.path.dirname(os.path.abspath(each.path)))
    ]
    found = found or [each for each in skills if each.name == name]
    if not found:
        hint = "`mind-skills skills list` has the names."
        raise MindSkillsError("unknown_skill", f"there is no skill {name} here", hint)
    if len(found) > 1:
        places = ", ".join(path_text(each.path) for each in found)
        raise MindSkillsError("ambiguous_skill", f"several skills are called {name}: {places}", "Name its path.")
    return found[0]


def _failing(ledger: Ledger, project: Project, skill: Skill, now: int) -> str:
    path = path_text(skill.path)
    return next((each.failing for each in list_skills(ledger, project, now) if each.path == path), "")


def _record(ledger: Ledger, project: Project, what: Archived) -> Record | None:
    try:
        return ledger.find_candidate(what.candidate, project)
    except StagingError:
        return None  # forgotten meanwhile, and its story with it


def print_flaws(path: str, flaws: Sequence[Flaw | FlawReport], write: Callable[[str], None] = line) -> None:
    """Name each flaw of the skill at ``path`` with its place and what to do; nothing where there is none."""
    for flaw in flaws:
        place = f"{path}:{flaw.line}" if flaw.line else path
        write(f"{place}: {flaw.severity}: {flaw.message} [{flaw.code}]")
        write(f"    {flaw.hint} ({flaw.source})")


def advise_failing(skill: StandingReport) -> str:
    """What to do about a skill that fails."""
    if not skill.installed:
        return "It is in the archive." if skill.archived else "It is gone."
    if skill.proposed:
        return f"`mind-skills skills archive {skill.name}` puts it aside, whole and restorable."
    return "It is not of our making, so it is for you to change or remove."


def _print_skills(report: SkillsReport) -> None:
    rows = [
        (
            each.name,
            each.state if each.votes else "not used",
            str(each.loads),
            f"{each.helpful}/{each.harmful}",
            "-" if each.confidence is None else f"{each.confidence:.2f} ({each.low:.2f} to {each.high:.2f})",
        )
        for each in report.skills
    ]
    if not rows:
        line(f"No skill is installed for {report.project}, and none was used.")
        return
    table("", ("skill", "state", "sessions", "helpful/harmful", "confidence"), rows, right=("sessions",))
    for each in report.skills:
        if each.failing and each.installed:
            line(f"{each.name} fails: {each.failing}. {advise_failing(each)}")


def _print_archive(report: ArchiveReport) -> None:
    for each in report.skills:
        if report.done == "listed":
            line(f"{when(each.at)}  {each.name}: {each.target}, from {each.candidate} ({each.reason})")
        elif report.done == "restored":
            line(f"{'Would be restored' if report.dry_run else 'Restored'}: {each.name}, to {each.source}.")
        else:
            done = "Would be archived" if report.dry_run else "Archived"
            line(f"{done}: {each.name}, to {each.target} ({each.reason}).")
            line(f"  `mind-skills skills restore {each.name}` puts it back.")
    for proposal in report.proposed:
        line(f"proposed: `mind-skills skills archive {proposal.name}`: {proposal.reason}")
    if report.done == "listed" and not report.skills and not report.proposed:
        line(f"No skill of {report.project} is archived, and none is proposed for it.")
