"""`mind-skills report`: summarise what was learned, and write a page with everything that was learned, used and proved."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.report.document import PageReport

_FILE_NAME = "report.html"
_PAGE_MARK = b'content="mind-skills report"'
_MAX_LISTED = 10
_MAX_NAME_LENGTH = 24


@click.command(
    epilog=options.format_examples(
        "mind-skills report --since 7d", "mind-skills report --since 30d --redact --out learned.html"
    )
)
@options.project_filter
@options.since("Only what happened since WHEN.")
@click.option(
    "--redact", is_flag=True, help="Omit names of projects, paths and session ids, so that the page can be shared."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    default="",
    metavar="FILE",
    help="Output file, or - for stdout. Default: a file in the state folder.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in your browser.")
@options.as_json
def command(folder: str, since: options.Period | None, redact: bool, out: str, open_page: bool, as_json: bool) -> None:
    """Summarise what was noticed, offered and used, list the learnings, and write a page with everything.

    The page also shows what was proved and dismissed, and what it cost. It is a single file that needs no network. With
    --json, its data is printed instead.
    """
    from mind_skills.output import state
    from mind_skills.output.text import MIN_PLAUSIBLE_DAY_MS, emit
    from mind_skills.report.gathering import gather_report

    if as_json and (out or open_page):
        raise click.UsageError("--json writes no page and cannot be combined with --out or --open")
    if out == "-" and open_page:
        raise click.UsageError("--open needs a file and cannot be combined with --out -")
    with state.open_ledger(create=False) as ledger:
        home, project = ledger.home, state.resolve_project_option(folder) if folder else None
        start = since.start if since and since.start >= MIN_PLAUSIBLE_DAY_MS else None
        report = gather_report(ledger, state.read_clock(), project, start, redacted=redact)
        has_page = bool(ledger.database.path or out)

    def render() -> None:
        if out != "-":
            _print_summary(report)
        if has_page:
            _write_page(report, home, out, open_page=open_page)

    emit(report, as_json, render)


def _print_summary(report: PageReport) -> None:
    """Print the counts of the period and up to ``_MAX_LISTED`` learnings that were noticed in it, newest first."""
    from mind_skills.output.candidates import STATE_LABELS
    from mind_skills.output.text import format_count, format_day, print_heading, print_line, print_wrapped

    total, start = report.totals, report.since
    scope = report.project or "all projects"
    print_heading(f"{scope}, {'all time' if start is None else f'since {format_day(start)}'}")
    separator = ", " if start is None else ". In the same period, of these and older ones: "
    print_wrapped(
        f"{format_count(total.noticed, 'learning')} noticed{separator}{total.learnings_handed_over} offered, {total.skills} became "
        f"{'a skill' if total.skills == 1 else 'skills'}, {total.refused} dismissed. Skills from learnings were used "
        f"{format_count(total.used, 'time')}. {total.waiting} {'is' if total.waiting == 1 else 'are'} now waiting."
    )
    noticed = [each for each in report.learnings if start is None or each.detected_at >= start]
    noticed.sort(key=lambda each: -each.detected_at)
    listed = noticed[:_MAX_LISTED]
    width = 0 if report.project else max((len(_shorten_name(each.project)) for each in listed), default=0)
    for each in listed:
        name = f"{_shorten_name(each.project):{width}}  " if width else ""
        start_text = f"{format_day(each.detected_at) or 'unknown':10}  {STATE_LABELS[each.state]:14}  {each.id}  {name}"
        print_line(_fit_line(start_text, each.title))
    if len(noticed) > _MAX_LISTED:
        print_line(f"{len(noticed) - _MAX_LISTED} more are on the page.")
    if not noticed:
        print_wrapped(_describe_latest(report))


def _describe_latest(report: PageReport) -> str:
    """Return a sentence saying that nothing was noticed in the period, with the date of the latest learning, if any."""
    from mind_skills.output.text import format_day

    if report.latest is None or report.since is None:
        return "Nothing has been learned yet."
    latest = format_day(report.latest) or "an unknown date"
    return f"Nothing new was learned since {format_day(report.since)}; the latest learning is from {latest}."


def _shorten_name(project: str) -> str:
    return project if len(project) <= _MAX_NAME_LENGTH else f"{project[: _MAX_NAME_LENGTH - 1]}…"


def _fit_line(start: str, title: str) -> str:
    """Return ``start`` and ``title`` on one line, cut to the width of the terminal if stdout is one."""
    from mind_skills.output.text import get_terminal_width, is_interactive

    text = start + " ".join(title.split())
    width = get_terminal_width()
    return text if not is_interactive() or len(text) <= width else f"{text[: width - 1]}…"


def _write_page(report: PageReport, home: str, out: str, *, open_page: bool) -> None:
    from mind_skills.output.text import format_path, print_line
    from mind_skills.report.page import render_page
    from mind_skills.store.home import REPORTS_FOLDER, ensure_folder

    data = render_page(report).encode()
    if out == "-":
        sys.stdout.buffer.write(data)
        return
    path = (
        os.path.abspath(os.path.expanduser(out))
        if out
        else os.path.join(ensure_folder(os.path.join(home, REPORTS_FOLDER)), _FILE_NAME)
    )
    replace_page(path, data)
    print_line(f"Page: {format_path(path)} ({max(1, len(data) // 1000):,} kB)")
    if open_page:
        _open_browser(path)
    else:
        print_line("Add --open to open it in your browser.")


def replace_page(path: str, data: bytes) -> None:
    """Write a page to ``path``. Raises RefusedPathError if the file exists and is neither empty nor such a page."""
    from mind_skills.store.atomic import replace_own_file

    replace_own_file(path, data, _PAGE_MARK, "a report")


def _open_browser(path: str) -> None:
    import webbrowser
    from pathlib import Path

    from mind_skills.output.text import print_note

    if not webbrowser.open(Path(path).as_uri()):
        print_note("No browser could be started; open the file manually.")
