"""`mind-skills status`: from noticed to used, so that silence cannot pass for health."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mind_skills.plugin import options

if TYPE_CHECKING:
    from mind_skills.plugin.status_report import CountsReport, CriterionReport, StatusReport
    from mind_skills.plugin.watch.reports import WatchingReport
    from mind_skills.staging.ledger import Ledger
    from mind_skills.store.project import Project

ERRORS, TAIL = 5, 64 * 1024
"""How many of the last errors of hooks are shown, and in how many bytes at the end of the log they are looked for."""
FOREIGN, ID, TITLE = 20, 40, 120
"""How many candidates of others are shown, and how many characters of each id and title."""


@click.command(epilog=options.examples("mind-skills status", "mind-skills status --json"))
@options.project
@options.as_json
def command(project: str, as_json: bool) -> None:
    """Say what was noticed, offered and made of it in this project, what went wrong, and where the state is."""
    import os

    from mind_skills.plugin import settings, state
    from mind_skills.plugin.doctor.loops import loops
    from mind_skills.plugin.folders import chosen
    from mind_skills.plugin.output import emit
    from mind_skills.plugin.receipt import recent
    from mind_skills.plugin.status_report import StatusReport

    place = chosen(project)
    with state.ledger() as ledger:
        state.catch_up(ledger, place)
        report = StatusReport(
            project=place.root,
            enabled=settings.enabled(place.root),
            **_pause(ledger.home, place),
            pending=len(ledger.pending(place)),
            unfinished=sum(seen.project.id == place.id for seen in ledger.unfinished()),
            counts=_counts(ledger, place),
            criteria=_criteria(ledger, place),
            skills=recent(ledger, place),
            **_scores(ledger, place),
            loops=loops(ledger.activity(), ledger.home),
            watching=_watching(ledger.home),
            foreign=state.foreign_reports(ledger, place),
            problems=[],
            hook_errors=_hook_errors(ledger.home),
            state_folder=ledger.home,
            pending_file=state.pending_file(place),
            config_files=[path for path in reversed(settings.files(place.root)) if os.path.lexists(path)],
        )
        report.problems = [*_settings(place), *dict.fromkeys(ledger.problems)]
        ledger.problems.clear()  # said here, and so not on stderr as well
    emit(report, as_json, lambda: _show(report))


def _criteria(ledger: Ledger, place: Project) -> list[CriterionReport]:
    from mind_skills.learning.criteria import effective_weight
    from mind_skills.plugin import state
    from mind_skills.plugin.rules import rules
    from mind_skills.plugin.status_report import CriterionReport

    told = rules(place.root).learning
    return [
        CriterionReport(
            criterion=name,
            accepted=found.helpful_count,
            dismissed=found.harmful_count,
            weight=round(effective_weight(found, told), 3),
        )
        for name, found in ledger.criteria(state.now(), told).items()
    ]


def _scores(ledger: Ledger, project: Project) -> dict[str, Any]:
    """What is proposed for the archive and how many stand there, and whether skills help; little work where there are none."""
    from mind_skills.plugin import state
    from mind_skills.plugin.proof import proof
    from mind_skills.plugin.skills import listed, proposals

    used = bool(ledger.skills_used(project))
    helps = proof(ledger, project).overall if ledger.errors_met(project) else None
    return {
        "proposed": proposals(listed(ledger, project, state.now())) if used else [],
        "archived": len(ledger.archived(project)),
        "proof": helps if helps and helps.with_skill.n + helps.without.n else None,
    }


def _watching(home: str) -> WatchingReport | None:
    from mind_skills.plugin.watch.instance import holder
    from mind_skills.plugin.watch.reports import WatchingReport

    known = holder(home)
    return None if known is None else WatchingReport.of(known._asdict())


def _pause(home: str, project: Project) -> dict[str, Any]:
    """Whether hooks do nothing for a while, and since when."""
    from mind_skills.plugin import pausing

    everywhere, here = pausing.since(home), pausing.since(home, project.id)
    if everywhere is not None:
        return {"paused": "everywhere", "paused_since": everywhere}
    return {"paused": "" if here is None else "project", "paused_since": here}


def _settings(project: Project) -> list[str]:
    """What is wrong with the settings: hooks say so in a log that nobody reads, so somebody has to say it here."""
    from mind_skills.plugin.config import load
    from mind_skills.plugin.errors import MindSkillsError
    from mind_skills.plugin.settings import unclear

    why = unclear(project.root)
    try:
        load(project.root)
    except MindSkillsError as failure:
        return [f"{failure.message}. {failure.hint}", *([why] if why else [])]
    return [why] if why else []


def _counts(ledger: Ledger, project: Project) -> CountsReport:
    from mind_skills.plugin.status_report import CountsReport

    receipts = ledger.receipts(project)
    staged = [receipt.candidate for receipt in receipts if receipt.what == "staged"]
    offered = {receipt.candidate for receipt in receipts if receipt.what == "offered"}
    used = {receipt.candidate for receipt in receipts if receipt.what == "used"}
    history = ledger.history(project)
    ended = [record.state for record in history]
    one_with_another = {record.candidate.id for record in history if record.state == "merged"}
    return CountsReport(
        fired=len(staged),
        staged=len(set(staged) - one_with_another),
        covered=ended.count("covered"),
        offered=len(offered),
        accepted=ended.count("accepted"),
        dismissed=ended.count("dismissed"),
        ignored=ended.count("ignored"),
        used=len(used),
    )


def _hook_errors(home: str) -> list[str]:
    """The last lines of the hooks' log, oldest first; none where there is no log."""
    from mind_skills.plugin.hooklog import path

    try:
        with open(path(home), "rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - TAIL))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    return lines[-ERRORS:]


def _show(report: StatusReport) -> None:
    from mind_skills.plugin.output import count, heading, line, quoted, table, when

    heading(f"{report.project}: {'on' if report.enabled else 'switched off'}")
    if report.paused:
        where, more = ("everywhere", "") if report.paused == "everywhere" else ("in this project", " --project .")
        line(f"Paused {where} since {when(report.paused_since)}: `mind-skills resume{more}` goes on.")
    counts = report.counts
    rows = [
        ("fired", counts.fired, "sightings of a learning, one for each session that made it"),
        ("staged", counts.staged, "different learnings that came on the list"),
        ("covered", counts.covered, "of these, said by an installed skill already, and not told"),
        ("offered", counts.offered, "of these, told to a session"),
        ("accepted", counts.accepted, "became a skill"),
        ("dismissed", counts.dismissed, "refused for good"),
        ("ignored", counts.ignored, "offered, and nothing came of it"),
        ("used", counts.used, "became a skill that a later session used"),
        ("pending", report.pending, "wait now"),
    ]
    table(
        "",
        ("step", "candidates", "which"),
        [(name, str(number), text) for name, number, text in rows],
        right=("candidates",),
    )
    for known in report.criteria:
        worth = "silent" if known.weight == 0.0 else f"x {known.weight}"
        line(f"{known.criterion}: {known.accepted} accepted, {known.dismissed} dismissed on this machine, {worth}")
    for skill in report.skills:
        why = f" ({skill.trigger})" if skill.trigger else ""
        cost = "" if skill.offer_tokens is None else f", offered for about {skill.offer_tokens} tokens"
        line(f"{when(skill.at)}  learned the skill {skill.name}{why}: {skill.path}, from {skill.id}{cost}")
    _show_scores(report)
    _show_loops(report)
    if (watch := report.watching) is not None:
        how = ", by looking at them every few seconds" if watch.polling else ""
        line(f"Process {watch.pid} has watched {count(watch.files, 'session log')} since {when(watch.since)}{how}.")
    for text in report.problems:
        line(f"problem: {text}")
    if report.unfinished:
        line(f"{report.unfinished} sessions are running, or will be finished at a later start.")
    for foreign in report.foreign[:FOREIGN]:
        line(f"from elsewhere, never offered: {quoted(foreign.id, ID)} {quoted(foreign.title, TITLE)}")
    if report.foreign[FOREIGN:]:
        line(f"from elsewhere, never offered: {len(report.foreign) - FOREIGN} more")
    line(f"state: {report.state_folder}")
    line(f"list:  {report.pending_file}")
    for path in report.config_files:
        line(f"settings: {path}")
    if report.hook_errors:
        heading("The last errors of hooks")
        for text in report.hook_errors:
            line(f"  {text}")


def _show_scores(report: StatusReport) -> None:
    from mind_skills.plugin.output import count, line
    from mind_skills.plugin.proof_text import sentence

    for proposal in report.proposed:
        line(f"{proposal.name} fails: {proposal.reason}. `mind-skills archive {proposal.name}` puts it aside.")
    if report.archived:
        line(f"{count(report.archived, 'skill')} archived: `mind-skills archive` lists them.")
    if report.proof is not None:
        line(f"{sentence(report.proof)}: `mind-skills proof`.")


def _show_loops(report: StatusReport) -> None:
    from mind_skills.plugin.output import line, table, when

    steps = ("observed", "detected", "staged", "offered", "accepted", "dismissed", "used")
    rows: list[tuple[str, ...]] = []
    for loop in report.loops:
        counts = [getattr(loop, name) for name in steps]
        rows.append((loop.host, *(f"{one.count}, {when(one.last)}" if one.count else "-" for one in counts)))
    table("In all projects, by host: how many, and when last", ("host", *steps), rows)
    for loop in report.loops:
        line(f"{loop.host}: {loop.text}")
