"""`mind-skills replay`: show what would have been learned from past sessions.

The JSON output is a stable interface. Times are in milliseconds; ``line`` is 1-based, in the unit of the log format:
the line of a JSONL log, the index of the message for OpenCode, mini-swe-agent and older Gemini CLI logs, the step for
SWE-agent.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote as quote_word
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from mind_skills.cli import options, replay_summary
from mind_skills.cli.pending import has_hooks
from mind_skills.digest.model import SessionDigest
from mind_skills.errors import BUG, DONE, FAILURE, LogError
from mind_skills.hooks.start import find_command
from mind_skills.hosts import load_all_specs
from mind_skills.observations.find_logs import (
    SUFFIXES,
    FoundLogs,
    Log,
    build_format_message,
    explain_empty_log,
    find_logs,
    resolve_format,
)
from mind_skills.observations.model import Session
from mind_skills.observations.open_file import describe_compressed
from mind_skills.output import state
from mind_skills.output.candidates import (
    CandidateReport,
    build_candidate_report,
    describe_trust,
    format_kind,
    list_rows,
)
from mind_skills.output.document import Document, Report
from mind_skills.output.text import (
    emit,
    format_bug_report,
    format_count,
    format_path,
    print_heading,
    print_line,
    print_note,
    print_table,
    print_wrapped,
    show_progress,
)
from mind_skills.settings.lenient import get_cap, get_max_episodes, should_offer_learnings
from mind_skills.staging.analyse import Analysis, analyse
from mind_skills.staging.covered import InstalledSkills
from mind_skills.staging.entry import render_entry
from mind_skills.staging.episode import make_record
from mind_skills.staging.model import Candidate
from mind_skills.store.process_pool import WorkerDiedError, count_usable_cpus, run_in_processes
from mind_skills.store.project import Project, resolve_project

if TYPE_CHECKING:
    from mind_skills.memory.model import Record

DEFAULT_DAYS = 30
"""Default for the maximum age of the logs, in days, in a replay of all histories."""
NOT_INSTALLED = (
    "No learning was stored. Run `mind-skills install` to learn from future sessions automatically, or `mind-skills replay "
    "--stage` in a project to put its learnings on the list."
)
NOT_STAGED = "No learning was stored. Run `mind-skills replay --stage` in a project to put its learnings on the list."
STAGED = "The next sessions of this project are offered the staged learnings, each once. Run `mind-skills review` to decide first."
STAGED_FOR_REVIEW = (
    "The staged learnings wait for your review: run `mind-skills review`. As `write_skills` is never, no session is offered a "
    "learning."
)
STAGED_WITHOUT_HOOKS = (
    "No session is offered the staged learnings, because no hook is installed: run `mind-skills install`. Run "
    "`mind-skills review` to decide about them."
)
NONE_FOUND = "No learning of this project was found, so none was staged."
NONE_LISTED = "None of the staged learnings is on the list: they were decided before, or are covered by a skill."
MAX_DETAILED = replay_summary.MAX_LEARNINGS
_STDIN = _STDOUT = "-"
BYTES_PER_JOB = 4_000_000
"""By default, one process is started, and one more for each full four megabytes of logs. Starting a process takes about
as long as reading two megabytes."""


class FoundCandidateReport(CandidateReport):
    """A candidate in a replayed session. ``offer`` is its entry in an offer."""

    offer: str


class OutcomeReport(Report):
    """The outcome of a session, and the reasoning behind it."""

    type: Literal["helpful", "neutral", "harmful", "unknown"]
    score: float | None
    success: bool | None
    duration_ms: int | None
    error_count: int
    retry_count: int
    reasoning: str


class WarningReport(Report):
    """A warning about a part of a log that was not read. ``line`` is 0 if the warning is about the whole log."""

    line: int
    message: str


class EpisodeSpan(Document):
    """First and last line of an episode of a digest."""

    first_line: int
    last_line: int


class DigestReport(Report):
    """What a reader sees of the session (docs/detection.md), and the lines of its episodes."""

    text: str
    episodes: list[EpisodeSpan]


class SessionReport(Report):
    """The session in a log. ``lines`` is the length of the log, in the unit of ``line``."""

    path: str
    session_id: str
    host: str
    format: str
    lines: int
    observations: int
    outcome: OutcomeReport
    digest: DigestReport | None
    """Null if no episode is probable enough."""
    candidates: list[FoundCandidateReport]
    """The candidates to offer, best first."""
    warnings: list[WarningReport]


class FileError(Report):
    """A path that could not be read."""

    path: str
    code: str
    message: str
    hint: str


class Totals(Report):
    """Sums over the sessions; ``failed`` is the number of paths under ``errors``."""

    sessions: int
    observations: int
    candidates: int
    failed: int


class ReplayReport(Report):
    """Output of `mind-skills replay --json`."""

    version: Literal[1] = 1
    sessions: list[SessionReport]
    errors: list[FileError]
    compressed: list[str]
    """The paths of the logs that were not read because they are compressed."""
    totals: Totals


def _resolve_format_option(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    format_name = resolve_format(name) if name is not None else None
    if name is not None and format_name is None:
        raise click.BadParameter(build_format_message(name), param_hint="'--format'")
    return format_name


@options.top_level_command(
    "mind-skills replay",
    "mind-skills replay --since 90 --html learned.html",
    "mind-skills replay ~/.claude/projects",
    "mind-skills replay session.jsonl --json",
    "mind-skills replay rollouts/ --format codex --jobs 4",
    "mind-skills replay session.jsonl --stage --project ~/code/shop",
    "mind-skills replay ~/.claude/projects --remember",
)
@click.argument("paths", nargs=-1, type=click.Path())
@options.since(f"Only read logs that changed since WHEN. Default: {DEFAULT_DAYS}d without PATHS, else no limit.")
@click.option(
    "--html",
    "page_path",
    type=click.Path(dir_okay=False),
    is_flag=False,
    flag_value="learned.html",
    metavar="[FILE]",
    help="Also write the best learnings to FILE, or to learned.html, as an HTML page. With -, write only the page, to stdout.",
)
@click.option(
    "--format",
    "format_name",
    metavar="F",
    callback=_resolve_format_option,
    help="Read every file in the format F, or in the format of the host F, instead of detecting the format.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Number of logs to read in parallel. Default: depends on the size of the logs, at most one per processor.",
)
@click.option("--stage", is_flag=True, help="Put the learnings on the pending list of the current project.")
@click.option("--remember", is_flag=True, help="Add the sessions to the memory, as episodes of their projects.")
@click.option(
    "--with-state",
    is_flag=True,
    help="Omit learnings that were accepted or dismissed on this machine, or that a skill covers.",
)
@options.add_project_option(
    "Project folder for --stage, --remember and --with-state. Default: the folder named in each log, and for --stage "
    "the current one."
)
@options.as_json
def command(
    paths: tuple[str, ...],
    since: options.Period | None,
    page_path: str | None,
    format_name: str | None,
    jobs: int | None,
    stage: bool,
    remember: bool,
    with_state: bool,
    folder: str,
    as_json: bool,
) -> int:
    """Read session logs and show what would have been learned.

    Without PATHS, the histories of all hosts on this machine are read, and the ten best distinct learnings are shown:
    what was learned, the evidence for it, and the command that shows more. With PATHS, up to ten learnings are shown
    whole, with what failed and what bore it out; more of them are a table.

    PATHS are logs or folders of logs (*.jsonl, *.json, *.traj, *.db) of Claude Code, Codex, OpenCode, Gemini CLI, Antigravity,
    SWE-agent and mini-swe-agent, or - for a log on stdin; the format is detected from the content. JSONL logs and
    databases may have any size; a log that is a single JSON document may have at most 48 MB. Unless options say
    otherwise, past decisions are ignored and nothing is written. Unreadable files are reported and skipped; the exit
    code is 1 only if no file could be read.

    With --stage, sessions of other projects, and sessions whose log names no project, are only staged if --project is
    given: logs are untrusted and must not choose a folder to write to. Skipped sessions are reported on stderr, and the
    exit code is 1 if all of them were skipped.

    With --remember, `mind-skills memory search` finds the sessions that had a clear outcome: the request, the attempts
    and the result. Running the command again changes nothing.
    """
    if format_name and not paths:
        raise click.UsageError("--format requires PATHS.", click.get_current_context())
    if "" in paths:
        raise click.UsageError("PATHS contain an empty name.", click.get_current_context())
    if page_path == _STDOUT and as_json:
        message = "--json and --html - cannot be combined: both write to stdout."
        raise click.UsageError(message, click.get_current_context())
    stdin_copy = _save_stdin() if _STDIN in paths else ""
    paths = tuple(stdin_copy if path == _STDIN else path for path in paths)
    period = since or options.make_period(f"{DEFAULT_DAYS}d")
    if paths:
        sources = find_logs(paths, format_name)
        histories = replay_summary.keep_recent(sources, since.start) if since else None
    else:
        histories = replay_summary.find_histories(period.start)
        sources = histories.sources
    shows_best = page_path is not None or not paths
    keep = stage or remember or with_state
    with show_progress("Reading", len(sources.logs)) as advance:
        jobs = jobs or _choose_jobs(sources)
        results = read_all(sources, jobs, advance, keep_details=keep, keep_candidates=shows_best)
    if with_state:
        remove_settled(results, folder)
    report = make_report(results, sources.compressed)
    reports: list[SessionReport | FileError] = [*report.sessions, *report.errors]
    for each in reports:
        each.path = _STDIN if each.path == stdin_copy else each.path
    staged = stage_candidates(results, folder) if stage else None
    remembered = remember_sessions(results, folder) if remember else ""
    scope = _describe_scope(histories, period, len(sources.logs))
    if shows_best:
        summary = _build_summary(results, report, scope, folder, staged)
        if page_path is not None and as_json:  # if this fails, the error must be the only document
            _write_page(page_path, summary)
        if page_path != _STDOUT:
            emit(report, as_json, lambda: _print_report(report) if paths else replay_summary.print_summary(summary))
        if page_path is not None and not as_json:
            _write_page(page_path, summary)
    else:
        emit(report, as_json, lambda: _print_report(report))
    if histories is not None and (paths or as_json):
        print_note(scope)
    staging_notes = [] if staged is None else staged.notes if paths else _summarise_staging(staged)
    for text in (*staging_notes, *filter(None, [remembered])):
        print_note(text)
    _print_skipped_files(sources, has_paths=bool(paths))
    if any(error.code == "bug" for error in report.errors):
        return BUG
    nothing_staged = staged is not None and staged.skipped_sessions and not staged.staged_sessions
    return FAILURE if nothing_staged or (report.errors and not report.sessions) else DONE


def _write_page(path: str, summary: replay_summary.Summary) -> None:
    from mind_skills.cli.report import replace_page

    html = replay_summary.render_page(summary).encode("utf-8", "replace")
    if path == _STDOUT:
        sys.stdout.buffer.write(html)
        return
    replace_page(path, html)
    print_note(f"Wrote {path}.")


def _save_stdin() -> str:
    """Copy stdin to a temporary file, because readers open a log several times. Return the path of the file."""
    folder = click.get_current_context().with_resource(TemporaryDirectory(prefix="mind-skills-replay-"))
    path = Path(folder, "stdin.jsonl")
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return str(path)


def _describe_scope(histories: replay_summary.Histories | None, period: options.Period, log_count: int) -> str:
    """Describe which logs were read, and how many were skipped."""
    if histories is None:
        return f"{format_count(log_count, 'session log')} read."
    text = f"{format_count(log_count, 'session log')} {period.text} read"
    text += f"; {histories.older} older skipped (use --since DAYS to read them)" if histories.older else ""
    text += f"; {histories.beyond} beyond the newest {log_count} skipped" if histories.beyond else ""
    if not log_count and state.has_database():
        text += f". `mind-skills report --since {period.raw_value}` shows what was already recorded"
    return text + "."


def _build_summary(
    results: Sequence[ReplayResult], report: ReplayReport, scope: str, folder: str, staged: StagingSummary | None
) -> replay_summary.Summary:
    sessions = [_select_offered(item) for item in results if item.report is not None]
    ranked = replay_summary.rank_learnings(sessions)
    best = replay_summary.describe_learnings(
        ranked[: replay_summary.MAX_LEARNINGS], sessions, state.resolve_project_option(folder)
    )
    return replay_summary.Summary(
        scope=scope,
        learnings=best,
        distinct=len(ranked),
        sessions_without_learnings=sum(not each.candidates for each in sessions),
        unreadable_logs=[f"{error.path}: {error.message}" for error in report.errors],
        next_step=_choose_next_step(staged, folder),
    )


def _choose_next_step(staged: StagingSummary | None, folder: str) -> str:
    """Return the sentence at the end of the summary; ``staged`` is None without --stage, in the project at ``folder``."""
    if staged is None:
        return NOT_STAGED if has_hooks() else NOT_INSTALLED
    if not staged.pending_count:
        return NONE_LISTED if staged.staged_sessions else NONE_FOUND
    if not should_offer_learnings(state.resolve_project_option(folder).root):
        return STAGED_FOR_REVIEW
    return STAGED if has_hooks() else STAGED_WITHOUT_HOOKS


def _select_offered(item: ReplayResult) -> replay_summary.ReplayedSession:
    assert item.report is not None
    offered = {each.fingerprint for each in item.report.candidates}
    candidates = tuple(each for each in item.candidates if each.fingerprint in offered)
    folder = item.header.project if item.header else ""
    is_copy = bool(candidates) and _is_copy(item)
    return replay_summary.ReplayedSession(item.report.path, folder, candidates, is_copy=is_copy)


def _summarise_staging(staged: StagingSummary) -> list[str]:
    """Return at most two notes on what was staged. One for each session would be too many, as most are of other projects."""
    notes: list[str] = []
    if staged.staged_sessions:
        sessions = format_count(staged.staged_sessions, "session")
        verb = "is" if staged.pending_count == 1 else "are"
        notes.append(
            f"The learnings of {sessions} of this project were staged; {staged.pending_count} {verb} on the list now."
        )
    if staged.skipped_sessions:
        sessions = format_count(staged.skipped_sessions, "session")
        notes.append(
            f"The learnings of {sessions} of other or unknown projects were not staged. Run the command in the folder of "
            "each project, or use --project."
        )
    return notes


def _choose_jobs(sources: FoundLogs) -> int:
    size = sum(_get_size(log) for log in sources.logs)
    return min(count_usable_cpus(), 1 + size // BYTES_PER_JOB)


def _get_size(log: Log) -> int:
    try:
        return log.path.stat().st_size
    except OSError:  # a session in a database, or a log that was removed, which its reader reports
        return 0


@dataclass(slots=True)
class ReplayResult:
    """The result of reading one log: either ``report`` or ``error``."""

    path: Path
    report: SessionReport | None = None
    error: FileError | None = None
    header: Session | None = None
    candidates: tuple[Candidate, ...] = ()
    digest: SessionDigest | None = None
    episode: Record | None = None
    """The session as a memory record without a project; None if its outcome is unclear, or it lacks a request or a reply."""


def read_all(
    sources: FoundLogs, jobs: int, advance: Callable[[], None], *, keep_details: bool, keep_candidates: bool = False
) -> list[ReplayResult]:
    """Read all logs in ``jobs`` processes, calling ``advance`` after each. A log that cannot be read becomes an error."""
    logs = sources.logs
    order = list(range(len(logs)))
    if jobs > 1:  # largest first, so that no process still reads a large log when all others have finished
        order.sort(key=lambda index: -_get_size(logs[index]))
    read = partial(read_log, keep_details=keep_details, keep_candidates=keep_candidates)
    results: dict[int, ReplayResult] = {}
    for task_index, result in run_in_processes(read, [logs[index] for index in order], jobs):
        index = order[task_index]
        results[index] = _make_worker_failure(logs[index]) if isinstance(result, WorkerDiedError) else result
        advance()
    failures = [_make_failure(path, failure) for path, failure in sources.errors]
    return failures + [results[index] for index in sorted(results)]


def read_log(log: Log, *, keep_details: bool = True, keep_candidates: bool = False) -> ReplayResult:
    """Read and analyse a log; see ``read_all`` for the arguments. Never raises: a bad log must not stop the others."""
    try:
        analysis = analyse(log.path, format_name=log.format)
        if problem := explain_empty_log(log, analysis.session, analysis.observation_count):
            return _make_failure(log.path, problem)
    except LogError as failure:
        return _make_failure(log.path, failure)
    except Exception as failure:  # noqa: BLE001 -- a bug in a reader or detector must not stop the others
        hint = format_bug_report(failure, ["replay"])
        return _make_failure(log.path, LogError("bug", f"{type(failure).__name__} in mind-skills", hint))
    result = ReplayResult(log.path, build_session_report(log.path, analysis))
    if keep_details or keep_candidates:
        result.header, result.candidates, result.digest = analysis.session, tuple(analysis.candidates), analysis.digest
    if keep_details:
        name = analysis.session.session_id or log.path.name
        result.episode = make_record(None, analysis.session.host, name, analysis, analysis.outcome.at or 0)
    return result


def _make_worker_failure(log: Log) -> ReplayResult:
    hint = "The process may have run out of memory; try --jobs 1."
    return _make_failure(log.path, LogError("worker_died", "the process that read it was killed", hint))


def _make_failure(path: Path, failure: LogError) -> ReplayResult:
    return ReplayResult(path, error=FileError.from_object(failure, path=format_path(str(path)), message=str(failure)))


def make_report(results: Sequence[ReplayResult], compressed: Sequence[str] = ()) -> ReplayReport:
    sessions = [item.report for item in results if item.report]
    errors = [item.error for item in results if item.error]
    totals = Totals(
        sessions=len(sessions),
        observations=sum(session.observations for session in sessions),
        candidates=sum(len(session.candidates) for session in sessions),
        failed=len(errors),
    )
    return ReplayReport(sessions=sessions, errors=errors, compressed=list(map(format_path, compressed)), totals=totals)


def build_session_report(path: Path, analysis: Analysis) -> SessionReport:
    outcome = analysis.outcome
    return SessionReport.from_object(
        analysis.session,
        path=format_path(str(path)),
        observations=analysis.observation_count,
        outcome=OutcomeReport.from_object(outcome, score=None if outcome.score is None else round(outcome.score, 4)),
        digest=_build_digest_report(analysis),
        candidates=[
            FoundCandidateReport.from_object(build_candidate_report(candidate), offer=render_entry(candidate))
            for candidate in analysis.candidates
        ],
        warnings=[WarningReport.from_object(warning) for warning in analysis.session.warnings],
    )


def _build_digest_report(analysis: Analysis) -> DigestReport | None:
    episodes = analysis.digest.episodes
    spans = [EpisodeSpan(first_line=each.first_line, last_line=each.last_line) for each in episodes]
    return DigestReport(text=analysis.digest_text, episodes=spans) if episodes else None


def remove_settled(results: Sequence[ReplayResult], folder: str) -> None:
    """Remove from ``results`` the candidates that were accepted or dismissed, or that an installed skill covers."""
    from mind_skills.learning.skills.discovery import find_installed_skills

    skills_by_root: dict[str, InstalledSkills] = {}
    with state.open_ledger(create=False) as ledger:
        for item in results:
            project = _find_project(item, folder)
            if project is None or item.report is None:
                continue
            settled_fingerprints = {
                record.candidate.fingerprint
                for record in ledger.list_history(project)
                if record.state in ("accepted", "dismissed")
            }
            if project.root not in skills_by_root:
                skills_by_root[project.root] = InstalledSkills(find_installed_skills(project.root).skills)
            installed = skills_by_root[project.root]
            settled_fingerprints |= {c.fingerprint for c in item.candidates if installed.find_covering(c)}
            item.candidates = tuple(c for c in item.candidates if c.fingerprint not in settled_fingerprints)
            item.report.candidates = [c for c in item.report.candidates if c.fingerprint not in settled_fingerprints]


class StagingSummary(NamedTuple):
    """The result of staging. ``notes`` describes each session with candidates; the other fields are counts."""

    notes: list[str]
    staged_sessions: int
    """Sessions whose candidates were staged."""
    skipped_sessions: int
    """Sessions with candidates that were not staged."""
    pending_count: int = 0
    """Pending candidates in the project afterwards; 0 if nothing was staged."""


def stage_candidates(results: Sequence[ReplayResult], folder: str) -> StagingSummary:
    """Stage the candidates of all ``results`` in the project at ``folder``.

    If ``folder`` is empty, only stage the candidates of the current project: logs are untrusted, so a folder is not
    written to just because a log names it. Raises StoreError.
    """
    from mind_skills.learning.rules import load_rules
    from mind_skills.learning.skills.discovery import find_installed_skills

    current = state.resolve_project_option(folder)
    notes: list[str] = []
    skipped = pending_count = 0
    copies = {str(item.path) for item in results if item.candidates and _is_copy(item)}
    installed, rules = find_installed_skills(current.root).skills, load_rules(current.root)
    limit = get_cap(current.root, "per_session")
    with state.open_ledger() as ledger:
        for item in sorted(results, key=lambda item: str(item.path) in copies):  # originals before their copies
            if item.report is None or item.header is None or not item.candidates:
                continue
            project = _find_project(item, folder)
            if project is None or project.id != current.id:
                name = item.header.project
                reason = f"its project is {name}" if name else "the log names no project"
                advice = "Run the command in the project's folder, or use --project."
                if project is not None and resolve_project(folder=project.root).id != project.id:
                    advice = f"Use --project {quote_word(project.root)}."  # in that folder, another project is the current one
                notes.append(f"{item.report.path}: not staged, {reason}. {advice}")
                skipped += 1
                continue
            session, now = item.header.session_id or item.path.name, state.read_clock()
            log = str(item.path.absolute())  # the session may not be registered
            own: Sequence[Candidate] = [replace(candidate, log=log) for candidate in item.candidates]
            if str(item.path) in copies:
                own = ledger.exclude_seen_by_others(current, session, own)
            arguments = (current, session, item.header.host, own, now, installed, rules.learning, limit)
            result = ledger.stage(*arguments)
            if item.digest is not None:
                ledger.put_digest(session, current.id, item.digest, now)
            pending_count = result.pending_count
            counts = f"{len(result.new)} new, {len(result.seen_before)} seen before, {len(result.settled_before)} decided before"
            covered = f", {len(result.covered)} covered by a skill" if result.covered else ""
            notes.append(f"{current.root}: {counts}{covered}; {pending_count} on the list.")
        ledger.update_error_index(current.id, find_command(), installed)
    return StagingSummary(notes, len(notes) - skipped, skipped, pending_count)


def _is_copy(item: ReplayResult) -> bool:
    """Return whether a session began as a copy of another. Learnings that both contain count only for the original."""
    from mind_skills.observations.session_origin import find_origin

    try:
        return item.header is not None and find_origin(item.path, item.header.format) is not None
    except OSError:
        return False  # the log was removed after it was read


def remember_sessions(results: Sequence[ReplayResult], folder: str) -> str:
    """Store the sessions with a clear outcome as episodes in the memory, and return a summary. Raises StoreError.

    Of a fork and its original, which begin with the same request at the same time, only the one that ended first is
    stored. Projects need not exist on this machine, since a search may cover all projects. A session whose log names no
    project stays in quarantine, as with `memory add --everywhere`: every project could find its record.
    """
    from mind_skills.memory.model import QUARANTINE_TAINT
    from mind_skills.memory.records import SCHEMA, Records

    episode_by_start: dict[object, Record] = {}
    unclear = 0
    for item in sorted(results, key=lambda item: item.episode.at if item.episode else 0):
        if item.header is None:
            continue
        if item.episode is None:
            unclear += 1
            continue
        project = _find_project(item, folder)
        if project is None:
            taint = ",".join(filter(None, (item.episode.taint, QUARANTINE_TAINT)))
            record = replace(item.episode, project="", taint=taint)
        else:
            record = replace(item.episode, project=project.id)
        start = (item.header.host, record.task, item.header.started)
        episode_by_start.setdefault(start if item.header.started is not None else record.id, record)
    with state.open_database(SCHEMA) as database:
        records = Records(database)
        records.put(episode_by_start.values())
        removed = records.keep_newest("episode", get_max_episodes())
    text = f"{format_count(len(episode_by_start), 'session')} remembered"
    hidden = sum(record.is_quarantined for record in episode_by_start.values())
    text += f" ({hidden} without a project, in quarantine until `mind-skills memory trust ID`)" if hidden else ""
    text += f", {unclear} skipped because of an unclear outcome" if unclear else ""
    return text + (f"; {format_count(removed, 'older one')} forgotten" if removed else "") + "."


def _find_project(item: ReplayResult, folder: str) -> Project | None:
    """Return the project at ``folder`` or, if that is empty, the project named in the session's log, or None."""
    if folder:
        return state.resolve_project_option(folder)
    if item.header is None or not os.path.isabs(item.header.project):
        return None
    return state.resolve_log_project(item.header.host, item.header.project)


def _print_report(report: ReplayReport) -> None:
    is_detailed = report.totals.candidates <= MAX_DETAILED
    for session in report.sessions:
        _print_session(session, is_detailed=is_detailed)
    totals = report.totals
    print_heading(
        f"{format_count(totals.sessions, 'session')}, {format_count(totals.observations, 'observation')}, "
        f"{format_count(totals.candidates, 'candidate')}, {totals.failed} unreadable"
    )
    for error in report.errors:
        print_line(f"  {error.path}: {error.message} ({error.code})")
        if error.hint:
            print_line(f"    {error.hint}")


def _print_session(session: SessionReport, *, is_detailed: bool) -> None:
    print_heading(session.path)
    outcome = session.outcome
    score = "" if outcome.score is None else f" {outcome.score:.2f}"
    print_line(
        f"  {session.host}, {format_count(session.observations, 'observation')}; {outcome.type}{score}; {outcome.reasoning}"
    )
    for warning in session.warnings:
        print_line(f"  line {warning.line}: {warning.message}" if warning.line else f"  {warning.message}")
    if is_detailed:
        for each in session.candidates:
            _print_learning(each)
    elif session.candidates:
        print_table(
            "",
            ("confidence", "probability", "kind", "lines", "title"),
            [
                (each.confidence, f"{each.probability:.2f}", format_kind(each.kind), _format_span(each), each.title)
                for each in session.candidates
            ],
            right_aligned=("probability",),
            wrap_last_column=True,
        )
    print_line()


def _print_learning(candidate: FoundCandidateReport) -> None:
    """Print the facts of an episode, and what failed, what was done and what bore it out."""
    span = _format_span(candidate)
    print_line()
    print_wrapped(candidate.title, "  ")
    for label, text in list_rows(candidate):
        print_wrapped(f"{label}: {replay_summary.flatten(text)}", "    ")
    lines = f"; lines {span}" if span else ""
    print_wrapped(f"{describe_trust(candidate.probability)}; {format_kind(candidate.kind)}{lines}", "    ")


def _format_span(candidate: FoundCandidateReport) -> str:
    """Return the first and last line of the evidence as ``FIRST-LAST``; empty without evidence."""
    lines = [evidence.line for evidence in candidate.evidence]
    return f"{min(lines)}-{max(lines)}" if lines else ""


def _print_skipped_files(sources: FoundLogs, *, has_paths: bool) -> None:
    """Print on stderr how many files were skipped; if no log was found, also print where hosts keep their logs."""
    if sources.compressed:
        print_note(describe_compressed(sources.compressed))
    if not sources.logs and all(error.code == "not_found" for _, error in sources.errors):
        if has_paths and not sources.errors:
            *others, last = (f"*{suffix}" for suffix in SUFFIXES)
            print_note(f"No session logs found. Session logs are {', '.join(others)} or {last} files.")
            if sources.skipped_files:
                print_note(f"{format_count(sources.skipped_files, 'file')} skipped: not the log of a supported host.")
            if sources.other_files:
                print_note(f"{format_count(sources.other_files, 'file')} of other types skipped.")
        print_note("By default, hosts keep their logs here:")
        for spec in load_all_specs():
            _, folder, file = spec.database_location
            location = f"{folder}/{file}" if file else f"{spec.settings_folder}/{spec.log_folders[0]}"
            print_note(f"  {spec.title:12} ~/{location}")
    elif sources.skipped_files:
        print_note(f"{format_count(sources.skipped_files, 'other file')} skipped.")
