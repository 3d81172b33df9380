"""How things stand, as `mind-skills status` says it: gathered from the ledger, the settings and the hosts, and printed.

A person reads five sentences; the numbers behind them are printed with ``--verbose``. People and agents ask for it again and
again, so a plain `status` is read here, all other arguments by the argument parser, whose import (cli/group.py) costs four bare
interpreters; and what there is nothing of is not imported either.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.cli.comparison import ComparisonReport, comparison_text, prove
from mind_skills.hosts import NAMES, spec
from mind_skills.output import state
from mind_skills.output.candidates import ForeignReport, foreign_reports
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, heading, interactive, join_names, line, printable, quoted, table, when
from mind_skills.settings.lenient import enabled, files
from mind_skills.settings.strict import problems
from mind_skills.setup.doctor.loops import LoopReport, loops
from mind_skills.watch.instance import WatchingReport, read_holder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mind_skills.staging.ledger import Ledger
    from mind_skills.staging.model import Candidate
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
ROOMY = 100
"""Columns from which on a title stands in the line of its id."""
DAY = 24 * 60 * 60
"""Seconds: an error of a hook that is younger is named among the sentences."""


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


class WaitingTitleReport(Report):
    """A learning that waits; ``offered`` where a session has been handed it and has not answered yet."""

    id: str
    title: str
    offered: bool


class StatusReport(Report):
    """`mind-skills status --json`."""

    version: Literal[1] = 1
    project: str
    enabled: bool
    paused: Literal["", "project", "everywhere"]
    paused_since: int | None
    pending: int
    waiting: list[WaitingTitleReport]
    """Those that are pending, the best first."""
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


def print_status(project: str, verbose: bool, as_json: bool) -> None:
    """Print how things stand in the project at ``project``, or in that of the working directory where it is empty.

    Raises MindSkillsError, StoreError, OSError.
    """
    report = gather(choose_project(project))
    emit(report, as_json, lambda: _print_numbers(report) if verbose else _print_sentences(report))


def _parse_plain(arguments: list[str]) -> tuple[str, bool, bool] | None:
    """The project, whether the numbers and whether JSON is wanted, as cli/status.py has its options; a test compares."""
    command, project, verbose, as_json = "", "", False, False
    left = iter(arguments)
    for word in left:
        if word == "--json":
            as_json = True
        elif not command and word == "status":
            command = word
        elif command and word in ("-v", "--verbose"):
            verbose = True
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
    return (project, verbose, as_json) if command and fits else None


def gather(place: Project) -> StatusReport:
    """How things stand in a project and on this machine now. Raises StoreError, OSError."""
    with state.open_ledger() as ledger:
        state.catch_up(ledger, place)
        accepted = ledger.list_by_state(place, "accepted")
        waiting = ledger.list_pending(place)
        report = StatusReport(
            project=place.root,
            enabled=enabled(place.root),
            **_pause(ledger.home, place),
            pending=len(waiting),
            waiting=[_describe_waiting(candidate) for candidate in waiting],
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


def _describe_waiting(candidate: Candidate) -> WaitingTitleReport:
    return WaitingTitleReport(id=candidate.id, title=candidate.title, offered=candidate.injected_at is not None)


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
    from mind_skills.staging.frame import estimate_tokens

    offer = ledger.find_offer(record.offered_to) if record.offered_to else None
    return SkillReport(
        id=record.candidate.id,
        name=receipts.skill_name(record.detail),
        path=record.detail,
        trigger=receipts.skill_trigger(read_text(record.detail)),
        at=record.settled_at,
        host=record.candidate.host,
        offer_tokens=None if offer is None else estimate_tokens(offer.text),
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


def _print_sentences(report: StatusReport) -> None:
    """Print what a person wants to know, a sentence each, and what is wrong."""
    heading(f"{report.project}: {'on' if report.enabled else 'switched off'}")
    for text in (
        _describe_noticed(report.counts),
        _describe_pending(report),
        _describe_skills(report.counts),
        _describe_hosts(report),
        f"Next: {_advise(report)}",
    ):
        _print_paragraph(text)
    for text in report.problems:
        _print_paragraph(f"Problem: {text}")
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(state.now() // 1000 - DAY))
    if report.hook_errors and report.hook_errors[-1] > since:
        _print_paragraph(f"The last error of a hook: {report.hook_errors[-1]}")
    line()
    line("`mind-skills status --verbose` has the numbers.")


def _print_paragraph(text: str) -> None:
    """Print a text, broken to the width of a terminal between words."""
    if interactive():
        _print_wrapped("", text.split())
    else:
        line(text)


def _describe_noticed(counts: CountsReport) -> str:
    if not counts.staged:
        return "Nothing has been noticed in this project yet."
    were = "was" if counts.staged == 1 else "were"
    again = f", in {counts.fired} sightings" if counts.fired > counts.staged else ""
    return f"{count(counts.staged, 'learning')} {were} noticed in this project{again}."


def _describe_pending(report: StatusReport) -> str:
    offered = sum(one.offered for one in report.waiting)
    free = report.pending - offered
    parts = [f"{free} {_verb(free, 'wait')} for the next session"] if free else []
    parts += [f"{offered} {_verb(offered, 'lie')} with a session that has not ended"] if offered else []
    text = " and ".join(parts) or "Nothing waits"
    foreign = len(report.foreign)
    return (
        f"{text}; {foreign} more came from elsewhere and {'is' if foreign == 1 else 'are'} never offered."
        if foreign
        else f"{text}."
    )


def _verb(number: int, verb: str) -> str:
    return f"{verb}s" if number == 1 else verb


def _describe_skills(counts: CountsReport) -> str:
    if not counts.accepted:
        return "No skill has come of them yet." if counts.staged else "No skill has been learned here yet."
    became = "1 became a skill" if counts.accepted == 1 else f"{counts.accepted} became skills"
    if not counts.used:
        return f"{became}, which no later session has used yet."
    if counts.used == counts.accepted:
        return f"{became}, used by later sessions."
    return f"{became}, {counts.used} of them used by later sessions."


def _describe_hosts(report: StatusReport) -> str:
    """Which hosts are installed and when each was last heard; hosts that share a state share a clause."""
    loops = {loop.host: loop for loop in report.loops if loop.installed}
    heard = [(name, loop.observed.last) for name, loop in loops.items() if loop.observed.last]
    parts = [f"{spec(name).title} is installed and was last heard {_at(last)}" for name, last in heard]
    silent = [spec(name).title for name, loop in loops.items() if not loop.observed.last]
    absent = [spec(name).title for name in NAMES if name not in loops]
    if silent:
        has = "is installed and has" if len(silent) == 1 else "are installed and have"
        parts.append(f"{join_names(silent)} {has} not been heard yet")
    if absent:
        parts.append(f"{join_names(absent)} {'is' if len(absent) == 1 else 'are'} not installed")
    if report.watching is not None:
        parts.append("a watch reads session logs")
    return f"{'; '.join(parts)}."


def _at(time: int | None) -> str:
    text = when(time)
    return f"at {text}" if text[:1].isdigit() else text


def _advise(report: StatusReport) -> str:
    """What to do next, the most pressing thing alone."""
    installed = [loop for loop in report.loops if loop.installed]
    dead = [spec(loop.host).title for loop in installed if loop.verdict == "dead"]
    if report.paused:
        where, more = ("everywhere", "") if report.paused == "everywhere" else ("in this project", " --project .")
        return f"`mind-skills resume{more}` ends the pause {where}, which began {_at(report.paused_since)}."
    if not report.enabled:
        return "`mind-skills config set enabled true --project` switches it on here."
    if not installed and report.watching is None:
        return "`mind-skills install` puts the hooks into your coding agents."
    if dead:
        return f"`mind-skills doctor` looks for the reason why the last sessions of {join_names(dead)} were not heard."
    if report.proposed:
        name = report.proposed[0].name
        return f"`mind-skills skills archive {name}` puts aside the skill {name}, which fails."
    if report.pending:
        return "start a session here, or see what waits with `mind-skills pending`."
    if not any(loop.observed.count for loop in report.loops):
        return "work as usual; once a session has ended, this says what it taught."
    return "nothing; work as usual."


def _print_numbers(report: StatusReport) -> None:
    """Print everything that is known."""
    heading(f"{report.project}: {'on' if report.enabled else 'switched off'}")
    if report.paused:
        where, more = ("everywhere", "") if report.paused == "everywhere" else ("in this project", " --project .")
        line(f"Paused {where} since {when(report.paused_since)}: `mind-skills resume{more}` goes on.")
    _print_counts(report.counts, report.pending)
    _print_waiting(report.waiting)
    for known in report.criteria:
        decided = f"{known.accepted} accepted, {known.dismissed} dismissed"
        line(f"{known.criterion}: {decided} on this machine, x {known.weight}")
    for skill in report.skills:
        line(_describe_skill(skill))
    _print_scores(report)
    _print_loops(report.loops)
    if (watch := report.watching) is not None:
        how = ", by looking at them every few seconds" if watch.polling else ""
        line(f"Process {watch.pid} has watched {count(watch.files, 'session log')} since {when(watch.since)}{how}.")
    for text in report.problems:
        line(f"problem: {text}")
    if report.unfinished:
        line(f"{report.unfinished} sessions are running, or will be finished at a later start.")
    _print_foreign(report)
    line(f"state: {report.state_folder}")
    line(f"list:  {report.pending_file}")
    for path in report.config_files:
        line(f"settings: {path}")
    if report.hook_errors:
        heading("The last errors of hooks")
        for text in report.hook_errors:
            line(f"  {text}")


def _print_waiting(waiting: list[WaitingTitleReport]) -> None:
    """Print each title, on a terminal that is not wide on a line of its own."""
    for one in waiting:
        begin = f"{one.id}  {'offered' if one.offered else 'waits'}"
        if not interactive() or _width() >= ROOMY:
            line(f"{begin}  {one.title}")
        else:
            line(begin)
            _print_wrapped(" " * INDENT, one.title.split())


def _print_counts(counts: CountsReport, pending: int) -> None:
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
        _print_wrapped(f"{name:9}  {number:{digits}}  ", text.split())


def _describe_skill(skill: SkillReport) -> str:
    why = f" ({skill.trigger})" if skill.trigger else ""
    cost = "" if skill.offer_tokens is None else f", offered for about {skill.offer_tokens} tokens"
    return f"{when(skill.at)}  learned the skill {skill.name}{why}: {skill.path}, from {skill.id}{cost}"


def _print_scores(report: StatusReport) -> None:
    for proposal in report.proposed:
        line(f"{proposal.name} fails: {proposal.reason}. `mind-skills skills archive {proposal.name}` puts it aside.")
    if report.archived:
        line(f"{count(report.archived, 'skill')} archived: `mind-skills skills archive` lists them.")
    if report.proof is not None:
        line(f"{comparison_text(report.proof)}: `mind-skills proof`.")


def _print_loops(loops: list[LoopReport]) -> None:
    if interactive():
        heading("In all projects, by host: how many, and when last")
        for loop in loops:
            _print_wrapped("", f"{loop.host}: {loop.text}".split())
            reached = [(name, getattr(loop, name)) for name in STEPS]
            told = [f"{name} {one.count} ({when(one.last)})" for name, one in reached if one.count]
            if told:
                _print_wrapped(" " * INDENT, [f"{text}," for text in told[:-1]] + told[-1:])
        return
    rows: list[tuple[str, ...]] = []
    for loop in loops:
        counts = [getattr(loop, name) for name in STEPS]
        rows.append((loop.host, *(f"{one.count}, {when(one.last)}" if one.count else "-" for one in counts)))
    table("In all projects, by host: how many, and when last", ("host", *STEPS), rows)
    for loop in loops:
        line(f"{loop.host}: {loop.text}")


def _print_foreign(report: StatusReport) -> None:
    for foreign in report.foreign[:FOREIGN]:
        line(f"from elsewhere, never offered: {quoted(foreign.id, ID)} {quoted(foreign.title, TITLE)}")
    if report.foreign[FOREIGN:]:
        line(f"from elsewhere, never offered: {len(report.foreign) - FOREIGN} more")


def _print_wrapped(begin: str, parts: Iterable[str]) -> None:
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
