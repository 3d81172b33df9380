"""The report of `mind-skills status`: gathered from the ledger, the settings and the hosts, and printed.

The default output is a summary in sentences; ``--verbose`` prints the underlying numbers. Since the command runs often,
its usual options are parsed here: importing the full argument parser (cli/group.py) takes several times as long as starting
a bare interpreter. For the same reason, some modules are only imported when there is something to report.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.cli.proof_report import ComparisonReport, build_proof_report, format_comparison
from mind_skills.hosts import HOST_NAMES, load_spec
from mind_skills.output import state
from mind_skills.output.candidates import (
    ForeignCandidateReport,
    ProposalReport,
    build_foreign_candidate_reports,
    format_proposal,
    format_waiting,
)
from mind_skills.output.document import Report
from mind_skills.output.text import (
    MIN_WIDE_TERMINAL_WIDTH,
    emit,
    format_count,
    format_time,
    get_terminal_width,
    is_interactive,
    join_names,
    print_heading,
    print_line,
    print_table,
    print_wrapped,
    quote,
)
from mind_skills.settings.lenient import find_disabling_file, is_enabled, list_settings_files, should_offer_learnings
from mind_skills.settings.strict import list_problems
from mind_skills.setup.doctor.host_progress import HostProgressReport, get_last_report, report_host_progress
from mind_skills.staging.model import MAX_PENDING
from mind_skills.staging.tables.overview import STEP_NAMES
from mind_skills.store.database import describe_set_aside, list_set_aside
from mind_skills.watch.instance import WatchingReport, read_holder

if TYPE_CHECKING:
    from mind_skills.staging.ledger import Ledger
    from mind_skills.staging.tables.candidates import StoredCandidate
    from mind_skills.store.project import Project

MAX_HOOK_ERRORS = MAX_SKILLS = 5
INDENT = " " * 4
MAX_FOREIGN_CANDIDATES = 20
STEP_LABELS = {"observed": "sessions", "detected": "sightings", "staged": "listed", "accepted": "skills"}
"""Labels of the steps whose label differs from the name."""
DAY_MS = 24 * 60 * 60_000
"""An unanswered offer older than a day is reported as never answered: its session is probably over. Without ``--verbose``, the
last hook error is reported if it is no older."""


class CountsReport(Report):
    """Counts for this project. Each is a number of learnings, except ``fired``.

    ``fired`` is the number of times that a session put a learning on the list or saw a listed one again. ``covered``
    learnings are not offered, because an installed skill covers them. ``used`` learnings became a skill that a later
    session used. ``waiting`` ones are on the list and not offered yet, and ``unanswered`` ones were offered to a
    session that has not answered. ``seenOnce`` ones need another session to confirm them. ``shelved`` ones have no
    place on the list, because it is full or was.
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
    candidate, in tokens; it is null if the candidate was not offered. ``problems`` is what a check of the skill found.
    """

    id: str
    name: str
    path: str
    trigger: str
    at: int | None
    host: str
    offer_tokens: int | None
    problems: list[str]


class PendingLearningReport(Report):
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
    paused_until: int | None
    """When the pause ends by itself (UTC milliseconds); null if it does not, or if there is none."""
    pending: int
    waiting: list[PendingLearningReport]
    """The pending learnings that fit on the list, best first."""
    unfinished: int
    """Number of sessions of this project that are running, or whose log has not been fully read yet."""
    counts: CountsReport
    latest: int | None
    """Time of the newest learning of this project; null if there is none."""
    criteria: list[CriterionReport]
    """Detectors with accepted or dismissed candidates on this machine; the weight of all others is 1."""
    skills: list[SkillReport]
    """The latest skills made from candidates of this project, newest first."""
    proposed: list[ProposalReport]
    """Skills that are clearly failing and are proposed for archiving."""
    archived: int
    """Number of archived skills."""
    proof: ComparisonReport | None
    """Whether skills help when their error recurs; null if no error that a skill covers has recurred."""
    loops: list[HostProgressReport]
    """How far learning has come in each host, over all projects; shows whether its hooks are broken or merely idle."""
    watching: WatchingReport | None
    """The process that runs `mind-skills watch`; null if there is none."""
    foreign: list[ForeignCandidateReport]
    problems: list[str]
    """Current problems with settings files, the hosts' hooks, the pending file or the database, as sentences."""
    hook_errors: list[str]
    state_folder: str
    pending_file: str
    config_files: list[str]


def run_fast_status(arguments: list[str]) -> int | None:
    """Run `status` if ``arguments`` are only its usual options, and return the exit code; otherwise return None."""
    parsed = _parse_usual_options(arguments)
    return None if parsed is None else print_status(*parsed)


def print_status(folder: str, verbose: bool, as_json: bool) -> int:
    """Print the status of the project at ``folder``, or of the current project if ``folder`` is empty.

    Raises MindSkillsError, StoreError, OSError.
    """
    report = gather_status(state.resolve_project_option(folder))
    project_option = state.format_project_option(report.project) if folder and not as_json else ""
    print_text = _print_details if verbose else _print_summary
    emit(report, as_json, lambda: print_text(report, project_option))
    return 0


def _parse_usual_options(arguments: list[str]) -> tuple[str, bool, bool] | None:
    """Parse the usual options of cli/status.py, and return (project folder, verbose, JSON) or None for other arguments."""
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
        pending = ledger.list_pending(project)
        report = StatusReport(
            project=project.root,
            enabled=is_enabled(project.root),
            **_build_pause_fields(ledger.home, project),
            pending=len(pending),
            waiting=[
                PendingLearningReport.from_object(
                    each, offered=each.injected_at is not None, offered_at=each.injected_at
                )
                for each in pending
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
            loops=report_host_progress(ledger.list_activity(), ledger.home, project.root),
            watching=read_holder(ledger.home),
            foreign=build_foreign_candidate_reports(ledger, project),
            problems=[],
            hook_errors=state.read_hook_log(ledger.home)[-MAX_HOOK_ERRORS:],
            state_folder=ledger.home,
            pending_file=state.get_pending_file_path(project),
            config_files=[path for path in reversed(list_settings_files(project.root)) if os.path.lexists(path)],
        )
        reason, advice = state.explain_missing_pending_file(ledger, project)
        report.problems = [
            *list_problems(project.root),
            *(f"{load_spec(each.host).title}: {each.problem}" for each in report.loops if each.problem),
            *dict.fromkeys([*map(describe_set_aside, list_set_aside(ledger.home)), *ledger.problems]),
            *([f"{reason}. {advice}"] if reason else []),
        ]
        ledger.problems.clear()  # reported here instead of on stderr
    return report


def _count_states(ledger: Ledger, project: Project) -> CountsReport:
    receipts = ledger.count_receipts(project)
    state_by_id = ledger.list_states(project)
    states = list(state_by_id.values())
    queued = ledger.count_queued(project)
    waiting = min(queued, MAX_PENDING)  # the next offer shelves the others
    return CountsReport(
        fired=sum(receipts.get("staged", {}).values()),
        staged=len(receipts.get("staged", {})),
        covered=states.count("covered"),
        offered=len(receipts.get("offered", {})),
        accepted=states.count("accepted"),
        dismissed=states.count("dismissed"),
        ignored=states.count("ignored"),
        used=len(receipts.get("used", {})),
        waiting=waiting,
        unanswered=states.count("pending") - queued,
        shelved=states.count("shelved") + queued - waiting,
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
        for name, weight in ledger.weigh_detectors(state.read_clock(), config, project).items()
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
        problems=ledger.list_skill_problems(record) if os.path.lexists(record.detail) else [],
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
    """Return the fields ``paused``, ``paused_since`` and ``paused_until``."""
    from mind_skills.plugin import pausing

    for scope, project_id in (("everywhere", ""), ("project", project.id)):
        if (period := pausing.find_pause(home, project_id)) is not None:
            return {"paused": scope, "paused_since": period[0], "paused_until": period[1]}
    return {"paused": "", "paused_since": None, "paused_until": None}


def _print_summary(report: StatusReport, project_option: str) -> None:
    """Print a summary in sentences, all problems and a recent hook error. ``project_option``: see ``format_project_option``."""
    print_heading(f"{report.project}: {_describe_state(report)}")
    for text in (
        _describe_noticed(report),
        _describe_pending(report),
        _describe_skills(report),
        *_describe_others(report.counts),
        _describe_hosts(report),
        *(f"Skill: {_describe_flaws(skill)}" for skill in report.skills if skill.problems),
        f"Next: {_advise(report, project_option)}",
        *(f"Problem: {text}" for text in report.problems),
    ):
        print_wrapped(text, hanging_indent=INDENT)
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime((state.read_clock() - DAY_MS) // 1000))
    if report.hook_errors and report.hook_errors[-1] > since:
        print_wrapped(f"Last hook error: {report.hook_errors[-1]}", hanging_indent=INDENT)
    print_line()
    print_wrapped(
        f"Run `mind-skills status --verbose{project_option}` for the numbers, or `mind-skills report --since 7d` for the last week in"
        " all projects."
    )


def _describe_state(report: StatusReport) -> str:
    if not report.enabled:
        return "switched off"
    if report.paused:
        return "paused"
    is_installed = report.watching is not None or any(progress.installed for progress in report.loops)
    return "on" if is_installed else "not installed"


def _describe_noticed(report: StatusReport) -> str:
    counts = report.counts
    total = _count_noticed(counts)
    if not total:
        return "Nothing has been noticed in this project yet."
    verb = "was" if total == 1 else "were"
    sightings = f" ({counts.fired} sightings)" if counts.fired > total else ""
    has_latest = report.latest is not None and total > 1
    latest = f"; the newest was first seen {_format_phrase(report.latest, 'on', 10)}" if has_latest else ""
    return f"{format_count(total, 'learning')} {verb} noticed in this project{sightings}{latest}."


def _count_noticed(counts: CountsReport) -> int:
    """Return the number of learnings in any state."""
    total = counts.waiting + counts.unanswered + counts.accepted + counts.dismissed
    return total + counts.ignored + counts.covered + counts.shelved


def _describe_others(counts: CountsReport) -> list[str]:
    """Return a list with a sentence on the learnings that are neither pending nor a skill; empty if there are none."""
    groups = (
        (counts.dismissed, "dismissed"),
        (counts.ignored, "ignored when offered"),
        (counts.covered, "not offered (an installed skill covers it)"),
        (counts.shelved, "set aside (the list was full)"),
    )
    parts = [f"{number} {text if number == 1 else text.replace(' it', ' them')}" for number, text in groups if number]
    return [f"The others: {join_names(parts)}."] if parts else []


def _format_phrase(at: int | None, preposition: str, length: int | None = None) -> str:
    """Return a time after a preposition, or what stands for an unknown time; ``length`` 10 leaves only the date."""
    text = format_time(at)
    return f"{preposition} {text[:length]}" if text[:1].isdigit() else text


def _describe_pending(report: StatusReport) -> str:
    waiting, unanswered = report.counts.waiting, report.counts.unanswered
    has_hooks = any(progress.installed for progress in report.loops)
    parts = [format_waiting(waiting, report.project, has_hooks=has_hooks)] if waiting else []
    if unanswered:
        last = max((each.offered_at or 0 for each in report.waiting if each.offered), default=0)
        verb = "was" if unanswered == 1 else "were"
        is_recent = last > state.read_clock() - DAY_MS
        parts.append(
            f"{unanswered} {verb} offered to a session that has not answered yet"
            if is_recent
            else f"{unanswered} {verb} offered {_format_phrase(last, 'on', 10)} and never answered"
        )
    text = " and ".join(parts) or "Nothing is pending"
    if foreign := len(report.foreign):
        are = "is" if foreign == 1 else "are"
        text += (
            f"; {foreign} more in the pending file {are} not in the database for this project and {are} never offered"
        )
    return f"{text}."


def _describe_skills(report: StatusReport) -> str:
    counts = report.counts
    if not counts.accepted:
        return "None has become a skill yet." if counts.staged else "No skill has been learned here yet."
    became, them = ("1 became a skill", "it") if counts.accepted == 1 else (f"{counts.accepted} became skills", "them")
    if not counts.used:
        return f"{became}, but no later session has used {them} yet."
    used = them if counts.used == counts.accepted else f"{counts.used} of them"
    return f"{became}, and later sessions have used {used}."


def _describe_hosts(report: StatusReport) -> str:
    """Describe which hosts have our hooks, and when the hooks of each last reported a session."""
    installed = [progress for progress in report.loops if progress.installed]
    unknown = [progress.host for progress in report.loops if progress.problem and not progress.installed]
    present = [*unknown, *(progress.host for progress in installed)]
    absent_titles = [load_spec(name).title for name in HOST_NAMES if name not in present]
    parts = [f"installed in {join_names([_describe_host(progress) for progress in installed])}"] if installed else []
    if unknown:
        parts.append(f"unknown in {join_names([load_spec(name).title for name in unknown])}")
    if absent_titles:
        parts.append(f"not installed in {join_names(absent_titles)}")
    watch = " `mind-skills watch` is running and reads session logs." if report.watching is not None else ""
    return f"Hooks: {'; '.join(parts)}.{watch}"


def _describe_host(progress: HostProgressReport) -> str:
    last = get_last_report(progress)
    if progress.verdict != "silent" and last is not None:
        detail = f"last report {_format_phrase(last, 'at')}"
    else:
        earlier = progress.observed.count
        verb = "was" if earlier == 1 else "were"
        read = f"; {format_count(earlier, 'earlier session')} {verb} read from its logs" if earlier else ""
        detail = f"no report yet{read}"
    problem = "with a problem, " if progress.problem else ""
    return f"{load_spec(progress.host).title} ({problem}{detail})"


def _advise(report: StatusReport, project_option: str) -> str:
    """Return the most important next step. ``project_option``: see ``format_project_option``."""
    installed = [progress for progress in report.loops if progress.installed]
    dead_titles = [load_spec(progress.host).title for progress in installed if progress.verdict == "dead"]
    if report.paused:
        scope, resume_option = _describe_pause(report, project_option)
        period = _format_pause_period(report)
        return f"run `mind-skills resume{resume_option}` to continue; mind-skills has been paused {scope} {period}."
    if invalid_file := find_disabling_file(report.project):
        return f"correct {invalid_file}; what is wrong in it is described below."
    if not report.enabled:
        return (
            f"run `mind-skills config set enabled true{project_option or ' --project'}` to enable it in this project."
        )
    if ill_titles := [load_spec(progress.host).title for progress in report.loops if progress.problem]:
        return f"run `mind-skills doctor` to find out how to fix the hooks of {join_names(ill_titles)}."
    if not installed and report.watching is None:
        return "run `mind-skills install` to add the hooks to your coding agents."
    if dead_titles:
        return f"run `mind-skills doctor` to find out why the last sessions of {join_names(dead_titles)} were not reported."
    if report.proposed:
        name = report.proposed[0].name
        return f"run `mind-skills skills archive {name}{project_option}` to archive the failing skill {name}."
    waiting = [each for each in report.waiting if not each.offered]
    are_kept = all(each.approved for each in waiting)
    if waiting and not (installed and should_offer_learnings(report.project)):
        reason = "`write_skills` is never" if installed else "no hook is installed"
        step = "write the skills that you kept" if are_kept else f"run `mind-skills review{project_option}`"
        return f"{step}; as {reason}, no session is offered a learning."
    if waiting and are_kept:
        return "start a session here; its agent will write the skills that you kept."
    if waiting:
        best = "it" if len(waiting) == 1 else "the best one"
        return (
            f"start a session here. To read {best} first, run `mind-skills show {waiting[0].id}{project_option}`;"
            f" to decide yourself, run `mind-skills review{project_option}`."
        )
    if not any(progress.observed.count for progress in report.loops):
        return "keep working; after each session, its learnings are reported here."
    return "nothing to do."


def _describe_pause(report: StatusReport, project_option: str) -> tuple[str, str]:
    """Return where mind-skills is paused, and the option that `mind-skills resume` needs to end this pause."""
    return (
        ("everywhere", "") if report.paused == "everywhere" else ("in this project", project_option or " --project .")
    )


def _format_pause_period(report: StatusReport) -> str:
    since = f"since {format_time(report.paused_since)}"
    return since if report.paused_until is None else f"{since}, until {format_time(report.paused_until)}"


def _print_details(report: StatusReport, project_option: str) -> None:
    """Print the numbers, titles, folders and errors of the report. ``project_option``: see ``format_project_option``."""
    from mind_skills.observations.open_file import describe_compressed
    from mind_skills.watch.watched_files import list_compressed_logs

    print_heading(f"{report.project}: {_describe_state(report)}")
    if report.paused:
        scope, resume_option = _describe_pause(report, project_option)
        print_line(
            f"Paused {scope} {_format_pause_period(report)}: run `mind-skills resume{resume_option}` to continue."
        )
    _print_counts(report.counts)
    _print_pending(report.waiting)
    for skill in report.skills:
        print_line(_describe_skill(skill))
    _print_skill_notes(report, project_option)
    _print_criteria(report.criteria)
    _print_host_progress(report.loops)
    if (watch := report.watching) is not None:
        suffix = ", polling every few seconds" if watch.polling else ""
        print_line(
            f"Process {watch.pid} has been watching {format_count(watch.files, 'session log')} since {format_time(watch.since)}{suffix}."
        )
    for text in report.problems:
        print_line(f"problem: {text}")
    if report.unfinished:
        sessions = f"{format_count(report.unfinished, 'session')} {'is' if report.unfinished == 1 else 'are'}"
        print_line(f"{sessions} still running or not fully read; the rest is read when the next session starts.")
    if compressed := list_compressed_logs(report.state_folder):
        print_line(describe_compressed(compressed))
    _print_foreign(report)
    print_line(f"state: {report.state_folder}")
    print_line(f"list:  {report.pending_file}")
    for path in report.config_files:
        print_line(f"settings: {path}")
    if report.hook_errors:
        print_heading("Last hook errors")
        for text in report.hook_errors:
            print_line(f"  {text}")


def _print_pending(pending: list[PendingLearningReport]) -> None:
    """Print each id and title, on separate lines if the terminal is narrow."""
    is_narrow = is_interactive() and get_terminal_width() < MIN_WIDE_TERMINAL_WIDTH
    for learning in sorted(pending, key=lambda each: each.offered):  # those that were not offered come first
        label = f"{learning.id}  {'offered' if learning.offered else 'waiting'}"
        print_line(label if is_narrow else f"{label}  {learning.title}")
        if is_narrow:
            print_wrapped(learning.title, INDENT)


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
        ("noticed", _count_noticed(counts), "distinct learnings in any of the states below"),
        ("ever listed", counts.staged, "distinct learnings that were ever on the list, including deleted ones"),
        ("ever offered", counts.offered, "of these, offered to a session at some time"),
        ("waiting", counts.waiting, "on the list, and not offered to a session yet"),
        ("unanswered", counts.unanswered, "offered to a session that has not answered"),
        ("skills", counts.accepted, "became a skill"),
        ("used", counts.used, "became a skill that a later session used"),
        ("dismissed", counts.dismissed, "dismissed, and not offered again in this project"),
        ("ignored", counts.ignored, "offered without a result; they return when they are noticed again"),
        ("covered", counts.covered, "not offered, because an installed skill covers them"),
        (
            "set aside",
            counts.shelved,
            "not offered, because the list was full; they return when they are noticed again",
        ),
    ]
    print_heading("This project")
    if not is_interactive():
        print_table("", ("step", "count", "what it counts"), [(name, str(number), text) for name, number, text in rows])
        return
    for name, number, text in rows:
        print_wrapped(text, f"{name:12}  {number:3}  ", " " * 19)


def _describe_skill(skill: SkillReport) -> str:
    trigger = f" ({skill.trigger})" if skill.trigger else ""
    cost = "" if skill.offer_tokens is None else f", in an offer of about {skill.offer_tokens} tokens"
    if skill.problems:
        return f"{format_time(skill.at)}  the skill {_describe_flaws(skill)}, from {skill.id}"
    return f"{format_time(skill.at)}  learned the skill {skill.name}{trigger}: {skill.path}, from {skill.id}{cost}"


def _describe_flaws(skill: SkillReport) -> str:
    return f"{skill.name} needs a look: {'; '.join(skill.problems)}: {skill.path}"


def _print_skill_notes(report: StatusReport, project_option: str) -> None:
    """Print the failing skills, the number of archived ones and the proof. ``project_option``: see ``format_project_option``."""
    for proposal in report.proposed:
        print_line(format_proposal(proposal, project_option))
    if report.archived:
        number = format_count(report.archived, "skill")
        print_line(f"{number} archived: `mind-skills skills archive{project_option}` lists them.")
    if report.proof is not None:
        print_line(f"{format_comparison(report.proof)}; `mind-skills proof{project_option}` shows more.")


def _print_host_progress(reports: list[HostProgressReport]) -> None:
    print_heading("All projects, by host: count and last time (a sighting is a learning found in one session)")
    labels = [STEP_LABELS.get(name, name) for name in STEP_NAMES]
    steps_by_host = {progress.host: [getattr(progress, name) for name in STEP_NAMES] for progress in reports}
    if not is_interactive():
        rows = [
            (host, *(f"{step.count}, {format_time(step.last)}" if step.count else "-" for step in steps))
            for host, steps in steps_by_host.items()
        ]
        print_table("", ("host", *labels), rows)
    for progress in reports:
        print_wrapped(f"{progress.host}: {progress.text}", hanging_indent=INDENT)
        steps = zip(labels, steps_by_host[progress.host], strict=True)
        reached = [f"{label} {step.count} ({format_time(step.last)})" for label, step in steps if step.count]
        if reached and is_interactive():
            print_wrapped(", ".join(reached), INDENT)


def _print_foreign(report: StatusReport) -> None:
    shown = [f"{quote(each.id, 40)} {quote(each.title, 120)}" for each in report.foreign[:MAX_FOREIGN_CANDIDATES]]
    more = len(report.foreign) - len(shown)
    for text in (*shown, *([f"{more} more"] if more else [])):
        print_line(f"not in the database for this project, never offered: {text}")
