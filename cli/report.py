"""`mind-skills report`: write a page with everything that was learned, used and proved."""

from __future__ import annotations

import os
import re
import sys
import time
from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.report.document import PageReport

_AGE = re.compile(r"(\d{1,4})([dw])")
_DAY_MS = 86_400_000
_FILE_NAME = "report.html"
_MARK = b'content="mind-skills report"'
_HEAD_BYTES = 1_000
"""Number of bytes at the beginning of a page within which our mark is."""


def _parse_since(_: click.Context, __: click.Parameter, value: str) -> int | None:
    """Parse ``--since`` and return UTC milliseconds, or None if the option is not given."""
    from mind_skills.output import state

    if not value:
        return None
    if found := _AGE.fullmatch(value):
        return state.read_clock() - int(found[1]) * (7 if found[2] == "w" else 1) * _DAY_MS
    try:
        return int(time.mktime(time.strptime(value, "%Y-%m-%d"))) * 1000
    except (ValueError, OverflowError) as error:
        raise click.BadParameter("use a date such as 2026-11-01, or an age such as 30d or 4w") from error


@click.command(
    epilog=options.examples("mind-skills report", "mind-skills report --since 30d --redact --out learned.html")
)
@options.only_project
@click.option(
    "--since",
    callback=_parse_since,
    default="",
    metavar="WHEN",
    help="Only include what happened since a date (2026-11-01), or in a period up to now (30d, 4w).",
)
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
def command(folder: str, since: int | None, redact: bool, out: str, open_page: bool, as_json: bool) -> None:
    """Write a page that shows what was noticed, offered, used, proved and dismissed, and what it cost.

    The page is a single file that needs no network. With --json, its data is printed instead.
    """
    from mind_skills.output import state
    from mind_skills.output.text import emit
    from mind_skills.report.gathering import gather_report

    if as_json and (out or open_page):
        raise click.UsageError("--json writes no page and cannot be combined with --out or --open")
    if out == "-" and open_page:
        raise click.UsageError("--open needs a file and cannot be combined with --out -")
    with state.open_ledger() as ledger:
        home, project = ledger.home, state.choose_project(folder) if folder else None
        report = gather_report(ledger, state.read_clock(), project, since, redacted=redact)
    emit(report, as_json, lambda: _write_page(report, home, out, open_page=open_page))


def _write_page(report: PageReport, home: str, out: str, *, open_page: bool) -> None:
    from mind_skills.output.text import path_text, print_line
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
    print_line(f"{path_text(path)} ({max(1, len(data) // 1000):,} kB)")
    if open_page:
        _open_browser(path)


def replace_page(path: str, data: bytes) -> None:
    """Write a page to ``path``. Raises RefusedPathError if ``path`` is an existing file that is not such a page."""
    from mind_skills.errors import RefusedPathError
    from mind_skills.output.text import path_text
    from mind_skills.store.atomic import Folder

    with Folder(os.path.dirname(path)) as folder:
        existing = folder.read(os.path.basename(path), _HEAD_BYTES)
        if existing and _MARK not in existing:
            raise RefusedPathError(
                f"{path_text(path)} exists and is not a report", "Choose another name, or move the file away."
            )
        folder.write(os.path.basename(path), data)


def _open_browser(path: str) -> None:
    import webbrowser
    from pathlib import Path

    from mind_skills.output.text import print_note

    if not webbrowser.open(Path(path).as_uri()):
        print_note("No browser could be started; open the file manually.")
