"""The report of `mind-skills status`: gathered from the ledger, the settings and the hosts, and printed.

The default output is a few sentences; ``--verbose`` prints the underlying numbers. Since the command runs often, its
usual options are parsed here: importing the full argument parser (cli/group.py) takes several times as long as starting
a bare interpreter. For the same reason, some modules are only imported when there is something to report.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.cli.proof_report import ComparisonReport, build_proof_report, format_comparison
from mind_skills.hosts import HOST_NAMES, load_spec
from mind_skills.output import state
from mind_skills.output.candidates import ForeignReport, build_foreign_reports
from mind_skills.output.document import Report
from mind_skills.output.text import (
    MIN_WIDE_COLUMNS,
    emit,
    format_count,
    format_time,
    is_interactive,
    join_names,
    print_heading,
    print_line,
    print_table,
    quote,
    strip_control_characters,
)
from mind_skills.settings.lenient import is_enabled, list_settings_files
from mind_skills.settings.strict import list_problems
from mind_skills.setup.doctor.loops import LoopReport, get_last_report, report_loops
from mind_skills.staging.tables.overview import STEP_NAMES
from mind_skills.watch.instance import WatchingReport, read_holder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mind_skills.staging.ledger import Ledger
    from mind_skills.staging.tables.candidates import StoredCandidate
    from mind_skills.store.project import Project

MAX_HOOK_ERRORS = 5
"""Maximum number of hook errors to report."""
MAX_SKILLS = 5
"""Maximum number of recent skills to list."""
MAX_FOREIGN, MAX_ID_CHARACTERS, MAX_TITLE_CHARACTERS = 20, 40, 120
"""Maximum number of foreign candidates to print, and maximum length of their ids and titles."""
STEP_TEXTS = {"observed": "sessions", "detected": "noticed", "staged": "listed", "accepted": "skills"}
"""Labels of the steps of a host's loop that differ from their names."""
DEFAULT_WIDTH, MIN_WIDTH, MAX_WIDTH = 80, 30, 120
"""In characters: the width of the terminal if it reports none, and the bounds of the width that is used."""
INDENT = 4
RECENT_OFFER_MS = 24 * 60 * 60_000
"""Milliseconds. An unanswered offer older than this is reported as never answered: its session is probably over."""
RECENT_ERROR_SECONDS = 24 * 60 * 60
"""A day in seconds. Without ``--verbose``, only the last hook error is reported, and only if it is not older."""


class CountsReport(Report):
    """Counts for this project. Each is a number of learnings, except ``fired``.

    ``fired`` is the number of times that a session put a learning on the list or saw a listed one again. ``covered``
    learnings are not offered, because an installed skill covers them. ``used`` learnings became a skill that a later
    session used. ``waiting`` ones will be offered to the next sessions, and ``unanswered`` ones were offered to a
    session that has not answered. ``seenOnce`` ones need another session to confirm them. ``shelved`` ones were dropped
    from a full list.
    """

    fired: int
    staged: int
    covered: int
    offered: int
    accepted: int
    dismissed: int
    ignored: int
    used: int
    waiting: int
    unanswered: int
    seen_once: int
    shelved: int


class CriterionReport(Report):
    """The decisions about a detector's candidates. The scores of its later candidates are multiplied by ``weight``."""

    criterion: str
    accepted: int
    dismissed: int
    weight: float


class SkillReport(Report):
    """A skill that was made from a candidate.

    ``trigger`` is the shortened description in the skill, empty if there is none or the file is gone. ``host`` is the
    host whose session produced the candidate. ``offerTokens`` estimates the size of the offer that contained the
    candidate, in tokens; it is null if the candidate was not offered.
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
    """A pending learning. ``offered`` is true if it was offered to a session that has not answered.

    ``offeredAt`` is the time of that offer, or null. ``approved`` is true if the user kept it in `mind-skills review`.
    """

    id: str
    title: str
    offered: bool
    offered_at: int | None
    approved: bool


class StatusReport(Report):
    """Output of `mind-skills status --json`."""

    version: Literal[1] = 1
    project: str
    enabled: bool
    paused: Literal["", "project", "everywhere"]
    paused_since: int | None
    pending: int
    waiting: list[WaitingTitleReport]
    """The pending learnings, at most as many as the list holds, best first."""
    unfinished: int
    """Number of sessions of this project that are running, or whose log is still to be read to the end."""
    counts: CountsReport
    latest: int | None
    """Time of the newest learning of this project; null if there is none."""
    criteria: list[CriterionReport]
    """Detectors with accepted or dismissed candidates on this machine; the weight of all others is 1."""
    skills: list[SkillReport]
    """The latest skills made from candidates of this project, newest first."""
    proposed: list[ProposalReport]
    """Skills that clearly fail and are proposed for archiving."""
    archived: int
    """Number of archived skills."""
    proof: ComparisonReport | None
    """Whether skills help when their error recurs; null if no error for which there is a skill has recurred."""
    loops: list[LoopReport]
    """How far each host has got in all projects, which shows whether its loop is broken or merely idle."""
    watching: WatchingReport | None
    """The process that runs `mind-skills watch`; null if there is none."""
    foreign: list[ForeignReport]
    problems: list[str]
    """Current problems with settings files, the pending file or the database, as sentences."""
    hook_errors: list[str]
    state_folder: str
    pending_file: str
    config_files: list[str]


def run_plain_status(arguments: list[str]) -> int | None:
    """Run `status` if ``arguments`` are only its usual options, and return the exit code; otherwise return None."""
    parsed = _parse_plain(arguments)
    if parsed is None:
        return None
    print_status(*parsed)
    return 0


def print_status(folder: str, verbose: bool, as_json: bool) -> None:
    """Print the status of the project at ``folder``, or of the current project if ``folder`` is empty.

    Raises MindSkillsError, StoreError, OSError.
    """
    report = gather_status(state.resolve_project_option(folder))
    option = format_project_option(report.project) if folder and not as_json else ""
    emit(report, as_json, lambda: _print_numbers(report, option) if verbose else _print_sentences(report, option))


def format_project_option(root: str) -> str:
    """Return the ``--project`` option that makes a command run here apply to the project at ``root``; empty if not needed."""
    from shlex import quote as quote_word

    from mind_skills.errors import MindSkillsError

    try:
        is_here = state.resolve_project_option("").root == root
    except MindSkillsError:  # the current folder is gone
        is_here = False
    return "" if is_here else f" --project {quote_word(root)}"


def _parse_plain(arguments: list[str]) -> tuple[str, bool, bool] | None:
    """Parse the usual options of cli/status.py, and return (project folder, verbose, JSON) or None for other arguments.

    A test compares the two parsers.
    """
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
        if folder.startswith("-"):  # an option instead of a folder, or nothing
            return None
    # An existing path must be a readable folder. `state.resolve_project_option` rejects a missing one.
    is_valid = not folder or not os.path.lexists(folder) or (os.path.isdir(folder) and os.access(folder, os.R_OK))
    return (folder, verbose, as_json) if command and is_valid else None


def gather_status(project: Project) -> StatusReport:
    """Gather the current status of a project and of this machine. Raises StoreError, OSError."""
    with state.open_ledger(create=False) as ledger:
        state.update_pending_list(ledger, project)
        accepted = ledger.list_by_state(project, "accepted")
        waiting = ledger.list_pending(project)
        report = StatusReport(
            project=project.root,
            enabled=is_enabled(project.root),
            **_build_pause_fields(ledger.home, project),
            pending=len(waiting),
            waiting=[
                WaitingTitleReport.copy(each, offered=each.injected_at is not None, offered_at=each.injected_at)
                for each in waiting
            ],
            unfinished=ledger.count_unfinished(project),
            counts=_count_states(ledger, project),
            latest=ledger.find_latest_time(project),
            criteria=_list_detector_weights(ledger, project),
            skills=[
                _build_skill_report(ledger, record)
                for record in reversed([each for each in accepted if each.detail][-MAX_SKILLS:])
            ],
            **_build_skill_fields(ledger, project, accepted),
            loops=report_loops(ledger.list_activity(), ledger.home),
            watching=read_holder(ledger.home),
            foreign=build_foreign_reports(ledger, project),
            problems=[],
            hook_errors=state.read_hook_log(ledger.home)[-MAX_HOOK_ERRORS:],
            state_folder=ledger.home,
            pending_file=state.get_pending_file_path(project),
            config_files=[path for path in reversed(list_settings_files(project.root)) if os.path.lexists(path)],
        )
        reason, advice = state.explain_missing_pending_file(ledger, project)
        report.problems = [
            *list_problems(project.root),
            *dict.fromkeys(ledger.problems),
            *([f"{reason}. {advice}"] if reason else []),
        ]
        ledger.problems.clear()  # reported here instead of on stderr
    return report


def _count_states(ledger: Ledger, project: Project) -> CountsReport:
    receipts = ledger.count_receipts(project)
    state_by_id = ledger.list_states(project)
    states = list(state_by_id.values())
    waiting = ledger.count_queued(project)
    return CountsReport(
        fired=sum(receipts.get("staged", {}).values()),
        staged=sum(state_by_id.get(candidate) != "merged" for candidate in receipts.get("staged", {})),
        covered=states.count("covered"),
        offered=len(receipts.get("offered", {})),
        accepted=states.count("accepted"),
        dismissed=states.count("dismissed"),
        ignored=states.count("ignored"),
        used=len(receipts.get("used", {})),
        waiting=waiting,
        unanswered=states.count("pending") - waiting,
        seen_once=states.count("waiting"),
        shelved=states.count("shelved"),
    )


def _list_detector_weights(ledger: Ledger, project: Project) -> list[CriterionReport]:
    if not ledger.has_decisions():
        return []
    from mind_skills.learning.rules import load_learning_config

    config = load_learning_config(project.root)
    return [
        CriterionReport(
            criterion=name,
            accepted=weight.helpful_count,
            dismissed=weight.harmful_count,
            weight=round(weight.weight, 3),
        )
        for name, weight in ledger.weigh_detectors(state.read_clock(), config).items()
    ]


def _build_skill_report(ledger: Ledger, record: StoredCandidate) -> SkillReport:
    from mind_skills.hooks import receipts
    from mind_skills.learning.skills.files import read_text
    from mind_skills.staging.offer import estimate_tokens

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


def _build_skill_fields(ledger: Ledger, project: Project, accepted: list[StoredCandidate]) -> dict[str, Any]:
    """Return the fields ``proposed``, ``archived`` and ``proof``, importing no more than the stored data requires."""
    fields: dict[str, Any] = {"proposed": [], "archived": len(ledger.list_archived(project)), "proof": None}
    if ledger.has_harmful_use(project):
        from mind_skills.cli.skill_standing import list_proposals, list_skills

        fields["proposed"] = list_proposals(list_skills(ledger, project, state.read_clock()))
    if accepted and ledger.list_errors_met(project):
        overall = build_proof_report(ledger, project, accepted=accepted).overall
        fields["proof"] = overall if overall.with_skill.n + overall.without.n else None
    return fields


def _build_pause_fields(home: str, project: Project) -> dict[str, Any]:
    """Return the fields ``paused`` and ``paused_since``."""
    from mind_skills.plugin import pausing

    start_everywhere, start_here = pausing.find_pause_start(home), pausing.find_pause_start(home, project.id)
    if start_everywhere is not None:
        return {"paused": "everywhere", "paused_since": start_everywhere}
    return {"paused": "" if start_here is None else "project", "paused_since": start_here}


def _print_sentences(report: StatusReport, option: str) -> None:
    """Print a summary in sentences, all problems and a recent hook error. ``option``: see ``format_project_option``."""
    print_heading(f"{report.project}: {_describe_switch(report)}")
    for text in (
        _describe_noticed(report),
        _describe_pending(report),
        _describe_skills(report),
        *_describe_others(report.counts),
        _describe_hosts(report),
        f"Next: {_advise(report, option)}",
    ):
        _print_paragraph(text)
    for text in report.problems:
        _print_paragraph(f"Problem: {text}")
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(state.read_clock() // 1000 - RECENT_ERROR_SECONDS))
    if report.hook_errors and report.hook_errors[-1] > since:
        _print_paragraph(f"Last hook error: {report.hook_errors[-1]}")
    print_line()
    print_line(
        f"Run `mind-skills status --verbose{option}` for the numbers, `mind-skills report --since 7d` for a period or all projects."
    )


def _describe_switch(report: StatusReport) -> str:
    if not report.enabled:
        return "switched off"
    if report.paused:
        return "paused"
    is_installed = report.watching is not None or any(loop.installed for loop in report.loops)
    return "on" if is_installed else "not installed"


def _print_paragraph(text: str) -> None:
    """Print ``text``, wrapped on a terminal."""
    if is_interactive():
        _print_wrapped("", text.split())
    else:
        print_line(text)


def _describe_noticed(report: StatusReport) -> str:
    counts = report.counts
    total = counts.waiting + counts.unanswered + counts.accepted + counts.dismissed
    total += counts.ignored + counts.covered + counts.shelved + counts.seen_once
    if not total:
        return "Nothing has been noticed in this project yet."
    verb = "was" if total == 1 else "were"
    again = f", in {counts.fired} sightings" if counts.fired > total else ""
    latest = f", the newest first seen {_format_date(report.latest)}" if report.latest is not None and total > 1 else ""
    return f"{format_count(total, 'learning')} {verb} noticed in this project{again}{latest}."


def _describe_others(counts: CountsReport) -> list[str]:
    """Return a list with a sentence on the learnings that are neither pending nor a skill; empty if there are none."""
    groups = (
        (counts.dismissed, "dismissed"),
        (counts.ignored, "ignored by the session that was offered it"),
        (counts.covered, "not offered (an installed skill covers it)"),
        (counts.shelved, "set aside (the list was full)"),
        (counts.seen_once, "seen once (offered when another session confirms it)"),
    )
    parts = [f"{number} {text if number == 1 else text.replace(' it', ' them')}" for number, text in groups if number]
    return [f"The others: {join_names(parts)}."] if parts else []


def _format_date(at: int | None) -> str:
    text = format_time(at)
    return f"on {text[:10]}" if text[:1].isdigit() else text


def _describe_pending(report: StatusReport) -> str:
    waiting, unanswered = report.counts.waiting, report.counts.unanswered
    parts = [f"{waiting} {'waits' if waiting == 1 else 'wait'} for the next session"] if waiting else []
    if unanswered:
        last = max((each.offered_at or 0 for each in report.waiting if each.offered), default=0)
        verb = "was" if unanswered == 1 else "were"
        is_recent = last > state.read_clock() - RECENT_OFFER_MS
        parts.append(
            f"{unanswered} {verb} offered to a session that has not answered yet"
            if is_recent
            else f"{unanswered} {verb} offered {_format_date(last)} and never answered"
        )
    text = " and ".join(parts) or "Nothing is pending"
    foreign = len(report.foreign)
    return (
        f"{text}; {foreign} more came from elsewhere and {'is' if foreign == 1 else 'are'} never offered."
        if foreign
        else f"{text}."
    )


def _describe_skills(report: StatusReport) -> str:
    counts = report.counts
    if not counts.accepted:
        return "None has become a skill yet." if counts.staged else "No skill has been learned here yet."
    became = "1 became a skill" if counts.accepted == 1 else f"{counts.accepted} became skills"
    if not counts.used:
        return f"{became}, not used by any later session yet."
    if counts.used == counts.accepted:
        return f"{became}, used by later sessions."
    return f"{became}, {counts.used} of them used by later sessions."


def _describe_hosts(report: StatusReport) -> str:
    """Describe which hosts have our hooks and when the hooks last reported a session, grouping hosts by state."""
    loops = {loop.host: loop for loop in report.loops if loop.installed}
    active_hosts = [
        (name, last) for name, loop in loops.items() if loop.verdict != "silent" and (last := get_last_report(loop))
    ]
    parts = [f"in {load_spec(name).title}, last report from them {_format_time(last)}" for name, last in active_hosts]
    silent_titles = [load_spec(name).title for name in loops if name not in dict(active_hosts)]
    absent_titles = [load_spec(name).title for name in HOST_NAMES if name not in loops]
    if silent_titles:
        earlier = sum(loops[name].observed.count for name in loops if name not in dict(active_hosts))
        verb, logs = "was" if earlier == 1 else "were", "its logs" if len(silent_titles) == 1 else "their logs"
        read = f" ({format_count(earlier, 'earlier session')} {verb} read from {logs})" if earlier else ""
        parts.append(f"in {join_names(silent_titles)}, no report from them yet{read}")
    if absent_titles:
        parts.append(f"none in {join_names(absent_titles)}")
    watch = " `mind-skills watch` reads session logs." if report.watching is not None else ""
    return f"Hooks: {'; '.join(parts)}.{watch}"


def _format_time(at: int | None) -> str:
    text = format_time(at)
    return f"at {text}" if text[:1].isdigit() else text


def _advise(report: StatusReport, option: str) -> str:
    """Return the most important next step. ``option``: see ``format_project_option``."""
    installed_loops = [loop for loop in report.loops if loop.installed]
    dead_titles = [load_spec(loop.host).title for loop in installed_loops if loop.verdict == "dead"]
    if report.paused:
        scope, resume_option = _describe_pause(report, option)
        since = format_time(report.paused_since)
        return (
            f"run `mind-skills resume{resume_option}` to continue; mind-skills has been paused {scope} since {since}."
        )
    if not report.enabled:
        return f"run `mind-skills config set enabled true{option or ' --project'}` to enable it in this project."
    if not installed_loops and report.watching is None:
        return "run `mind-skills install` to add the hooks to your coding agents."
    if dead_titles:
        return f"run `mind-skills doctor` to find out why the last sessions of {join_names(dead_titles)} were not reported."
    if report.proposed:
        name = report.proposed[0].name
        return f"run `mind-skills skills archive {name}{option}` to archive the failing skill {name}."
    waiting = [each for each in report.waiting if not each.offered]
    if waiting and all(each.approved for each in waiting):
        return "start a session here: its agent writes the skills that you kept."
    if waiting:
        show = f"`mind-skills show {waiting[0].id}{option}` to read {'it' if len(waiting) == 1 else 'the best one'}"
        return f"start a session here, or first run {show}, or `mind-skills review{option}` to decide."
    if not any(loop.observed.count for loop in report.loops):
        return "work as usual; after a session, its learnings are reported here."
    return "nothing; work as usual."


def _describe_pause(report: StatusReport, option: str) -> tuple[str, str]:
    """Return where mind-skills is paused, and the option with which `mind-skills resume` ends this pause."""
    return ("everywhere", "") if report.paused == "everywhere" else ("in this project", option or " --project .")


def _print_numbers(report: StatusReport, option: str) -> None:
    """Print the numbers, titles, folders and errors of the report. ``option``: see ``format_project_option``."""
    print_heading(f"{report.project}: {_describe_switch(report)}")
    if report.paused:
        scope, resume_option = _describe_pause(report, option)
        print_line(
            f"Paused {scope} since {format_time(report.paused_since)}: run `mind-skills resume{resume_option}` to continue."
        )
    _print_counts(report.counts)
    _print_waiting(report.waiting)
    for skill in report.skills:
        print_line(_describe_skill(skill))
    _print_skill_notes(report, option)
    _print_criteria(report.criteria)
    _print_loops(report.loops)
    if (watch := report.watching) is not None:
        suffix = ", polling every few seconds" if watch.polling else ""
        print_line(
            f"Process {watch.pid} has been watching {format_count(watch.files, 'session log')} since {format_time(watch.since)}{suffix}."
        )
    for text in report.problems:
        print_line(f"problem: {text}")
    if report.unfinished:
        sessions = format_count(report.unfinished, "session")
        print_line(f"{sessions} still running, or to be read to the end when the next session starts.")
    _print_foreign(report)
    print_line(f"state: {report.state_folder}")
    print_line(f"list:  {report.pending_file}")
    for path in report.config_files:
        print_line(f"settings: {path}")
    if report.hook_errors:
        print_heading("Last hook errors")
        for text in report.hook_errors:
            print_line(f"  {text}")


def _print_waiting(waiting: list[WaitingTitleReport]) -> None:
    """Print each id and title, on separate lines if the terminal is narrow."""
    for learning in sorted(waiting, key=lambda each: each.offered):  # those that were not offered come first
        label = f"{learning.id}  {'offered' if learning.offered else 'waiting'}"
        if not is_interactive() or _get_width() >= MIN_WIDE_COLUMNS:
            print_line(f"{label}  {learning.title}")
        else:
            print_line(label)
            _print_wrapped(" " * INDENT, learning.title.split())


def _print_criteria(criteria: list[CriterionReport]) -> None:
    """Print what was decided about the learnings of each kind, on this machine."""
    if not criteria:
        return
    print_heading("Your decisions in all projects, by kind of learning")
    for each in criteria:
        effect = "" if each.weight == 1 else f"; the scores of later ones are multiplied by {each.weight}"
        print_line(f"{each.criterion}: {each.accepted} accepted, {each.dismissed} dismissed{effect}")


def _print_counts(counts: CountsReport) -> None:
    rows = [
        ("sightings", counts.fired, "times that a session put a learning on the list or saw a listed one again"),
        ("noticed", counts.staged, "distinct learnings that were ever on the list"),
        ("ever offered", counts.offered, "of these, offered to a session at some time"),
        ("waiting", counts.waiting, "will be offered to the next session"),
        ("unanswered", counts.unanswered, "offered to a session that has not answered"),
        ("skills", counts.accepted, "became a skill"),
        ("used", counts.used, "became a skill that a later session used"),
        ("dismissed", counts.dismissed, "dismissed, and not offered again in this project"),
        ("ignored", counts.ignored, "offered without a result; they return when they are noticed again"),
        ("covered", counts.covered, "not offered, because an installed skill covers them"),
        ("set aside", counts.shelved, "dropped from a full list; they return when they are noticed again"),
        ("seen once", counts.seen_once, "not offered until another session confirms them"),
    ]
    print_heading("This project")
    if not is_interactive():
        print_table("", ("step", "count", "what it counts"), [(name, str(number), text) for name, number, text in rows])
        return
    digits = max(len(str(number)) for _, number, _ in rows)
    for name, number, text in rows:
        _print_wrapped(f"{name:12}  {number:{digits}}  ", text.split())


def _describe_skill(skill: SkillReport) -> str:
    trigger = f" ({skill.trigger})" if skill.trigger else ""
    cost = "" if skill.offer_tokens is None else f", in an offer of about {skill.offer_tokens} tokens"
    return f"{format_time(skill.at)}  learned the skill {skill.name}{trigger}: {skill.path}, from {skill.id}{cost}"


def _print_skill_notes(report: StatusReport, option: str) -> None:
    """Print the failing skills, the number of archived ones and the proof. ``option``: see ``format_project_option``."""
    for proposal in report.proposed:
        archive = f"`mind-skills skills archive {proposal.name}{option}`"
        print_line(f"{proposal.name} is failing: {proposal.reason}. Run {archive} to archive it.")
    if report.archived:
        number = format_count(report.archived, "skill")
        print_line(f"{number} archived: `mind-skills skills archive{option}` lists them.")
    if report.proof is not None:
        print_line(f"{format_comparison(report.proof)}; `mind-skills proof{option}` shows more.")


def _print_loops(loops: list[LoopReport]) -> None:
    if is_interactive():
        print_heading("All projects, by host: count and last time")
        for loop in loops:
            _print_wrapped("", f"{loop.host}: {loop.text}".split())
            reached = [(name, getattr(loop, name)) for name in STEP_NAMES]
            parts = [
                f"{STEP_TEXTS.get(name, name)} {step.count} ({format_time(step.last)})"
                for name, step in reached
                if step.count
            ]
            if parts:
                _print_wrapped(" " * INDENT, [f"{text}," for text in parts[:-1]] + parts[-1:])
        return
    rows: list[tuple[str, ...]] = []
    for loop in loops:
        steps = [getattr(loop, name) for name in STEP_NAMES]
        rows.append((loop.host, *(f"{step.count}, {format_time(step.last)}" if step.count else "-" for step in steps)))
    print_table(
        "All projects, by host: count and last time",
        ("host", *(STEP_TEXTS.get(name, name) for name in STEP_NAMES)),
        rows,
    )
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
    """Print ``parts`` after ``prefix``, breaking lines between parts at the width of the terminal, with a hanging indent."""
    width, text, is_empty = _get_width(), prefix, True
    for part in map(strip_control_characters, parts):
        if not is_empty and len(text) + 1 + len(part) > width:
            print_line(text)
            text, is_empty = " " * (len(prefix) or INDENT), True
        text += part if is_empty else f" {part}"
        is_empty = False
    print_line(text)


def _get_width() -> int:
    """Return the width of the terminal, within bounds. Importing ``shutil`` for this would take too long."""
    setting = os.environ.get("COLUMNS", "")
    is_number = setting.isascii() and setting.isdecimal() and len(setting) < len(str(sys.maxsize))
    columns = int(setting) if is_number else 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):
            columns = 0
    return min(max(columns or DEFAULT_WIDTH, MIN_WIDTH), MAX_WIDTH)
