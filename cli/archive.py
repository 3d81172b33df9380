"""`mind-skills archive`: put a skill aside where no agent reads it, and back."""

from __future__ import annotations

import os

import click

from mind_skills.cli import options
from mind_skills.cli.origins import came_from
from mind_skills.cli.skill_list import listed, proposals
from mind_skills.cli.skill_report import ArchivedReport, ArchiveReport
from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.errors.records import OtherProjectError, StagingError
from mind_skills.learning.skills import archive
from mind_skills.learning.skills.discovery import Skill, find_installed
from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.output import state
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line, path_text, when
from mind_skills.redaction.personal import redact_personal
from mind_skills.redaction.text import clean
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.archived import Archived
from mind_skills.staging.tables.candidates import Record
from mind_skills.store.project import Project


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
    if restore and not name:
        raise click.UsageError("--restore needs the NAME of a skill that is archived.")
    if reason and (restore or not name):
        raise click.UsageError("--reason says why the skill NAME is archived.")
    place = choose_project(project)
    with state.open_ledger() as ledger:
        report = ArchiveReport(project=place.root, done="listed", dry_run=dry_run, skills=[], proposed=[])
        if not name:
            report.skills = [archived_report(each) for each in ledger.list_archived(place)]
            report.proposed = proposals(listed(ledger, place, state.now()))
        elif restore:
            report.done = "restored"
            report.skills = [restore_skill(ledger, place, name, state.now(), dry_run=dry_run)]
        else:
            report.done = "archived"
            report.skills = [archive_skill(ledger, place, name, reason, state.now(), dry_run=dry_run)]
    emit(report, as_json, lambda: _show(report))


def _show(report: ArchiveReport) -> None:
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


REASON = 200
"""Characters of a reason that are kept."""
BY_HAND = "by hand"


def archive_skill(
    ledger: Ledger, project: Project, name: str, reason: str, now: int, *, dry_run: bool = False
) -> ArchivedReport:
    """Move the skill of that name, or at that path, into the archive beside its folder of skills.

    ``reason`` empty: why it is failing, or "by hand". Raises MindSkillsError where there is none, where several are meant,
    where it came from no learning of ours; StoreError where it cannot be moved. Nothing is ever overwritten.
    """
    skill = _one(project, name)
    accepted = [record for record in ledger.list_history(project) if record.state == "accepted"]
    record = came_from(skill, accepted)
    if record is None:
        hint = "Only skills that came from a candidate are archived; what people wrote is theirs to move."
        raise MindSkillsError("not_ours", f"{skill.path} came from no candidate of this project", hint)
    source = os.path.dirname(os.path.abspath(skill.path))
    taken = frozenset(each.target for each in ledger.list_archive_rows())
    target = archive.find_free_path(archive.find_archive(skill.path), os.path.basename(source), taken)
    why = redact_personal(" ".join(clean(reason, REASON).split())) or _failing(ledger, project, skill, now) or BY_HAND
    if not dry_run:
        number = ledger.begin_archiving(project, skill.name, source, target, record.candidate.id, why, now)
        try:
            archive.move_skill(source, target)
        except StoreError:
            if os.path.isdir(target) and not os.path.lexists(source):  # moved, but the disk would not confirm it
                ledger.record_archived(record, target, why, now)
            else:
                ledger.cancel_archiving(number)
            raise
        ledger.record_archived(record, target, why, now)
    return _report(skill.name, source, target, record.candidate.id, why, None if dry_run else now)


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
        hint = "`mind-skills archive` lists what is archived."
        raise MindSkillsError("not_archived", f"no skill {name} is archived here", hint)
    if len(found) > 1:
        places = ", ".join(path_text(each.target) for each in found)
        raise MindSkillsError("ambiguous_skill", f"several skills {name} are archived: {places}", "Name its folder.")
    (one,) = found
    if os.path.lexists(one.source):
        hint = "Move it away first; nothing is overwritten."
        raise MindSkillsError("place_taken", f"{path_text(one.source)} is there already", hint)
    if not dry_run:
        archive.move_skill(one.target, one.source)
        ledger.record_restored(one, _record(ledger, project, one), now)
    return archived_report(one)


def archived_report(each: Archived) -> ArchivedReport:
    """A skill that was put aside."""
    return _report(each.name, each.source, each.target, each.candidate, each.reason, each.at)


def _one(project: Project, name: str) -> Skill:
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
    return next((each.failing for each in listed(ledger, project, now) if each.path == path), "")


def _record(ledger: Ledger, project: Project, what: Archived) -> Record | None:
    try:
        return ledger.find_candidate(what.candidate, project)
    except StagingError:
        return None  # forgotten meanwhile, and its story with it


def _report(name: str, source: str, target: str, candidate: str, reason: str, at: int | None) -> ArchivedReport:
    return ArchivedReport(
        name=name, source=path_text(source), target=path_text(target), candidate=candidate, reason=reason, at=at
    )
