"""`mind-skills skills`: list skills with the outcomes of their sessions, check them, and archive failing ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from mind_skills.cli import options
from mind_skills.cli.group import ListingGroup
from mind_skills.cli.skill_standing import StandingReport, advise_failing, find_origin, list_proposals, list_skills
from mind_skills.errors import DONE, FAILURE, MindSkillsError, StoreError
from mind_skills.errors.records import OtherProjectError, StagingError
from mind_skills.learning.skills import archive as skill_archive
from mind_skills.learning.skills.discovery import Skill
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.output import state
from mind_skills.output.candidates import ProposalReport, format_proposal
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

MAX_REASON_CHARACTERS = 200
MAX_FOLDER_ENTRIES = 1000


class SkillsReport(Report):
    """Output of `mind-skills skills --json`."""

    version: Literal[1] = 1
    project: str
    skills: list[StandingReport]


class Moved(NamedTuple):
    """A skill that was or would be moved from the folder ``source`` to ``target``; ``at`` is None if that was only planned."""

    name: str
    source: str
    target: str
    candidate: str
    reason: str
    at: int | None


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
    """Check the format and safety of a skill, and its conflicts with others.

    PATH is a SKILL.md, the folder of a skill, or a folder of skills. Nothing in it is executed or changed. The exit
    code is 1 if there are errors; warnings are advice.
    """
    skills = lint_path(path)
    severities = [flaw.severity for skill in skills for flaw in skill.flaws]
    errors, warnings = severities.count("error"), severities.count("warning")

    def render() -> None:
        for skill in skills:
            print_flaws(skill.path, skill.flaws)
        print_line(
            f"{format_count(len(skills), 'skill')}: {format_count(errors, 'error')}, {format_count(warnings, 'warning')}."
        )

    totals = {"skills": len(skills), "errors": errors, "warnings": warnings}
    emit({"skills": skills, "totals": totals}, as_json, render)
    return FAILURE if errors else DONE


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
        if name:
            moved = [archive_skill(ledger, project, name, reason, state.read_clock(), dry_run=dry_run)]
            _emit_archive(project, "archived", moved, [], as_json, dry_run=dry_run)
            return
        proposed = list_proposals(list_skills(ledger, project, state.read_clock()))
        listed = [*map(_describe_archived, ledger.list_archived(project))]
        _emit_archive(project, "listed", listed, proposed, as_json, dry_run=dry_run)


@options.subcommand(command, "restore", "mind-skills skills restore exact-decimals")
@click.argument("name")
@options.dry_run
@options.project_and_json
def restore(name: str, dry_run: bool, folder: str, as_json: bool) -> None:
    """Restore an archived skill to its original folder. NAME is its name, or its folder in the archive."""
    project = state.resolve_project_option(folder)
    with state.open_ledger(create=False) as ledger:
        moved = restore_skill(ledger, project, name, state.read_clock(), dry_run=dry_run)
    _emit_archive(project, "restored", [moved], [], as_json, dry_run=dry_run)


def archive_skill(
    ledger: Ledger, project: Project, name: str, reason: str, now: int, *, dry_run: bool = False
) -> Moved:
    """Move the skill called ``name``, or at the path ``name``, to the archive next to the folder of all skills.

    If ``reason`` is empty, the reason recorded is why the skill fails, or "by hand". Nothing is overwritten. Raises
    MindSkillsError if the skill is unknown, ambiguous or not made from a candidate, StoreError if it cannot be moved.
    """
    skill = _find_skill(ledger, project, name)
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
    at = None if dry_run else now
    return Moved(skill.name, format_path(source), format_path(target), record.candidate.id, cleaned, at)


def restore_skill(ledger: Ledger, project: Project, name: str, now: int, *, dry_run: bool = False) -> Moved:
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
    return _describe_archived(archived)


def _describe_archived(archived: ArchivedSkill) -> Moved:
    source, target = format_path(archived.source), format_path(archived.target)
    return Moved(archived.name, source, target, archived.candidate, archived.reason, archived.at)


def _find_skill(ledger: Ledger, project: Project, name: str) -> Skill:
    """Find the only installed skill at the path or with the name ``name``. Raises MindSkillsError."""
    path = os.path.abspath(os.path.expanduser(name))
    skills = state.list_project_skills(ledger, project)
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


class CheckedSkill(NamedTuple):
    """A skill and its flaws, errors first. ``name`` is the name of the skill's folder."""

    path: str
    name: str
    flaws: list[LintProblem]


def lint_path(given_path: str) -> list[CheckedSkill]:
    """Check a SKILL.md, a skill's folder, or a folder of skills. Raises MindSkillsError if there is no skill."""
    from mind_skills.learning.skills.flaws import (  # imports PyYAML, which only this command needs
        find_flaws,
        list_others,
    )

    paths = list_skill_files(given_path)
    top = os.path.dirname(os.path.dirname(paths[0]))
    others = list_others(top)
    return [
        CheckedSkill(format_path(path), format_path(os.path.basename(os.path.dirname(path))), find_flaws(path, others))
        for path in paths
    ]


def list_skill_files(given_path: str) -> list[str]:
    """Return the absolute paths of the SKILL.md files at ``given_path``. Raises MindSkillsError if there are none."""
    path = os.path.abspath(os.path.expanduser(given_path))
    if not os.path.lexists(path):
        raise MindSkillsError(
            "path_missing", f"{given_path} does not exist", "Give the path of a SKILL.md or of a folder of skills."
        )
    if os.path.basename(path) == FILE_NAME and not os.path.isdir(path):
        return [path]
    if os.path.isdir(path):
        if os.path.lexists(direct := os.path.join(path, FILE_NAME)):
            return [direct]
        names = sorted(os.listdir(path))[:MAX_FOLDER_ENTRIES]
        if nested := [file for name in names if os.path.lexists(file := os.path.join(path, name, FILE_NAME))]:
            return nested
    hint = "Give the path of a SKILL.md (in capitals, as hosts require), of its folder, or of a folder of skills such as .claude/skills."
    raise MindSkillsError("no_skill", f"there is no skill at {given_path}", hint)


def print_flaws(path: str, flaws: Sequence[LintProblem], write: Callable[[str], None] = print_line) -> None:
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
            (each.state if each.votes else "not used")
            if each.installed
            else ("archived" if each.archived else "not installed"),
            str(each.loads),
            f"{each.helpful}/{each.harmful}",
            "-" if each.confidence is None else f"{each.confidence:.0%} ({each.low:.0%} to {each.high:.0%})",
        )
        for each in report.skills
    ]
    if not rows:
        print_line(f"No skill is installed for {report.project}, and none was used.")
        return
    print_note(f"Skills that sessions in {report.project} can load or have loaded:")
    columns = ("skill", "state", "sessions", "helpful/harmful", "helpful share (95 % interval)")
    print_table("", columns, rows, right_aligned=("sessions",))
    project_option = state.format_project_option(report.project)
    for each in report.skills:
        if each.problems and each.installed:
            print_line(f"{each.name} needs a look: {'; '.join(each.problems)}.")
        if each.failing and each.installed:
            print_line(f"{each.name} is failing: {each.failing}. {advise_failing(each, project_option)}")


def _emit_archive(
    project: Project,
    done: Literal["archived", "restored", "listed"],
    skills: list[Moved],
    proposed: list[ProposalReport],
    as_json: bool,
    *,
    dry_run: bool,
) -> None:
    """Print the moved or listed skills, and the proposed ones."""

    def render() -> None:
        project_option = state.format_project_option(project.root)
        for each in skills:
            if done == "listed":
                print_line(f"{format_time(each.at)}  {each.name}: {each.target}, from {each.candidate} ({each.reason})")
            elif done == "restored":
                print_line(f"{'Would be restored' if dry_run else 'Restored'}: {each.name}, to {each.source}.")
            else:
                label = "Would be archived" if dry_run else "Archived"
                print_line(f"{label}: {each.name}, to {each.target} ({each.reason}).")
                print_line(f"  `mind-skills skills restore {each.name}{project_option}` restores it.")
        for proposal in proposed:
            print_line(format_proposal(proposal, project_option))
        if done == "listed" and not skills and not proposed:
            print_line(f"No skill of {project.root} is archived or proposed for archiving.")

    report = {"project": project.root, "done": done, "dryRun": dry_run, "skills": skills, "proposed": proposed}
    emit(report, as_json, render)
