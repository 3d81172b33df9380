"""`mind-skills fleet`: scan many session logs on several processes or machines, and summarise what recurs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup
from mind_skills.errors import DONE, FAILURE
from mind_skills.fleet import REPORT_PACKAGES, SCAN_PACKAGES, require_packages
from mind_skills.fleet.document import DIMENSIONS, Dimension, FleetReport, ScanEventReport
from mind_skills.output.document import to_json
from mind_skills.output.text import (
    emit,
    format_count,
    format_path,
    is_interactive,
    print_heading,
    print_line,
    print_note,
    print_table,
)

if TYPE_CHECKING:
    from mind_skills.fleet.scan import Progress
    from mind_skills.fleet.worker import BatchResult, SetAside

MAX_SHOWN_ROWS = 20
"""Maximum number of rows of a list to print as text; ``--json`` and the page may contain more."""
_LIMITS = {"timeout": "timeout: --time-limit is the limit", "memory": "memory: --memory is the limit"}
"""The reasons for which an option can be changed."""
Reporter = Callable[["Progress", "BatchResult | None"], None]


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Scan many session logs on several processes or machines, and summarise what recurs.

    Requires the `fleet` extra: run uv tool install '.[fleet]' or pip install '.[fleet]' in your checkout.
    """


@options.subcommand(
    command,
    "scan",
    "mind-skills fleet scan ~/.claude/projects --out scan",
    "mind-skills fleet scan s3://logs/2026/ --out scan --workers 8",
    "mind-skills fleet scan /logs --out scan --scheduler tcp://10.0.0.5:8786",
    "find /logs -mtime -7 | mind-skills fleet scan - --out scan --json",
)
@click.argument("sources", nargs=-1, required=True)
@click.option("--out", required=True, type=click.Path(file_okay=False), metavar="DIR", help="Folder for the results.")
@click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="Use the Dask cluster at ADDRESS instead of processes on this machine.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1_000),
    metavar="N",
    help="Number of processes on this machine; default: one per processor.",
)
@click.option(
    "--time-limit",
    type=options.NumberRange(0.1, 86_400),
    default=30.0,
    metavar="SECONDS",
    help="Maximum seconds per log, plus one second per megabyte; default: 30.",
)
@click.option(
    "--memory",
    type=click.IntRange(64, 1_000_000),
    default=2_000,
    metavar="MB",
    help="Maximum megabytes per process; default: 2000.",
)
@click.option("--retry", is_flag=True, help="Also read again the logs that an earlier run set aside for good.")
@click.option(
    "-0", "--null", is_flag=True, help="The list on stdin ends each name with a zero byte, as find -print0 does."
)
@click.option(
    "--titles", is_flag=True, help="Also write titles, paths and session ids to DIR, which must then not be shared."
)
@options.as_json
def scan_command(
    sources: tuple[str, ...],
    out: str,
    scheduler: str,
    workers: int | None,
    time_limit: float,
    memory: int,
    retry: bool,
    null: bool,
    titles: bool,
    as_json: bool,
) -> int:
    """Scan session logs and write their learnings, errors and skills to DIR as Parquet files.

    Each SOURCE is a log, a folder, a glob, an address (s3://, gs://, file://), or `-` for a list on stdin. The findings
    are the same as those of `mind-skills replay`. Child processes with limited time and memory read the logs; a log
    that cannot be read is set aside and listed.

    To continue an interrupted scan, run the same command again: it skips the logs that were scanned before, and reads
    again those that storage or a worker failed at; as long as there are any, or if no SOURCE has a log, the exit code is 1. DIR
    contains hashes, numbers, words from closed lists, names of skills and classes of errors, but no prompts, and titles
    and paths only if --titles is given.
    """
    if scheduler and workers:
        raise click.UsageError("--workers sets the processes on this machine and cannot be combined with --scheduler")
    require_packages(SCAN_PACKAGES)
    from mind_skills.fleet.folder import ScanFolder
    from mind_skills.fleet.listing import STDIN, list_entries, split_names
    from mind_skills.fleet.scan import Cluster, scan
    from mind_skills.fleet.worker import ScanOptions
    from mind_skills.store.process_pool import count_usable_cpus

    listed = sys.stdin.buffer.read() if STDIN in sources else b""
    entries = list_entries(sources, split_names(listed, null=null))
    folder = ScanFolder(out)
    key = folder.prepare(with_titles=titles)
    limits = ScanOptions(key, time_limit, memory * 1_000_000, titles)
    with _open_reporter(as_json=as_json) as report:
        progress = scan(
            entries, folder, limits, Cluster(scheduler, workers or count_usable_cpus()), report, retry=retry
        )
    _print_result(progress, folder.path, as_json=as_json)
    if not entries:
        print_note("No source has a log. Is the storage mounted?")
    nothing_read = progress.set_aside and not progress.sessions and not progress.skipped
    return FAILURE if progress.again or nothing_read or not entries else DONE


@contextmanager
def _open_reporter(*, as_json: bool) -> Generator[Reporter]:
    """Yield a function that reports progress: as lines of JSON, as a bar on a terminal, or not at all."""
    start = time.monotonic()
    if as_json:
        yield lambda progress, result: _write_events(progress, result, start)
        return
    if not sys.stderr.isatty():
        yield lambda _progress, _result: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    text = "{task.fields[logs]} logs, {task.fields[megabytes]} MB, {task.fields[findings]} findings, {task.fields[aside]} set aside"
    columns = (TextColumn("Scanning"), BarColumn(), TextColumn(text), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, logs=0, megabytes=0, findings=0, aside=0)

        def update_bar(progress: Progress, _result: BatchResult | None) -> None:
            bar.update(
                task,
                total=max(1, progress.total_size),
                completed=progress.size,
                logs=f"{progress.logs}/{progress.total_logs}",
                megabytes=progress.size // 1_000_000,
                findings=progress.findings,
                aside=len(progress.set_aside),
            )

        yield update_bar


def _write_events(progress: Progress, result: BatchResult | None, start: float) -> None:
    from mind_skills.fleet.scan import estimate_seconds_left

    for each in result.set_aside if result else ():
        _write_event(ScanEventReport(event="set_aside", path=format_path(each.uri), reason=each.reason))
    left = estimate_seconds_left(progress, start)
    _write_event(
        _describe_progress(progress, "progress" if result else "started", None if left is None else round(left, 1))
    )


def _describe_progress(progress: Progress, event: str, seconds_left: float | None = None) -> ScanEventReport:
    return ScanEventReport.from_object(
        progress, event=event, set_aside=len(progress.set_aside), seconds_left=seconds_left
    )


def _write_event(event: ScanEventReport) -> None:
    sys.stdout.write(to_json(event) + "\n")
    sys.stdout.flush()


def _print_result(progress: Progress, path: str, *, as_json: bool) -> None:
    if as_json:
        _write_event(_describe_progress(progress, "done"))
        return
    counts = f"{format_count(progress.sessions, 'session')}, {format_count(progress.findings, 'finding')}"
    skipped = f"; {progress.skipped} skipped, since they were scanned before" if progress.skipped else ""
    print_line(f"{format_count(progress.logs, 'log')} scanned: {counts}{skipped}.")
    _print_set_aside(progress.set_aside)
    if progress.again:
        text = f"{format_count(progress.again, 'log')} not read, because storage or a worker failed"
        print_note(f"{text}: run the same command again.")
    print_line(f"To summarise the results, run `mind-skills fleet report {format_path(path)}`.")


def _print_set_aside(files: list[SetAside]) -> None:
    if files:
        print_note(f"{format_count(len(files), 'file')} set aside:")
    for each in files[:MAX_SHOWN_ROWS]:
        print_note(f"  {format_path(each.uri)} ({_LIMITS.get(each.reason, each.reason)})")
    if len(files) > MAX_SHOWN_ROWS:
        print_note(f"  {len(files) - MAX_SHOWN_ROWS} more; --json lists all of them.")


@options.subcommand(
    command,
    "report",
    "mind-skills fleet report scan",
    "mind-skills fleet report scan --min-projects 3 --by week --html fleet.html",
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option(
    "--min-projects",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Only show what occurs in at least N projects; default: 1.",
)
@click.option(
    "--by", type=click.Choice(DIMENSIONS), default="project", help="What to group the sessions by; default: project."
)
@click.option(
    "--html",
    "page_path",
    type=click.Path(dir_okay=False),
    is_flag=False,
    flag_value="fleet.html",
    metavar="[FILE]",
    help="Also write a page to FILE, or to fleet.html.",
)
@options.as_json
def report_command(folder: str, min_projects: int, by: Dimension, page_path: str | None, as_json: bool) -> None:
    """Summarise a scan: which learnings recur, which errors cost most, and how sessions with skills fared.

    DIR is the folder that `mind-skills fleet scan` wrote, or a folder in which you collected the parts of several
    scans. The comparison of sessions with and without a skill is not a proof, because their tasks differ.
    """
    require_packages(REPORT_PACKAGES)
    from mind_skills.fleet.folder import ScanFolder
    from mind_skills.fleet.summary import render_page, summarise

    report = summarise(ScanFolder(folder), by, min_projects)
    if page_path:
        from mind_skills.cli.report import replace_page

        path = os.path.abspath(os.path.expanduser(page_path))
        replace_page(path, render_page(report).encode())
        print_note(f"{format_path(path)} was written.")
    emit(report, as_json, lambda: _print_report(report))


def _print_report(report: FleetReport) -> None:
    scope = f"{format_count(report.projects, 'project')}, {format_count(report.hosts, 'host')}, {format_count(report.weeks, 'week')}"
    print_line(f"{format_count(report.sessions, 'session')} in {scope}; {format_count(report.findings, 'finding')}.")
    for reason in report.set_aside:
        print_line(f"{format_count(reason.files, 'file')} set aside: {reason.reason}")
    _print_table(
        f"Learnings in at least {format_count(report.min_projects, 'project')}",
        report.learnings_total,
        ("projects", "sessions", "weeks", "tries", "minutes", "program", "error"),
        [
            (each.projects, each.sessions, each.weeks, each.tries, each.minutes, each.program, _format_error(each))
            for each in report.learnings
        ],
    )
    _print_table(
        "Errors, by the minutes it took to solve them",
        report.errors_total,
        ("minutes", "tries", "sessions", "projects", "error"),
        [(each.minutes, each.tries, each.sessions, each.projects, _format_error(each)) for each in report.errors],
    )
    _print_table(
        "Skills, with the shares of helpful sessions (not a proof: sessions without a skill have other tasks)",
        report.skills_total,
        ("with skill", "helpful", "without", "helpful without", "skill"),
        [
            (
                each.loaded.n,
                _format_share(each.loaded.share),
                each.others.n,
                _format_share(each.others.share),
                each.name or each.key,
            )
            for each in report.skills
        ],
    )
    _print_table(
        f"By {report.by}",
        report.groups_total,
        ("sessions", "findings", "errors", "minutes", report.by),
        [(each.sessions, each.findings, each.errors, each.minutes, each.name or "unknown") for each in report.groups],
    )


def _format_error(row: object) -> str:
    parts = (getattr(row, name) for name in ("code", "error_class", "words"))
    return " ".join(filter(None, parts)) or "(unclassified)"


def _format_share(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _print_table(title: str, total: int, columns: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    if not rows:
        return
    shown = rows[:MAX_SHOWN_ROWS]
    print_line()
    if not is_interactive():
        print_heading(title)
    print_table(title, columns, [tuple(str(cell) for cell in row) for row in shown], right_aligned=columns[:-1])
    if total > len(shown):
        print_line(f"{total - len(shown)} more; --json lists up to 200.")
