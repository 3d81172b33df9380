"""`mind-skills report`: what was learned, used and proved, as one page to look at."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.report.document import PageReport

_AGO = re.compile(r"(\d{1,4})([dw])")
_DAY_MS = 86_400_000
_NAME = "report.html"
_MARK = b'content="mind-skills report"'
_HEAD = 1_000
"""Bytes at the beginning of a page, within which it says that it is one of ours."""


def _since(_: click.Context, __: click.Parameter, value: str) -> int | None:
    """The beginning of the time that is named, in UTC milliseconds; None where none is."""
    from mind_skills.output import state

    if not value:
        return None
    if found := _AGO.fullmatch(value):
        return state.now() - int(found[1]) * (7 if found[2] == "w" else 1) * _DAY_MS
    try:
        return int(time.mktime(time.strptime(value, "%Y-%m-%d"))) * 1000
    except (ValueError, OverflowError) as error:
        raise click.BadParameter("give a day as 2026-11-01, or how long ago as 30d or 4w") from error


@click.command(
    epilog=options.examples("mind-skills report", "mind-skills report --since 30d --redact --out learned.html")
)
@options.only_project
@click.option(
    "--since", callback=_since, default="", metavar="WHEN", help="Since a day (2026-11-01), or the last 30d or 4w."
)
@click.option("--redact", is_flag=True, help="Leave out names of projects, paths and sessions, to show it to others.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    default="",
    metavar="FILE",
    help="Where to write it; without it, in the state folder.",
)
@click.option("--open", "opened", is_flag=True, help="Open it in your browser.")
@options.as_json
def command(project: str, since: int | None, redact: bool, out: str, opened: bool, as_json: bool) -> None:
    """Write a page that shows what was noticed, handed over, used and proved, what it cost, and what was refused.

    The page is one file that needs no network. With --json, what it is drawn from is printed instead.
    """
    from mind_skills.output import state
    from mind_skills.output.text import emit
    from mind_skills.report.gathering import gather_report

    if as_json and (out or opened):
        raise click.UsageError("--json prints the document and writes no page, so it takes neither --out nor --open")
    with state.open_ledger() as ledger:
        home, chosen = ledger.home, state.choose_project(project) if project else None
        report = gather_report(ledger, state.now(), chosen, since, redacted=redact)
    emit(report, as_json, lambda: _write(report, home, out, opened=opened))


def _write(report: PageReport, home: str, out: str, *, opened: bool) -> None:
    from mind_skills.output.text import line, path_text
    from mind_skills.report.page import render_page
    from mind_skills.store.home import REPORTS, ensure

    path = os.path.abspath(os.path.expanduser(out)) if out else os.path.join(ensure(os.path.join(home, REPORTS)), _NAME)
    data = render_page(report).encode()
    _replace(path, data)
    line(f"{path_text(path)} ({max(1, len(data) // 1000):,} kB)")
    if opened:
        _open(path)


def _replace(path: str, data: bytes) -> None:
    """Write the page in place of an older one; any other file stays. Raises MindSkillsError."""
    from mind_skills.errors import RefusedPathError
    from mind_skills.output.text import path_text
    from mind_skills.store.atomic import Folder

    with Folder(os.path.dirname(path)) as folder:
        before = folder.read(os.path.basename(path), _HEAD)
        if before and _MARK not in before:
            raise RefusedPathError(f"{path_text(path)} is there and no report", "Give another name, or move it away.")
        folder.write(os.path.basename(path), data)


def _open(path: str) -> None:
    import webbrowser
    from pathlib import Path

    from mind_skills.output.text import note

    if not webbrowser.open(Path(path).as_uri()):
        note("No browser could be started; open the file yourself.")
