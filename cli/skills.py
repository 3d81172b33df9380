"""`mind-skills skills`: installed skills, and what came of the sessions that loaded them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options
from mind_skills.cli.group import ListingGroup

if TYPE_CHECKING:
    from mind_skills.cli.skill_report import SkillsReport, StandingReport


@click.group(cls=ListingGroup)
def command() -> None:
    """Show the skills that sessions of a project can load, and how the sessions that did came out.

    A session has one vote on each skill that it loaded, from its outcome; neutral and unknown sessions have none. No
    skill is ever changed or removed by this; one that fails for sure is proposed for `mind-skills archive`.
    """


@command.command("list", epilog=options.examples("mind-skills skills list", "mind-skills skills list --json"))
@options.project
@options.as_json
def list_skills(project: str, as_json: bool) -> None:
    """List the skills, those used last first."""
    from mind_skills.cli.skill_list import listed
    from mind_skills.cli.skill_report import SkillsReport
    from mind_skills.output import state
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit

    place = choose_project(project)
    with state.open_ledger() as ledger:
        report = SkillsReport(project=place.root, skills=listed(ledger, place, state.now()))
    emit(report, as_json, lambda: _table(report))


@command.command("why", epilog=options.examples("mind-skills skills why exact-decimals"))
@click.argument("name")
@options.project
@options.as_json
def why(name: str, project: str, as_json: bool) -> None:
    """Say where one skill came from, and every vote on it."""
    from mind_skills.cli.skill_list import listed, named
    from mind_skills.cli.skill_report import SkillsReport
    from mind_skills.output import state
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit

    place = choose_project(project)
    with state.open_ledger() as ledger:
        report = SkillsReport(project=place.root, skills=named(listed(ledger, place, state.now()), name))
    emit(report, as_json, lambda: _explain(report))


def _table(report: SkillsReport) -> None:
    from mind_skills.output.text import line, table

    rows = [
        (
            each.name,
            each.state if each.votes else "not used",
            str(each.loads),
            f"{each.helpful}/{each.harmful}",
            _share(each),
        )
        for each in report.skills
    ]
    if rows:
        table("", ("skill", "state", "sessions", "helpful/harmful", "confidence"), rows, right=("sessions",))
        for each in report.skills:
            if each.failing and each.installed:
                line(f"{each.name} fails: {each.failing}. {_advice(each)}")
    else:
        line(f"No skill is installed for {report.project}, and none was used.")


def _explain(report: SkillsReport) -> None:
    from mind_skills.output.text import line, when

    for each in report.skills:
        gone = f" (archived: {each.archived})" if each.archived else " (gone)"
        line(f"{each.name}: {each.path or 'no file is known'}{'' if each.installed else gone}")
        line(f"  read by {', '.join(each.hosts) or 'no host that is known'}; {_origin(each)}")
        worth = "" if each.worth == each.multiplier else f", worth x {each.worth} while that is not sure"
        line(
            f"  {each.state}, x {each.multiplier}{worth}; {each.helpful} helpful, {each.harmful} harmful;"
            f" confidence {_share(each)}; used last {when(each.last_used)}"
        )
        if each.failing:
            line(f"  fails: {each.failing}. {_advice(each)}")
        for vote in each.votes:
            line(f"  {when(vote.at)}  {vote.session}: {vote.outcome}{'' if vote.counts else ', no vote'}")


def _origin(each: StandingReport) -> str:
    from mind_skills.output.text import quoted, when

    if each.origin is None:
        return "not from a candidate of ours"
    seen = ", ".join(each.origin.sessions) or "a session that is not known any more"
    return f"from {each.candidate} {quoted(each.origin.title, 120)}, seen by {seen}, accepted {when(each.origin.accepted_at)}"


def _advice(each: StandingReport) -> str:
    """What to do about a skill that fails."""
    if not each.installed:
        return "It is in the archive." if each.archived else "It is gone."
    if each.proposed:
        return f"`mind-skills archive {each.name}` puts it aside, whole and restorable."
    return "It is not of our making, so it is for you to change or remove."


def _share(each: StandingReport) -> str:
    return "-" if each.confidence is None else f"{each.confidence:.2f} ({each.low:.2f} to {each.high:.2f})"
