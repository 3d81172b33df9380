"""`mind-skills replay`: what would have been learned from sessions that are over.

The JSON is the contract with every program that reads it. Times are in milliseconds; ``line`` is 1-based, in the unit of the
log's format: the JSONL line for Claude Code, Codex and Gemini, the index of the message for OpenCode and mini-swe-agent, the
step for SWE-agent.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from mind_skills.cli import history, options
from mind_skills.errors import BUG, DONE, INPUT, LogError
from mind_skills.hosts import all_specs
from mind_skills.observations.find_logs import (
    SUFFIXES,
    Log,
    Sources,
    advise_format,
    explain_unread,
    find_logs,
    resolve_format,
)
from mind_skills.observations.model import Session
from mind_skills.output import state
from mind_skills.output.bug import report as bug_report
from mind_skills.output.candidates import CandidateReport, candidate_fields, kind_text
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, emit, heading, line, note, path_text, show_progress, table
from mind_skills.plugin.workers import WorkerDiedError, run_each, usable_cpus
from mind_skills.settings.lenient import cap, episodes, tells_rules
from mind_skills.staging.analyse import Analysis, analyse
from mind_skills.staging.block import entry
from mind_skills.staging.model import Candidate, apply_caps
from mind_skills.store import atomic
from mind_skills.store.project import Project, find

if TYPE_CHECKING:
    from mind_skills.memory.model import Record

MOST_JOBS = 64
MOST_DAYS = 36_500
DAYS = history.DAYS
NOT_STAGED = (
    "Nothing was written: with `mind-skills install` sessions to come learn by themselves, and `mind-skills replay --stage` "
    "in a project puts what it taught on its list."
)
STAGED = (
    "What was staged is told to the next session of this project, once; `mind-skills review` goes through it before."
)
BYTES_A_JOB = 4_000_000
"""Starting a process costs about as much as reading two megabytes."""


class FoundReport(CandidateReport):
    """A candidate as `replay` shows it. ``offer`` is what a session that is told of five would read of it."""

    offer: str


class OutcomeReport(Report):
    """How a session ended, and why that is believed."""

    type: Literal["helpful", "neutral", "harmful", "unknown"]
    score: float | None
    success: bool | None
    duration_ms: int | None
    error_count: int
    retry_count: int
    reasoning: str


class WarningReport(Report):
    """A line of a log that had to be passed over; ``line`` 0 means the log as a whole."""

    line: int
    message: str


class SessionReport(Report):
    """One session of one log. ``lines`` is the largest ``line`` of that log."""

    path: str
    session_id: str
    host: str
    format: str
    lines: int
    observations: int
    outcome: OutcomeReport
    candidates: list[FoundReport]
    """Those that are told, best first; what waits for another session is not among them."""
    warnings: list[WarningReport]


class FileError(Report):
    """A path that could not be read."""

    path: str
    code: str
    message: str
    hint: str


class Totals(Report):
    """Sums over the sessions; ``failed`` counts the paths under ``errors``."""

    sessions: int
    observations: int
    candidates: int
    failed: int


class ReplayReport(Report):
    """The whole answer of `mind-skills replay --json`."""

    version: Literal[1] = 1
    sessions: list[SessionReport]
    errors: list[FileError]
    totals: Totals


def _format(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    known = resolve_format(name) if name is not None else None
    if name is not None and known is None:
        raise click.BadParameter(advise_format(name), param_hint="'--format'")
    return known


@click.command(
    epilog=options.examples(
        "mind-skills replay",
        "mind-skills replay --since 90 --html learned.html",
        "mind-skills replay ~/.claude/projects",
        "mind-skills replay session.jsonl --json",
        "mind-skills replay rollouts/ --format codex --jobs 4",
        "mind-skills replay session.jsonl --stage --project ~/code/shop",
        "mind-skills replay ~/.claude/projects --remember",
    )
)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--since",
    type=click.IntRange(1, MOST_DAYS),
    metavar="DAYS",
    help=f"Only what changed in the last DAYS; without it and without PATHS, {DAYS}.",
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the best learnings as a page as well.",
)
@click.option(
    "--format",
    "format_name",
    metavar="F",
    callback=_format,
    help="Read every file as this format, or as this host's, instead of looking at its content.",
)
@click.option(
    "--jobs", type=click.IntRange(1, MOST_JOBS), metavar="N", help="Read N logs at a time; without it, one a processor."
)
@click.option("--stage", is_flag=True, help="Put what was found on the pending list of the project that you are in.")
@click.option("--remember", is_flag=True, help="Put the sessions into the memory, as episodes of their own projects.")
@click.option(
    "--with-state", is_flag=True, help="Leave out what this machine has accepted or dismissed, or has a skill for."
)
@click.option(
    "--project",
    type=click.Path(file_okay=False),
    default="",
    metavar="DIR",
    help="The project's folder for --stage, --remember and --with-state; without it, the one that each log names, and for "
    "--stage the one that you are in.",
)
@options.as_json
def command(
    paths: tuple[str, ...],
    since: int | None,
    page: str | None,
    format_name: str | None,
    jobs: int | None,
    stage: bool,
    remember: bool,
    with_state: bool,
    project: str,
    as_json: bool,
) -> int:
    """Read session logs and show what would have been learned.

    Without PATHS the histories of all hosts on this machine are read, and the ten best different learnings are shown: what
    each is, how it was borne out, and the command that shows more of it.

    PATHS are logs or folders of logs (*.jsonl, *.json, *.traj, *.db) of Claude Code, Codex, OpenCode, Gemini CLI,
    SWE-agent and mini-swe-agent; the format is chosen by content. JSONL logs and databases may have any size, a log
    that is one JSON document at most 48 MB. What was decided before counts for nothing and nothing is written, unless
    the options say so. A file that cannot be read is named and the others go on; the exit code is 1 only where none
    could be read.

    With --stage, sessions of other projects than the one that you are in, or whose log names none, are not staged unless
    --project says where: a log may be anybody's, and is not to name a folder to write into. Each is named on stderr, and
    the exit code is 1 where that leaves nothing to stage.

    With --remember, sessions that came out clearly are found by `mind-skills memory search` from then on: what they were
    asked, what they tried and how they ended. Said again, it changes nothing.
    """
    if format_name and not paths:
        raise click.UsageError("--format says how to read PATHS, and there are none.", click.get_current_context())
    if paths:
        sources = find_logs(paths, format_name)
        limits = history.keep_recent(sources, _begin(since)) if since else None
    else:
        limits = history.find_histories(_begin(since or DAYS))
        sources = limits.sources
    best = page is not None or not paths
    with show_progress("Reading", len(sources.logs)) as advance:
        whole = stage or remember or with_state
        results = read_all(sources, jobs or _usual_jobs(sources), advance, whole=whole, told=best)
    if with_state:
        leave_out_settled(results, project)
    report = make_report(results)
    staged = stage_candidates(results, project) if stage else Staged([], 0, 0)
    remembered = remember_sessions(results, project) if remember else ""
    scope = _scope(limits, since or DAYS, len(sources.logs))
    if best:
        summary = _summarise(results, report, scope, project, staged=stage)
        emit(report, as_json, lambda: _print(report) if paths else history.print_summary(summary))
        if page is not None:
            atomic.write(page, history.render_page(summary).encode("utf-8", "replace"))
            note(f"{page} is written.")
    else:
        emit(report, as_json, lambda: _print(report))
    if limits is not None and (paths or as_json):
        note(scope)
    for text in (*(staged.notes if paths else _count_staged(staged)), *filter(None, [remembered])):
        note(text)
    _note_passed_over(sources, named=bool(paths))
    if any(error.code == "bug" for error in report.errors):
        return BUG
    nowhere = staged.unplaced and not staged.placed
    return INPUT if nowhere or (report.errors and not report.sessions) else DONE


def _begin(days: int) -> int:
    return state.now() - days * history.DAY


def _scope(limits: history.Histories | None, days: int, number: int) -> str:
    """Which sessions were read, in a sentence."""
    if limits is None:
        return f"{count(number, 'session log')} read."
    last = "the last day" if days == 1 else f"the last {days} days"
    text = f"{count(number, 'session log')} of {last} read"
    text += f"; {limits.older} older left out (--since DAYS reads them)" if limits.older else ""
    return text + (f"; {limits.beyond} beyond the newest {number} as well" if limits.beyond else "") + "."


def _summarise(
    results: Sequence[Replayed], report: ReplayReport, scope: str, project: str, *, staged: bool
) -> history.Summary:
    taught = [_taught(item) for item in results if item.report is not None]
    ranked = history.rank_learnings(taught)
    best = history.describe_learnings(ranked[: history.SHOWN], taught, choose_project(project))
    return history.Summary(
        scope=scope,
        learnings=best,
        different=len(ranked),
        without=sum(not each.candidates for each in taught),
        failed=report.totals.failed,
        next_step=STAGED if staged else NOT_STAGED,
    )


def _taught(item: Replayed) -> history.Taught:
    assert item.report is not None
    told = {each.fingerprint for each in item.report.candidates}
    candidates = tuple(each for each in item.candidates if each.fingerprint in told)
    folder = item.header.project if item.header else ""
    return history.Taught(item.path, folder, candidates, copy=bool(candidates) and _began_as_copy(item))


def _count_staged(staged: Staged) -> list[str]:
    """What was done, in two sentences: of all histories, most sessions are of other projects."""
    notes = (
        [f"{count(staged.placed, 'session')} of this project staged; {staged.waiting} wait."] if staged.placed else []
    )
    if staged.unplaced:
        notes.append(
            f"{count(staged.unplaced, 'session')} of other projects not staged; change to their folders for these."
        )
    return notes


def _usual_jobs(sources: Sources) -> int:
    size = sum(_size(log) for log in sources.logs)
    return min(usable_cpus(), 1 + size // BYTES_A_JOB)


def _size(log: Log) -> int:
    try:
        return log.path.stat().st_size
    except OSError:  # a session in a database, or gone meanwhile, of which its reader speaks
        return 0


@dataclass(slots=True)
class Replayed:
    """What came of one log: either a session, or why there is none.

    ``header`` and what follows is what staging and the memory take, and there only where that is asked for.
    """

    path: Path
    report: SessionReport | None = None
    error: FileError | None = None
    header: Session | None = None
    candidates: tuple[Candidate, ...] = ()
    episode: Record | None = None
    """The session as a record of the memory, of no project; None where it is not clear how it came out."""
    ended: int | None = None
    """When the session's last observation was made (UTC milliseconds), None where the log does not say."""


def read_all(
    sources: Sources, jobs: int, advance: Callable[[], None], *, whole: bool, told: bool = False
) -> list[Replayed]:
    """Read all logs, ``jobs`` at a time; the answer is in the order of ``sources``. ``advance`` is called after each. Never raises.

    ``whole`` says that what was found is staged or remembered, or held against what was, ``told`` that the best of it is
    ranked: without either there is the report alone.
    """
    logs = sources.logs
    # The largest first, so that no process is left alone with one when the others are done.
    order: Sequence[int] = (
        sorted(range(len(logs)), key=lambda place: -_size(logs[place])) if jobs > 1 else range(len(logs))
    )
    done: list[Replayed | None] = [None] * len(logs)
    for number, result in run_each(partial(read, whole=whole, told=told), [logs[place] for place in order], jobs):
        log = logs[order[number]]
        done[order[number]] = _died(log) if isinstance(result, WorkerDiedError) else result
        advance()
    return [_failed(path, failure) for path, failure in sources.errors] + [item for item in done if item is not None]


def read(log: Log, *, whole: bool = True, told: bool = False) -> Replayed:
    """Read and judge one log; ``whole`` and ``told`` as in ``read_all``.

    Never raises: one file that is not right must not end the others.
    """
    try:
        with _collecting_rarely():
            analysis = analyse(log.path, format_name=log.format, whole=whole, rules=tells_rules())
        if nothing := explain_unread(log, analysis.session, analysis.observations):
            return _failed(log.path, nothing)
    except LogError as failure:
        return _failed(log.path, failure)
    except Exception as failure:  # noqa: BLE001 -- a bug in one reader or detector: named with its place, and the other logs go on
        hint = bug_report(failure, ["replay"])
        return _failed(log.path, LogError("bug", f"{type(failure).__name__} in mind-skills", hint))
    done = Replayed(log.path, session_report(log.path, analysis))
    if whole or told:
        done.header, done.candidates, done.ended = analysis.session, tuple(analysis.found), analysis.outcome.at
    if whole:
        from mind_skills.staging.episode import make_record

        name = analysis.session.session_id or log.path.name
        done.episode = make_record(None, analysis.session.host, name, analysis, analysis.outcome.at or 0)
    return done


@contextmanager
def _collecting_rarely() -> Generator[None]:
    """What is read holds no cycles, and looking for some among all that was imported takes a fiftieth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _died(log: Log) -> Replayed:
    hint = "memory may have run out: try it with --jobs 1"
    return _failed(log.path, LogError("worker_died", "the process that read it was ended", hint))


def _failed(path: Path, failure: LogError) -> Replayed:
    return Replayed(path, error=FileError.copy(failure, path=path_text(str(path)), message=str(failure)))


def make_report(results: Sequence[Replayed]) -> ReplayReport:
    """The whole document."""
    sessions = [item.report for item in results if item.report]
    errors = [item.error for item in results if item.error]
    totals = Totals(
        sessions=len(sessions),
        observations=sum(session.observations for session in sessions),
        candidates=sum(len(session.candidates) for session in sessions),
        failed=len(errors),
    )
    return ReplayReport(sessions=sessions, errors=errors, totals=totals)


def session_report(path: Path, analysis: Analysis) -> SessionReport:
    """One session as a document."""
    outcome = analysis.outcome
    return SessionReport.copy(
        analysis.session,
        path=path_text(str(path)),
        observations=analysis.observations,
        outcome=OutcomeReport.copy(outcome, score=None if outcome.score is None else round(outcome.score, 4)),
        candidates=[
            FoundReport.of(candidate_fields(candidate) | {"offer": entry(apply_caps(candidate))})
            for candidate in analysis.candidates
        ],
        warnings=[WarningReport.copy(warning) for warning in analysis.session.warnings],
    )


def leave_out_settled(results: Sequence[Replayed], project: str) -> None:
    """Remove, in place, the candidates that were accepted or dismissed in their session's project before.

    Those that a skill says already, which is installed there, go as well.
    """
    from mind_skills.learning.skills.discovery import find_installed
    from mind_skills.staging.covered import Shelf

    shelves: dict[str, Shelf] = {}
    with state.open_ledger() as ledger:
        for item in results:
            place = _project_of(item, project)
            if place is None or item.report is None:
                continue
            ended = ledger.list_history(place)
            gone = {record.candidate.fingerprint for record in ended if record.state in ("accepted", "dismissed")}
            if place.root not in shelves:
                shelves[place.root] = Shelf(find_installed(place.root).skills)
            gone |= {c.fingerprint for c in item.candidates if shelves[place.root].find_covering(c)}
            item.candidates = tuple(c for c in item.candidates if c.fingerprint not in gone)
            item.report.candidates = [c for c in item.report.candidates if c.fingerprint not in gone]


class Staged(NamedTuple):
    """What was done, in sentences, and for how many sessions with candidates there was a list to put them on, or none."""

    notes: list[str]
    placed: int
    unplaced: int
    waiting: int = 0
    """How many learnings wait in the project afterwards."""


def stage_candidates(results: Sequence[Replayed], project: str) -> Staged:
    """Stage the candidates of every session in ``project``, or without it those of the project that the user is in.

    A log names its project, and may be anybody's: no other folder is written into for its word. Raises StoreError.
    """
    from mind_skills.learning.rules import rules_of
    from mind_skills.learning.skills.discovery import find_installed

    here = choose_project(project)
    notes: list[str] = []
    unplaced = waiting = 0
    copies = {str(item.path) for item in results if item.candidates and _began_as_copy(item)}
    with state.open_ledger() as ledger:
        for item in sorted(results, key=lambda item: str(item.path) in copies):  # after what they are copies of
            if item.header is None or not item.candidates:
                continue
            named = _project_of(item, project)
            if named is None or named.id != here.id:
                why = "its log names no project" if named is None else f"its project is {item.header.project}"
                notes.append(f"{item.path}: not staged, {why}; change to its folder, or name one with --project.")
                unplaced += 1
                continue
            session = item.header.session_id or item.path.name
            own = item.candidates
            if str(item.path) in copies:
                own = tuple(ledger.exclude_seen_by_others(here, session, own))
            known, rules, most = find_installed(here.root).skills, rules_of(here.root), cap(here.root, "per_session")
            seen = (here, session, item.header.host, own, state.now(), known, rules.learning, most)
            done = ledger.stage(*seen, adapts=rules.adapts)
            waiting = done.waiting
            parts = [f"{len(done.new)} new", f"{len(done.again)} known", f"{len(done.refused)} settled before"]
            parts += [f"{len(done.kept)} kept until another session sees them"] if done.kept else []
            parts += [f"{len(done.covered)} said by a skill"] if done.covered else []
            notes.append(f"{here.root}: {', '.join(parts)}; {done.waiting} wait.")
    return Staged(notes, len(notes) - unplaced, unplaced, waiting)


def _began_as_copy(item: Replayed) -> bool:
    """Whether a session began as a copy of another, so that what both hold is learned from the other alone."""
    from mind_skills.observations.copies import origin

    try:
        return item.header is not None and origin(item.path, item.header.format) is not None
    except OSError:
        return False  # it was read before, and is gone now


def remember_sessions(results: Sequence[Replayed], project: str) -> str:
    """Store the sessions as episodes of the memory; returns what to say of that. Raises StoreError.

    A session that began as a copy of another (a fork) is told by the other: both begin with the same request at the same
    time. Of a project that this machine does not have, an episode is kept all the same: it may be asked for everywhere.
    """
    from mind_skills.memory.records import PACKAGE, STEPS, Records
    from mind_skills.store.database import Database
    from mind_skills.store.home import ensure

    kept: dict[object, Record] = {}
    unclear = 0
    for item in sorted((item for item in results if item.header), key=lambda item: item.ended or 0):
        if item.episode is None or item.header is None:
            unclear += 1
            continue
        place = _project_of(item, project)
        record = replace(item.episode, project=place.id if place else "")
        began = (item.header.host, record.task, item.header.started)
        kept.setdefault(began if item.header.started is not None else record.id, record)
    with Database.open(ensure(), PACKAGE, STEPS) as database:
        records = Records(database)
        records.put(kept.values())
        gone = records.keep_newest("episode", episodes())
    text = f"{count(len(kept), 'session')} remembered"
    text += f", {unclear} not, since nothing shows how they came out" if unclear else ""
    return text + (f"; {count(gone, 'older one')} forgotten" if gone else "") + "."


def _project_of(item: Replayed, named: str) -> Project | None:
    """The project of a session: the one that is named, else the one that its log names."""
    if named:
        return choose_project(named)
    return find(named=item.header.project) if item.header and item.header.project else None


def _print(report: ReplayReport) -> None:
    """Print every session, the totals, and what could not be read."""
    for session in report.sessions:
        _print_session(session)
    totals = report.totals
    heading(
        f"{count(totals.sessions, 'session')}, {count(totals.observations, 'observation')}, "
        f"{count(totals.candidates, 'candidate')}, {totals.failed} unreadable"
    )
    for error in report.errors:
        line(f"  {error.path}: {error.message} ({error.code})")
        if error.hint:
            line(f"    {error.hint}")


def _print_session(session: SessionReport) -> None:
    heading(session.path)
    outcome = session.outcome
    score = "" if outcome.score is None else f" {outcome.score:.2f}"
    line(f"  {session.host}, {count(session.observations, 'observation')}; {outcome.type}{score}; {outcome.reasoning}")
    for warning in session.warnings:
        line(f"  line {warning.line}: {warning.message}" if warning.line else f"  {warning.message}")
    rows: list[tuple[str, ...]] = []
    for found in session.candidates:
        lines = [evidence.line for evidence in found.evidence]
        span = f"{min(lines)}-{max(lines)}" if lines else ""
        rows.append((found.confidence, f"{found.probability:.2f}", kind_text(found.kind), span, found.title))
    if rows:
        table("", ("confidence", "probability", "kind", "lines", "title"), rows, right=("probability",))
    line()


def _note_passed_over(sources: Sources, *, named: bool) -> None:
    """On stderr. Where nothing at all was found, also what was looked for, and where logs usually are."""
    missing = sources.errors and all(error.code == "not_found" for _, error in sources.errors)
    if not sources.logs and (
        missing or not sources.errors
    ):  # a newcomer may have another host than the one in the example
        if named and not missing:
            *most, last = (f"*{suffix}" for suffix in SUFFIXES)
            note(f"No session logs there: {', '.join(most)} and {last} files were looked for.")
            if sources.passed_over:
                note(f"{count(sources.passed_over, 'such file')} passed over: not the log of a known host.")
            if sources.unlike:
                note(f"{count(sources.unlike, 'file')} of other kinds passed over.")
        note("Hosts keep their logs here, if no setting says otherwise:")
        for spec in all_specs():
            _, usual, file = spec.database
            place = f"{usual}/{file}" if file else f"{spec.folder}/{spec.log_folder}"
            note(f"  {spec.title:12} ~/{place}")
    elif sources.passed_over:
        note(f"{count(sources.passed_over, 'other file')} passed over.")
