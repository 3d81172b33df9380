"""The report of `mind-skills status`: gathered from the ledger, the settings and the hosts, and printed.

The default output is five sentences; ``--verbose`` prints the underlying numbers. The command runs often, so its plain
arguments are parsed here: importing the full argument parser (cli/group.py) takes several times as long as starting a
bare interpreter. For the same reason, modules are only imported when there is something to report.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.cli.proof_report import ComparisonReport, format_comparison, prove
from mind_skills.hosts import HOST_NAMES, load_spec
from mind_skills.output import state
from mind_skills.output.candidates import ForeignReport, build_foreign_reports
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import (
    count,
    emit,
    format_time,
    heading,
    is_interactive,
    join_names,
    print_line,
    quote,
    strip_control_characters,
    table,
)
from mind_skills.settings.lenient import enabled, files
from mind_skills.settings.strict import problems
from mind_skills.setup.doctor.loops import LoopReport, report_loops
from mind_skills.watch.instance import WatchingReport, read_holder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mind_skills.staging.ledger import Ledger
    from mind_skills.staging.model import Candidate
    from mind_skills.staging.tables.candidates import Record
    from mind_skills.store.project import Project

MAX_HOOK_ERRORS, LOG_TAIL_BYTES = 5, 64 * 1024
"""Number of hook errors to print, and the number of bytes at the end of the log to search for them."""
MAX_SKILLS = 5
"""Number of recent skills to list."""
MAX_FOREIGN, MAX_ID_CHARACTERS, MAX_TITLE_CHARACTERS = 20, 40, 120
"""Number of foreign candidates to print, and the maximum length of their ids and titles."""
STEPS = ("observed", "detected", "staged", "offered", "accepted", "dismissed", "used")
"""The stages of a host's loop, in order."""
DEFAULT_WIDTH, MIN_WIDTH, MAX_WIDTH = 80, 30, 120
"""Columns: the default if the terminal reports no width, and the bounds of the width."""
INDENT = 4
MIN_WIDE_COLUMNS = 100
"""Minimum number of columns to print a title in the same line as its id."""
DAY_SECONDS = 24 * 60 * 60
"""Seconds. More recent hook errors are reported even without ``--verbose``."""


class CountsReport(Report):
    """Counts for this project. ``fired`` counts each session that detected a learning; the rest count learnings.

    ``covered`` learnings are not offered because an installed skill covers them. The skills of ``used`` ones were used
    by a later session.
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
    """The decisions about the candidates of a detector, and the factor that they apply to the rank of its next ones."""

    criterion: str
    accepted: int
    dismissed: int
    weight: float


class SkillReport(Report):
    """A skill that was made from a candidate.

    ``trigger`` is the description in the skill, empty if it has none or the file is gone. ``host`` is where the candidate
    was learned. ``offerTokens`` estimates the cost of the offer, null if it was never offered.
    """

    id: str
    name: str
    path: str
    trigger: str
    at: int | None
    host: str
    offer_tokens: int | None


class ProposalReport(Report):
    """A skill that is proposed for archiving, and why."""

    name: str
    path: str
    candidate: str
    reason: str


class WaitingTitleReport(Report):
    """A pending learning; ``offered`` is true if a session received it and has not responded yet."""

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
    """The pending learnings, best first."""
    unfinished: int
    counts: CountsReport
    criteria: list[CriterionReport]
    """Detectors with accepted or dismissed candidates on this machine; the weight of all others is 1."""
    skills: list[SkillReport]
    """The latest skills made from candidates of this project, newest first."""
    proposed: list[ProposalReport]
    """Skills that certainly fail and are proposed for archiving."""
    archived: int
    """Number of archived skills."""
    proof: ComparisonReport | None
    """Whether skills help when their error recurs; null if no error of a skill has recurred."""
    loops: list[LoopReport]
    """The progress of each host in all projects, which distinguishes a broken loop from an idle one."""
    watching: WatchingReport | None
    """The process that runs `mind-skills watch`; null if there is none."""
    foreign: list[ForeignReport]
    problems: list[str]
    """Current problems with settings files, the pending file or the database, as sentences."""
    hook_errors: list[str]
    state_folder: str
    pending_file: str
    config_files: list[str]


def print_plain(arguments: list[str]) -> int | None:
    """Run a plain `status` and return the exit code; return None for all other ``arguments``."""
    plain = _parse_plain(arguments)
    if plain is None:
        return None
    print_status(*plain)
    return 0


def print_status(folder: str, verbose: bool, as_json: bool) -> None:
    """Print the status of the project at ``folder``, or of the current project if ``folder`` is empty.

    Raises MindSkillsError, StoreError, OSError.
    """
    report = gather_status(choose_project(folder))
    emit(report, as_json, lambda: _print_numbers(report) if verbose else _print_sentences(report))


def _parse_plain(arguments: list[str]) -> tuple[str, bool, bool] | None:
    """Parse the options of cli/status.py: project folder, verbose, JSON. A test compares the two parsers."""
    command, folder, verbose, as_json = "", "", False, False
    words = iter(arguments)
    for word in words:
        if word == "--json":
            as_json = True
        elif not command and word == "status":
            command = word
        elif command and word in ("-v", "--verbose"):
            verbose = True
        elif command and word == "--project":
            folder = next(words, "-")
        elif command and word.startswith("--project="):
            folder = word.partition("=")[2]
        else:
            return None
        if folder.startswith("-"):  # looks like an option
            return None
    # An existing path must be a readable folder. `choose_project` rejects a missing one.
    is_valid = not folder or not os.path.lexists(folder) or (os.path.isdir(folder) and os.access(folder, os.R_OK))
    return (folder, verbose, as_json) if command and is_valid else None


def gather_status(project: Project) -> StatusReport:
    """Gather the current status of a project and of this machine. Raises StoreError, OSError."""
    with state.open_ledger() as ledger:
        state.update_pending_list(ledger, project)
        accepted = ledger.list_by_state(project, "accepted")
        waiting = ledger.list_pending(project)
        report = StatusReport(
            project=project.root,
            enabled=enabled(project.root),
            **_build_pause_fields(ledger.home, project),
            pending=len(waiting),
            waiting=[_describe_waiting(candidate) for candidate in waiting],
            unfinished=ledger.count_unfinished(project),
            counts=_count_states(ledger, project),
            criteria=_list_detector_weights(ledger, project),
            skills=_list_skills(ledger, accepted),
            **_build_score_fields(ledger, project, accepted),
            loops=report_loops(ledger.list_activity(), ledger.home),
            watching=read_holder(ledger.home),
            foreign=build_foreign_reports(ledger, project),
            problems=[],
            hook_errors=_read_hook_errors(ledger.home),
            state_folder=ledger.home,
            pending_file=state.pending_file(project),
            config_files=[path for path in reversed(files(project.root)) if os.path.lexists(path)],
        )
        why, mend = state.explain_missing_pending_file(ledger, project)
        report.problems = [
            *problems(project.root),
            *dict.fromkeys(ledger.problems),
            *([f"{why}. {mend}"] if why else []),
        ]
        ledger.problems.clear()  # reported here instead of on stderr
    return report


def _describe_waiting(candidate: Candidate) -> WaitingTitleReport:
    return WaitingTitleReport(id=candidate.id, title=candidate.title, offered=candidate.injected_at is not None)


def _count_states(ledger: Ledger, project: Project) -> CountsReport:
    receipts = ledger.count_receipts(project)
    state_by_id = ledger.list_states(project)
    states = list(state_by_id.values())
    return CountsReport(
        fired=sum(receipts.get("staged", {}).values()),
        staged=sum(state_by_id.get(candidate) != "merged" for candidate in receipts.get("staged", {})),
        covered=states.count("covered"),
        offered=len(receipts.get("offered", {})),
        accepted=states.count("accepted"),
        dismissed=states.count("dismissed"),
        ignored=states.count("ignored"),
        used=len(receipts.get("used", {})),
    )


def _list_detector_weights(ledger: Ledger, project: Project) -> list[CriterionReport]:
    if not ledger.has_decisions():
        return []
    from mind_skills.learning.rules import load_learning_config

    config = load_learning_config(project.root)
    return [
        CriterionReport(
            criterion=name,
            accepted=found.helpful_count,
            dismissed=found.harmful_count,
            weight=round(found.weight, 3),
        )
        for name, found in ledger.weigh_detectors(state.read_clock(), config).items()
    ]


def _list_skills(ledger: Ledger, accepted: list[Record]) -> list[SkillReport]:
    """Return the latest skills made from candidates, newest first."""
    return [
        _build_skill_report(ledger, record)
        for record in reversed([each for each in accepted if each.detail][-MAX_SKILLS:])
    ]


def _build_skill_report(ledger: Ledger, record: Record) -> SkillReport:
    from mind_skills.hooks import receipts
    from mind_skills.learning.skills.files import read_text
    from mind_skills.staging.offer_text import estimate_tokens

    offer = ledger.find_offer(record.offered_to) if record.offered_to else None
    return SkillReport(
        id=record.candidate.id,
        name=receipts.get_skill_name(record.detail),
        path=record.detail,
        trigger=receipts.extract_trigger(read_text(record.detail)),
        at=record.settled_at,
        host=record.candidate.host,
        offer_tokens=None if offer is None else estimate_tokens(offer.text),
    )


def _build_score_fields(ledger: Ledger, project: Project, accepted: list[Record]) -> dict[str, Any]:
    """Return the fields ``proposed``, ``archived`` and ``proof``, with little work if there are no skills."""
    found: dict[str, Any] = {"proposed": [], "archived": len(ledger.list_archived(project)), "proof": None}
    if ledger.has_harmful_use(project):
        from mind_skills.cli.skill_standing import list_proposals, list_skills

        found["proposed"] = list_proposals(list_skills(ledger, project, state.read_clock()))
    if accepted and ledger.list_errors_met(project):
        helps = prove(ledger, project, accepted=accepted).overall
        found["proof"] = helps if helps.with_skill.n + helps.without.n else None
    return found


def _build_pause_fields(home: str, project: Project) -> dict[str, Any]:
    """Return the fields ``paused`` and ``paused_since``."""
    from mind_skills.plugin import pausing

    everywhere, here = pausing.find_pause_start(home), pausing.find_pause_start(home, project.id)
    if everywhere is not None:
        return {"paused": "everywhere", "paused_since": everywhere}
    return {"paused": "" if here is None else "project", "paused_since": here}


def _read_hook_errors(home: str) -> list[str]:
    """Return the last lines of the hook log, oldest first; empty if there is no log."""
    from mind_skills.plugin.hooklog import find_log_path

    try:
        with open(find_log_path(home), "rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - LOG_TAIL_BYTES))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    return lines[-MAX_HOOK_ERRORS:]


def _print_sentences(report: StatusReport) -> None:
    """Print a summary in sentences, and all problems."""
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
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(state.read_clock() // 1000 - DAY_SECONDS))
    if report.hook_errors and report.hook_errors[-1] > since:
        _print_paragraph(f"Last hook error: {report.hook_errors[-1]}")
    print_line()
    print_line("Run `mind-skills status --verbose` for the numbers.")


def _print_paragraph(text: str) -> None:
    """Print ``text``, wrapped to the width of the terminal if there is one."""
    if is_interactive():
        _print_wrapped("", text.split())
    else:
        print_line(text)


def _describe_noticed(counts: CountsReport) -> str:
    if not counts.staged:
        return "Nothing has been noticed in this project yet."
    were = "was" if counts.staged == 1 else "were"
    again = f", in {counts.fired} sightings" if counts.fired > counts.staged else ""
    return f"{count(counts.staged, 'learning')} {were} noticed in this project{again}."


def _describe_pending(report: StatusReport) -> str:
    offered = sum(one.offered for one in report.waiting)
    available = report.pending - offered
    waiting = "waits" if available == 1 else "wait"
    parts = [f"{available} {waiting} for the next session"] if available else []
    parts += (
        [f"{offered} {'was' if offered == 1 else 'were'} offered to a session that has not ended"] if offered else []
    )
    text = " and ".join(parts) or "Nothing is pending"
    foreign = len(report.foreign)
    return (
        f"{text}; {foreign} more came from elsewhere and {'is' if foreign == 1 else 'are'} never offered."
        if foreign
        else f"{text}."
    )


def _describe_skills(counts: CountsReport) -> str:
    if not counts.accepted:
        return "None has become a skill yet." if counts.staged else "No skill has been learned here yet."
    became = "1 became a skill" if counts.accepted == 1 else f"{counts.accepted} became skills"
    if not counts.used:
        return f"{became}, not used by any later session yet."
    if counts.used == counts.accepted:
        return f"{became}, used by later sessions."
    return f"{became}, {counts.used} of them used by later sessions."


def _describe_hosts(report: StatusReport) -> str:
    """Describe which hosts are installed and when each last reported, grouping hosts in the same state."""
    loops = {loop.host: loop for loop in report.loops if loop.installed}
    active = [
        (name, loop.observed.last) for name, loop in loops.items() if loop.observed.last and loop.verdict != "silent"
    ]
    parts = [f"{load_spec(name).title} is installed and last reported {_format_time(last)}" for name, last in active]
    silent = [load_spec(name).title for name in loops if name not in dict(active)]
    absent = [load_spec(name).title for name in HOST_NAMES if name not in loops]
    if silent:
        has = "is installed and has" if len(silent) == 1 else "are installed and have"
        parts.append(f"{join_names(silent)} {has} not reported yet")
    if absent:
        parts.append(f"{join_names(absent)} {'is' if len(absent) == 1 else 'are'} not installed")
    if report.watching is not None:
        parts.append("`mind-skills watch` reads session logs")
    return f"{'; '.join(parts)}."


def _format_time(at: int | None) -> str:
    text = format_time(at)
    return f"at {text}" if text[:1].isdigit() else text


def _advise(report: StatusReport) -> str:
    """Return the most important next step."""
    installed = [loop for loop in report.loops if loop.installed]
    dead = [load_spec(loop.host).title for loop in installed if loop.verdict == "dead"]
    if report.paused:
        where, more = ("everywhere", "") if report.paused == "everywhere" else ("in this project", " --project .")
        return (
            f"run `mind-skills resume{more}` to end the pause {where}, which began {_format_time(report.paused_since)}."
        )
    if not report.enabled:
        return "run `mind-skills config set enabled true --project` to enable it here."
    if not installed and report.watching is None:
        return "run `mind-skills install` to add the hooks to your coding agents."
    if dead:
        return f"run `mind-skills doctor` to find out why the last sessions of {join_names(dead)} were not reported."
    if report.proposed:
        name = report.proposed[0].name
        return f"run `mind-skills skills archive {name}` to archive the failing skill {name}."
    if report.pending:
        return "start a session here, or run `mind-skills review` to decide first."
    if not any(loop.observed.count for loop in report.loops):
        return "work as usual; after a session, its learnings are reported here."
    return "nothing; work as usual."


def _print_numbers(report: StatusReport) -> None:
    """Print the complete report."""
    heading(f"{report.project}: {'on' if report.enabled else 'switched off'}")
    if report.paused:
        where, more = ("everywhere", "") if report.paused == "everywhere" else ("in this project", " --project .")
        print_line(
            f"Paused {where} since {format_time(report.paused_since)}: run `mind-skills resume{more}` to continue."
        )
    _print_counts(report.counts, report.pending)
    _print_waiting(report.waiting)
    for detector in report.criteria:
        decisions = f"{detector.accepted} accepted, {detector.dismissed} dismissed"
        print_line(f"{detector.criterion}: {decisions} on this machine, x {detector.weight}")
    for skill in report.skills:
        print_line(_describe_skill(skill))
    _print_scores(report)
    _print_loops(report.loops)
    if (watch := report.watching) is not None:
        how = ", polling every few seconds" if watch.polling else ""
        print_line(
            f"Process {watch.pid} has watched {count(watch.files, 'session log')} since {format_time(watch.since)}{how}."
        )
    for text in report.problems:
        print_line(f"problem: {text}")
    if report.unfinished:
        sessions = count(report.unfinished, "session")
        print_line(f"{sessions} still running, or read to the end when another session starts.")
    _print_foreign(report)
    print_line(f"state: {report.state_folder}")
    print_line(f"list:  {report.pending_file}")
    for path in report.config_files:
        print_line(f"settings: {path}")
    if report.hook_errors:
        heading("Last hook errors")
        for text in report.hook_errors:
            print_line(f"  {text}")


def _print_waiting(waiting: list[WaitingTitleReport]) -> None:
    """Print each id and title, on separate lines if the terminal is narrow."""
    for one in waiting:
        label = f"{one.id}  {'offered' if one.offered else 'waiting'}"
        if not is_interactive() or _get_width() >= MIN_WIDE_COLUMNS:
            print_line(f"{label}  {one.title}")
        else:
            print_line(label)
            _print_wrapped(" " * INDENT, one.title.split())


def _print_counts(counts: CountsReport, pending: int) -> None:
    rows = [
        ("fired", counts.fired, "sessions in which a learning was noticed"),
        ("staged", counts.staged, "distinct learnings, added to the list"),
        ("covered", counts.covered, "of these, not offered because an installed skill covers them"),
        ("offered", counts.offered, "of these, offered to a session"),
        ("accepted", counts.accepted, "became a skill"),
        ("dismissed", counts.dismissed, "permanently dismissed"),
        ("ignored", counts.ignored, "offered without a result"),
        ("used", counts.used, "became a skill that a later session used"),
        ("pending", pending, "currently on the list"),
    ]
    if not is_interactive():
        table("", ("step", "count", "what it counts"), [(name, str(number), text) for name, number, text in rows])
        return
    digits = max(len(str(number)) for _, number, _ in rows)
    for name, number, text in rows:
        _print_wrapped(f"{name:9}  {number:{digits}}  ", text.split())


def _describe_skill(skill: SkillReport) -> str:
    trigger = f" ({skill.trigger})" if skill.trigger else ""
    cost = "" if skill.offer_tokens is None else f", offered for about {skill.offer_tokens} tokens"
    return f"{format_time(skill.at)}  learned the skill {skill.name}{trigger}: {skill.path}, from {skill.id}{cost}"


def _print_scores(report: StatusReport) -> None:
    for proposal in report.proposed:
        print_line(
            f"{proposal.name} fails: {proposal.reason}. Run `mind-skills skills archive {proposal.name}` to archive it."
        )
    if report.archived:
        print_line(f"{count(report.archived, 'skill')} archived: `mind-skills skills archive` lists them.")
    if report.proof is not None:
        print_line(f"{format_comparison(report.proof)}: `mind-skills proof`.")


def _print_loops(loops: list[LoopReport]) -> None:
    if is_interactive():
        heading("All projects, by host: count and last time")
        for loop in loops:
            _print_wrapped("", f"{loop.host}: {loop.text}".split())
            reached = [(name, getattr(loop, name)) for name in STEPS]
            parts = [f"{name} {one.count} ({format_time(one.last)})" for name, one in reached if one.count]
            if parts:
                _print_wrapped(" " * INDENT, [f"{text}," for text in parts[:-1]] + parts[-1:])
        return
    rows: list[tuple[str, ...]] = []
    for loop in loops:
        counts = [getattr(loop, name) for name in STEPS]
        rows.append((loop.host, *(f"{one.count}, {format_time(one.last)}" if one.count else "-" for one in counts)))
    table("All projects, by host: count and last time", ("host", *STEPS), rows)
    for loop in loops:
        print_line(f"{loop.host}: {loop.text}")


def _print_foreign(report: StatusReport) -> None:
    for foreign in report.foreign[:MAX_FOREIGN]:
        print_line(
            f"from elsewhere, never offered: {quote(foreign.id, MAX_ID_CHARACTERS)} {quote(foreign.title, MAX_TITLE_CHARACTERS)}"
        )
    if report.foreign[MAX_FOREIGN:]:
        print_line(f"from elsewhere, never offered: {len(report.foreign) - MAX_FOREIGN} more")


def _print_wrapped(prefix: str, parts: Iterable[str]) -> None:
    """Print ``parts`` after ``prefix``, wrapped to the terminal without breaking a part; indent further lines."""
    width, text, is_empty = _get_width(), prefix, True
    for part in map(strip_control_characters, parts):
        if not is_empty and len(text) + 1 + len(part) > width:
            print_line(text)
            text, is_empty = " " * (len(prefix) or INDENT), True
        text += part if is_empty else f" {part}"
        is_empty = False
    print_line(text)


def _get_width() -> int:
    """Return the columns of the terminal like ``shutil.get_terminal_size``, which takes too long to import."""
    setting = os.environ.get("COLUMNS", "")
    is_number = setting.isascii() and setting.isdecimal() and len(setting) < len(str(sys.maxsize))
    columns = int(setting) if is_number else 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):
            columns = 0
    return min(max(columns or DEFAULT_WIDTH, MIN_WIDTH), MAX_WIDTH)
