"""Where everything that a command prints leaves the program: data on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mind_skills.output.document import Document


EARLIEST = 365 * 24 * 60 * 60_000
"""UTC milliseconds: a log without times, or with times since its own beginning, is not from 1970."""


def printable(text: str) -> str:
    """``text`` without characters that could drive a terminal: a title or a file name comes from a log, which anybody may have written."""
    if text.isascii() and text.replace("\t", "").isprintable():
        return text
    from mind_skills.redaction.text import strip

    return strip(text)


def quoted(text: str, limit: int) -> str:
    """``text`` as a quotation of at most ``limit`` characters in one line, so that what anybody wrote cannot pass for ours."""
    import json

    flat = " ".join(printable(text[: 4 * limit]).split())
    return json.dumps(flat if len(flat) <= limit else f"{flat[: limit - 3]}...", ensure_ascii=False)


def path_text(path: str) -> str:
    """``path`` as text that every encoder accepts: bytes that are not UTF-8 become U+FFFD."""
    try:
        return os.fsencode(path).decode("utf-8", "replace")
    except UnicodeEncodeError:  # half a pair of surrogates: no file is called so, but JSON can say it
        return path.encode("utf-8", "replace").decode()


def interactive() -> bool:
    """Whether a person reads stdout."""
    return sys.stdout.isatty()


def styled() -> bool:
    """Whether stdout takes bold type: a terminal, unless its user wants none (https://no-color.org)."""
    return interactive() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def note(text: str) -> None:
    """Print ``text`` on stderr."""
    sys.stderr.write(printable(text) + "\n")


def line(text: str = "") -> None:
    """Print one line, or several, on stdout."""
    sys.stdout.write(printable(text) + "\n")


def emit(report: Document, as_json: bool, render: Callable[[], None]) -> None:
    """Print ``report`` as one JSON document, or let ``render`` print it for people."""
    if as_json:
        from mind_skills.output.document import text

        sys.stdout.write(text(report, 2 if interactive() else None) + "\n")
    else:
        render()


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print rows: a ruled table on a terminal, tab-separated lines with a header elsewhere. ``right`` names the columns of numbers."""
    if not interactive():
        line("\t".join(columns))
        for row in rows:
            line("\t".join(" ".join(cell.split()) for cell in row))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        grid.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    Console(highlight=False, color_system="auto" if styled() else None).print(grid)


def when(at: int | None) -> str:
    """A time in UTC milliseconds as the user's clock has it; `never` for None, and that it is unknown where it cannot be true."""
    if at is None:
        return "never"
    if at < EARLIEST:
        return "at an unknown time"
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at / 1000))


def heading(text: str) -> None:
    """Print ``text`` as a heading: bold on a terminal, plain elsewhere."""
    sys.stdout.write(f"\x1b[1m{printable(text)}\x1b[0m\n" if styled() else printable(text) + "\n")


def paragraph(text: str, width: int, *, bar: bool = False) -> None:
    """Print ``text`` indented and broken to ``width`` columns; with ``bar``, behind a line that sets it apart."""
    from textwrap import wrap

    prefix = "   | " if bar else "   "
    for part in wrap(text, width, initial_indent=prefix, subsequent_indent=prefix, break_on_hyphens=False) or [prefix]:
        line(part.rstrip())


def count(number: int, noun: str) -> str:
    """``number`` and ``noun``, which takes an s where there is not exactly one."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def join_names(names: Sequence[str]) -> str:
    """``names`` as a sentence has them: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@contextmanager
def show_progress(what: str, total: int) -> Generator[Callable[[], None]]:
    """A bar on stderr, called ``what``, if a person looks at it and there is something to wait for; call what it gives ``total`` times."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
