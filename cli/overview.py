"""How things stand, as `mind-skills status` says it: gathered from the ledger, the settings and the hosts, and printed.

People and agents ask for it again and again, so a plain `status` is read here, all other arguments by the argument parser,
whose import (cli/group.py) costs four bare interpreters; and what there is nothing of is not imported either.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.cli.comparison import ComparisonReport, comparison_text, prove
from mind_skills.output import state
from mind_skills.output.candidates import ForeignReport, foreign_reports
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, heading, interactive, line, printable, quoted, table, when
from mind_skills.settings.lenient import enabled, files
from mind_skills.settings.strict import problems
from mind_skills.setup.doctor.loops import LoopReport, loops
from mind_skills.watch.instance import WatchingReport, read_holder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mind_skills.staging.ledger import Ledger
    from mind_skills.staging.tables.candidates import Record
    from mind_skills.store.project import Project

ERRORS, TAIL = 5, 64 * 1024
"""How many of the last errors of hooks are shown, and in how many bytes at the end of the log they are looked for."""
RECENT = 5
"""How many of the skills that came of offers are listed."""
FOREIGN, ID, TITLE = 20, 40, 120
"""How many candidates of others are shown, and how many characters of each id and title."""
STEPS = ("observed", "detected", "staged", "offered", "accepted", "dismissed", "used")
"""How far a host's loop gets, in this order."""
USUAL, NARROWEST, WIDEST = 80, 30, 120
"""Columns: where a terminal does not say how many it has, and between which bounds it is believed."""
INDENT = 4


class CountsReport(Report):
    """From noticed to used, in this project. ``fired`` counts each session that saw a learning, the rest count learnings.

    ``covered`` are not told, because an installed skill says them already; ``used`` are those whose skill a later session
    has used.
    """

    fired: int
    staged: int
    covered: int
    offered: int
    accepted: int
    dismissed: int
    ignored: int
    used: int


class CriterionReport(Report):
    """What was decided about the candidates of one detector, and what the rank of its next ones is multiplied by."""

    criterion: str
    accepted: int
    dismissed: int
    weight: float


class SkillReport(Report):
    """A skill that came of a candidate: the receipt.

    ``trigger`` is the skill's own description, empty where its file has none or is gone; ``host`` is where it was learned;
    ``offerTokens`` is about what the offer cost that led to it, null where it was never offered.
    """

    id: str
    name: str
    path: str
    trigger: str
    at: int | None
    host: str
    offer_tokens: int | None


class ProposalReport(Report):
    """A skill that is proposed for the archive, and why."""

    name: str
    path: str
    candidate: str
    reason: str


class StatusReport(Report):
    """`mind-skills status --json`."""

    version: Literal[1] = 1
    project: str
    enabled: bool
    paused: Literal["", "project", "everywhere"]
    paused_since: int | None
    pending: int
    unfinished: int
    counts: CountsReport
    criteria: list[CriterionReport]
    """Detectors whose candidates were accepted or dismissed, on this machine; the others weigh 1."""
    skills: list[SkillReport]
    """The last skills that came of this project's candidates, the newest first."""
    proposed: list[ProposalReport]
    """Skills that fail for sure, and are proposed for the archive."""
    archived: int
    """How many skills stand in the archive."""
    proof: ComparisonReport | None
    """Whether skills help when their error comes back; null where no error of a skill has."""
    loops: list[LoopReport]
    """How far each host has got in all projects, so that a dead loop is told from a quiet one."""
    watching: WatchingReport | None
    """Who runs `mind-skills watch`; null where nobody does."""
    foreign: list[ForeignReport]
    problems: list[str]
    """What is wrong right now, in sentences: a settings file, the pending file, the database."""
    hook_errors: list[str]
    state_folder: str
    pending_file: str
    config_files: list[str]


def print_plain(arguments: list[str]) -> int | None:
    """Do what ``arguments`` say and return the exit code, where they are those of a plain `status`; None for all others."""
    plain = _parse_plain(arguments)
    if plain is None:
        return None
    print_status(*plain)
    return 0


def print_status(project: str, as_json: bool) -> None:
    """Print how things stand in the project at ``project``, or in that of the working directory where it is empty.

    Raises MindSkillsError, StoreError, OSError.
    """
    report = gather(choose_project(project))
    emit(report, as_json, lambda: _print(report))


def _parse_plain(arguments: list[str]) -> tuple[str, bool] | None:
    """The project and whether JSON is wanted, as cli/status.py has its options; a test compares."""
    command, project, as_json = "", "", False
    left = iter(arguments)
    for word in left:
        if word == "--json":
            as_json = True
        elif not command and word == "status":
            command = word
        elif command and word == "--project":
            project = next(left, "-")
        elif command and word.startswith("--project="):
            project = word.partition("=")[2]
        else:
            return None
        if project.startswith("-"):  # as an option does
            return None
    # What there is has to be a folder that can be read; what there is not, `choose_project` refuses.
    fits = not project or not os.path.lexists(project) or (os.path.isdir(project) and os.access(project, os.R_OK))
    return (project, as_json) if command and fits else None


def gather(place: Project) -> StatusReport:
    """How things stand in a project and on this machine now. Raises StoreError, OSError."""
    with state.open_ledger() as ledger:
        state.catch_up(ledger, place)
        accepted = ledger.list_by_state(place, "accepted")
        report = StatusReport(
            project=place.root,
            enabled=enabled(place.root),
            **_pause(ledger.home, place),
            pending=len(ledger.list_pending(place)),
            unfinished=ledger.count_unfinished(place),
            counts=_counts(ledger, place),
            criteria=_criteria(ledger, place),
            skills=_skills(ledger, accepted),
            **_scores(ledger, place, accepted),
            loops=loops(ledger.list_activity(), ledger.home),
            watching=read_holder(ledger.home),
            foreign=foreign_reports(ledger, place),
            problems=[],
            hook_errors=_hook_errors(ledger.home),
            state_folder=ledger.home,
            pending_file=state.pending_file(place),
            config_files=[path for path in reversed(files(place.root)) if os.path.lexists(path)],
        )
        why, mend = state.withheld(ledger, place)
        report.problems = [*problems(place.root), *dict.fromkeys(ledger.problems), *([f"{why}. {mend}"] if why else [])]
        ledger.problems.clear()  # said here, and so not on stderr as well
    return report


def _counts(ledger: Ledger, project: Project) -> CountsReport:
    told = ledger.count_receipts(project)
    ended = ledger.list_states(project)
    states = list(ended.values())
    return CountsReport(
        fired=sum(told.get("staged", {}).values()),
        staged=sum(ended.get(candidate) != "merged" for candidate in told.get("staged", {})),
        covered=states.count("covered"),
        offered=len(told.get("offered", {})),
        accepted=states.count("accepted"),
        dismissed=states.count("dismissed"),
        ignored=states.count("ignored"),
        used=len(told.get("used", {})),
    )


def _criteria(ledger: Ledger, place: Project) -> list[CriterionReport]:
    if not ledger.has_decisions():
        return []
    from mind_skills.learning.rules import learning_of

    told = learning_of(place.root)
    return [
        CriterionReport(
            criterion=name,
            accepted=found.helpful_count,
            dismissed=found.harmful_count,
            weight=round(found.weight, 3),
        )
        for name, found in ledger.weigh_detectors(state.now(), told).items()
    ]


def _skills(ledger: Ledger, accepted: list[Record]) -> list[SkillReport]:
    """The last skills that came of candidates, the newest first."""
    return [_skill(ledger, record) for record in reversed([each for each in accepted if each.detail][-RECENT:])]


def _skill(ledger: Ledger, record: Record) -> SkillReport:
    from mind_skills.hooks import receipts
    from mind_skills.learning.skills.files import read_text

    offer = ledger.find_offer(record.offered_to) if record.offered_to else None
    return SkillReport(
        id=record.candidate.id,
        name=receipts.skill_name(record.detail),
        path=record.detail,
        trigger=receipts.skill_trigger(read_text(record.detail)),
        at=record.settled_at,
        host=record.candidate.host,
        offer_tokens=None if offer is None else receipts.estimate_tokens(offer.text),
    )


def _scores(ledger: Ledger, project: Project, accepted: list[Record]) -> dict[str, Any]:
    """What is proposed for the archive and how many stand there, and whether skills help; little work where there are none."""
    found: dict[str, Any] = {"proposed": [], "archived": len(ledger.list_archived(project)), "proof": None}
    if ledger.has_harmful_use(project):
        from mind_skills.cli.skill_standing import list_proposals, list_skills

        found["proposed"] = list_proposals(list_skills(ledger, project, state.now()))
    if accepted and ledger.list_errors_met(project):
        helps = prove(ledger, project, accepted=accepted).overall
        found["proof"] = helps if helps.with_skill.n + helps.without.n else None
    return found


def _pause(home: str, project: Project) -> dict[str, Any]:
    """Whether hooks do nothing for a while, and since when."""
    from mind_skills.plugin import pausing

    everywhere, here = pausing.paused_since(home), pausing.paused_since(home, project.id)
    if everywhere is not None:
        return {"paused": "everywhere", "paused_since": everywhere}
    return {"paused": "" if here is None else "project", "paused_since": here}


def _hook_errors(home: str) -> list[str]:
    """The last lines of the hooks' log, oldest first; none where there is no log."""
    from mind_skills.plugin.hooklog import log_path

    try:
        with open(log_path(home), "rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - TAIL))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    return lines[-ERRORS:]


def _print(report: StatusReport) -> None:
    """Print it."""
    heading(f"{report.project}: {'on' if report.enabled else 'switched off'}")
    if report.paused:
        where, more = ("everywhere", "") if report.paused == "everywhere" else ("in this project", " --project .")
        line(f"Paused {where} since {when(report.paused_since)}: `mind-skills resume{more}` goes on.")
    _show_counts(report.counts, report.pending)
    for known in report.criteria:
        decided = f"{known.accepted} accepted, {known.dismissed} dismissed"
        line(f"{known.criterion}: {decided} on this machine, x {known.weight}")
    for skill in report.skills:
        line(_learned(skill))
    _show_scores(report)
    _show_loops(report.loops)
    if (watch := report.watching) is not None:
        how = ", by looking at them every few seconds" if watch.polling else ""
        line(f"Process {watch.pid} has watched {count(watch.files, 'session log')} since {when(watch.since)}{how}.")
    for text in report.problems:
        line(f"problem: {text}")
    if report.unfinished:
        line(f"{report.unfinished} sessions are running, or will be finished at a later start.")
    _show_foreign(report)
    line(f"state: {report.state_folder}")
    line(f"list:  {report.pending_file}")
    for path in report.config_files:
        line(f"settings: {path}")
    if report.hook_errors:
        heading("The last errors of hooks")
        for text in report.hook_errors:
            line(f"  {text}")


def _show_counts(counts: CountsReport, pending: int) -> None:
    rows = [
        ("fired", counts.fired, "sightings of a learning, one for each session that made it"),
        ("staged", counts.staged, "different learnings that came on the list"),
        ("covered", counts.covered, "of these, said by an installed skill already, and not told"),
        ("offered", counts.offered, "of these, told to a session"),
        ("accepted", counts.accepted, "became a skill"),
        ("dismissed", counts.dismissed, "refused for good"),
        ("ignored", counts.ignored, "offered, and nothing came of it"),
        ("used", counts.used, "became a skill that a later session used"),
        ("pending", pending, "wait now"),
    ]
    if not interactive():
        table("", ("step", "candidates", "which"), [(name, str(number), text) for name, number, text in rows])
        return
    digits = max(len(str(number)) for _, number, _ in rows)
    for name, number, text in rows:
        _wrapped(f"{name:9}  {number:{digits}}  ", text.split())


def _learned(skill: SkillReport) -> str:
    why = f" ({skill.trigger})" if skill.trigger else ""
    cost = "" if skill.offer_tokens is None else f", offered for about {skill.offer_tokens} tokens"
    return f"{when(skill.at)}  learned the skill {skill.name}{why}: {skill.path}, from {skill.id}{cost}"


def _show_scores(report: StatusReport) -> None:
    for proposal in report.proposed:
        line(f"{proposal.name} fails: {proposal.reason}. `mind-skills skills archive {proposal.name}` puts it aside.")
    if report.archived:
        line(f"{count(report.archived, 'skill')} archived: `mind-skills skills archive` lists them.")
    if report.proof is not None:
        line(f"{comparison_text(report.proof)}: `mind-skills proof`.")


def _show_loops(loops: list[LoopReport]) -> None:
    if interactive():
        heading("In all projects, by host: how many, and when last")
        for loop in loops:
            _wrapped("", f"{loop.host}: {loop.text}".split())
            reached = [(name, getattr(loop, name)) for name in STEPS]
            told = [f"{name} {one.count} ({when(one.last)})" for name, one in reached if one.count]
            if told:
                _wrapped(" " * INDENT, [f"{text}," for text in told[:-1]] + told[-1:])
        return
    rows: list[tuple[str, ...]] = []
    for loop in loops:
        counts = [getattr(loop, name) for name in STEPS]
        rows.append((loop.host, *(f"{one.count}, {when(one.last)}" if one.count else "-" for one in counts)))
    table("In all projects, by host: how many, and when last", ("host", *STEPS), rows)
    for loop in loops:
        line(f"{loop.host}: {loop.text}")


def _show_foreign(report: StatusReport) -> None:
    for foreign in report.foreign[:FOREIGN]:
        line(f"from elsewhere, never offered: {quoted(foreign.id, ID)} {quoted(foreign.title, TITLE)}")
    if report.foreign[FOREIGN:]:
        line(f"from elsewhere, never offered: {len(report.foreign) - FOREIGN} more")


def _wrapped(begin: str, parts: Iterable[str]) -> None:
    """Print parts behind ``begin``, as many on a line as fit, never one of them broken; further lines stand below the first."""
    width, text, empty = _width(), begin, True
    for part in map(printable, parts):
        if not empty and len(text) + 1 + len(part) > width:
            line(text)
            text, empty = " " * (len(begin) or INDENT), True
        text += part if empty else f" {part}"
        empty = False
    line(text)


def _width() -> int:
    """The columns of the terminal, as the standard library's shutil tells them, which costs too much to import."""
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isascii() and said.isdecimal() and len(said) < len(str(sys.maxsize)) else 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):
            columns = 0
    return min(max(columns or USUAL, NARROWEST), WIDEST)
