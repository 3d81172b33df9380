"""Formatting and printing of text for commands: data on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mind_skills.plugin import VERSION

if TYPE_CHECKING:
    from mind_skills.output.document import Document


MAX_PROSE_WIDTH = 100
"""Maximum line length of prose, in characters; longer lines are hard to read."""
MIN_WIDE_TERMINAL_WIDTH = 100
"""Minimum terminal width, in characters, at which a long last cell is printed on the same line as the rest of its row;
on a narrower terminal, it is printed below."""
MAX_UNBROKEN_WORD = 20
"""Number of characters up to which a word in a cell of a table is not broken; a word of a heading never is."""
MIN_TERMINAL_WIDTH = 20
"""Minimum width to lay out text for, in characters: ``textwrap`` never ends if an indent is wider than the line."""
MIN_ABSOLUTE_TIME_MS = 365 * 24 * 60 * 60_000
"""Times before this (UTC milliseconds) come from logs without absolute times."""
MIN_PLAUSIBLE_DAY_MS = 946_684_800_000
"""2000-01-01 (UTC milliseconds). An earlier day comes from a clock that was not set, and is not shown."""
MAX_PATH_LENGTH = 1_000
"""Maximum length of a path or name that ``clean_path`` returns."""


def strip_control_characters(text: str) -> str:
    """Remove the characters that could control a terminal from ``text``, which may come from an untrusted log."""
    if text.isascii() and text.replace("\t", "").isprintable():
        return text
    from mind_skills.redaction.text import strip_controls

    return strip_controls(text)


def quote(text: str, limit: int) -> str:
    """Quote ``text``, shortened to ``limit`` characters, on one line, so that it cannot be mistaken for our output."""
    import json

    flat = " ".join(strip_control_characters(text[: 4 * limit]).split())
    return json.dumps(flat if len(flat) <= limit else f"{flat[: limit - 3]}...", ensure_ascii=False)


def format_path(path: str) -> str:
    """Return ``path`` as text that can be encoded: bytes that are not UTF-8 become U+FFFD."""
    try:
        return os.fsencode(path).decode("utf-8", "replace")
    except UnicodeEncodeError:  # a surrogate that is not from a file name, but for example from JSON; it becomes "?"
        return path.encode("utf-8", "replace").decode()


def clean_path(text: str) -> str:
    """Return an untrusted path or name, truncated and without control characters, invisible characters and secrets."""
    from mind_skills.redaction.text import clean_text

    return clean_text(format_path(text), MAX_PATH_LENGTH)


def is_interactive() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def should_style_output() -> bool:
    """Return whether to style text: stdout is a terminal, not a dumb one, and NO_COLOR (no-color.org) is not set."""
    return is_interactive() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_note(text: str) -> None:
    """Print ``text``, which may have several lines, on stderr. On a terminal, wrap it between words."""
    text = strip_control_characters(text)
    if sys.stderr.isatty():
        text = "\n".join(_wrap_line(line) for line in text.split("\n"))
    sys.stderr.write(text + "\n")


def _wrap_line(line: str) -> str:
    """Wrap a line that is wider than the terminal, and indent what follows like it. Long words such as paths are not broken."""
    width = get_terminal_width()
    if len(line) <= width:
        return line
    from textwrap import fill

    indent = line[: len(line) - len(line.lstrip())]
    return fill(
        line.lstrip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def print_line(text: str = "") -> None:
    """Print ``text``, which may have several lines, and a newline on stdout."""
    sys.stdout.write(strip_control_characters(text) + "\n")


def emit(report: Document | dict[str, Any], as_json: bool, render: Callable[[], None]) -> None:
    """Print ``report`` as one JSON document, or call ``render`` to print it as text."""
    if as_json:
        from mind_skills.output.document import to_json

        report = {"version": 1, **report} if isinstance(report, dict) else report
        sys.stdout.write(to_json(report, 2 if is_interactive() else None) + "\n")
    else:
        render()


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right_aligned: Sequence[str] = (),
    wrap_last_column: bool = False,
) -> None:
    """Print a table. On a terminal that is too narrow for its columns, cells are wrapped between words; if that does not suffice,
    each row is printed as lines of the form ``column: cell``.
    """
    if not is_interactive():
        print_line("\t".join(columns))
        for row in rows:
            print_line("\t".join(" ".join(cell.split()) for cell in row))
        return
    cells = [[" ".join(strip_control_characters(cell).split()) for cell in row] for row in rows]
    if wrap_last_column and get_terminal_width() < MIN_WIDE_TERMINAL_WIDTH:
        _print_narrow_table(title, columns, cells, right_aligned)
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, color_system="auto" if should_style_output() else None)
    padding = 3 * len(columns) - 1
    widths = _fit_columns(columns, cells, console.width - padding)
    if not widths:
        _print_records(title, columns, cells)
        return
    grid = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column, width in zip(columns, widths, strict=True):
        grid.add_column(column, justify="right" if column in right_aligned else "left", overflow="fold", width=width)
    for row in cells:
        grid.add_row(*map(Text, row))
    console.print(grid)


def _fit_columns(columns: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the widths of columns in ``room`` characters, the widest narrowed as far as words allow; empty if they do not fit."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(columns, *rows, strict=True)]
    minimums = [
        max(map(cell_len, [*name.split(), *(word[:MAX_UNBROKEN_WORD] for cell in cells for word in cell.split())]))
        for name, *cells in zip(columns, *rows, strict=True)
    ]
    if sum(minimums) > room:
        return []
    while sum(widths) > room:
        _, widest = max((width, index) for index, width in enumerate(widths) if width > minimums[index])
        widths[widest] -= 1
    return widths


def _print_records(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print each row as lines of the form ``column: cell`` and an empty line."""
    if title:
        print_wrapped(title)
    for row in rows:
        for name, cell in zip(columns, row, strict=True):
            print_wrapped(f"{name}: {cell}", hanging_indent="    ")
        print_line()


def _print_narrow_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right_aligned: Sequence[str]
) -> None:
    """Print a table with the last cell of each row below it, without the heading of the last column, if the others fit."""
    lines = [columns[:-1], *(row[:-1] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) > get_terminal_width():
        _print_records(title, columns, rows)
        return
    if title:
        print_line(title)
    for index, row in enumerate(lines):
        aligned = [
            cell.rjust(width) if name in right_aligned else cell.ljust(width)
            for cell, width, name in zip(row, widths, columns[:-1], strict=True)
        ]
        print_line("  ".join(aligned).rstrip())
        if index:
            print_wrapped(rows[index - 1][-1], "    ")


def get_terminal_width() -> int:
    """Return the width of the terminal in characters, at least ``MIN_TERMINAL_WIDTH``, or 80 if it is unknown."""
    try:  # as shutil.get_terminal_size, whose import takes longer than `status` may take
        columns = int(os.environ.get("COLUMNS", "")[:6])
    except ValueError:
        columns = 0
    if columns <= 0:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns or 80  # a terminal without a size says 0
        except (OSError, ValueError):
            columns = 80
    return max(columns, MIN_TERMINAL_WIDTH)


def print_wrapped(text: str, indent: str = "", hanging_indent: str | None = None, *, break_words: bool = False) -> None:
    """Print ``text`` after the prefix ``indent``."""
    if not is_interactive():
        print_line(indent + text)
        return
    from textwrap import wrap

    parts = wrap(
        strip_control_characters(text),
        min(get_terminal_width(), MAX_PROSE_WIDTH),
        initial_indent=indent,
        subsequent_indent=indent if hanging_indent is None else hanging_indent,
        break_on_hyphens=False,
        break_long_words=break_words,
    )
    for part in parts or [indent]:
        print_line(part.rstrip())


def format_time(at: int | None) -> str:
    """Format a time (UTC ms) in local time; "never" for None, "at an unknown time" if before ``MIN_ABSOLUTE_TIME_MS`` or
    outside the platform's range.
    """
    if at is None:
        return "never"
    return (_format_local(at, "%Y-%m-%d %H:%M") if at >= MIN_ABSOLUTE_TIME_MS else "") or "at an unknown time"


def format_day(at: int) -> str:
    """Return the local date, YYYY-MM-DD; empty if ``at`` is before ``MIN_PLAUSIBLE_DAY_MS`` or outside the platform's range."""
    return _format_local(at, "%Y-%m-%d") if at >= MIN_PLAUSIBLE_DAY_MS else ""


def _format_local(at: int, form: str) -> str:
    try:
        return time.strftime(form, time.localtime(at / 1000))
    except (OverflowError, OSError, ValueError):  # outside the range of dates that the platform supports
        return ""


def format_duration(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def print_heading(text: str) -> None:
    """Print ``text`` as a heading: bold if output is styled (``should_style_output``), otherwise plain."""
    text = strip_control_characters(text)
    sys.stdout.write((f"\x1b[1m{text}\x1b[0m" if should_style_output() else text) + "\n")


def format_count(number: int, noun: str) -> str:
    """Return ``number`` and ``noun``, with a plural s unless ``number`` is 1."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def join_names(names: Sequence[str]) -> str:
    """Join ``names`` as in a sentence: `a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@contextmanager
def show_progress(label: str, total: int) -> Generator[Callable[[], None]]:
    """Yield a function to call after each of ``total`` steps."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)


def format_bug_report(failure: BaseException, arguments: list[str]) -> str:
    """Return a bug report to be pasted into an issue: no arguments, no message and no whole path, which may hold secrets."""
    import platform
    import traceback
    from pathlib import Path

    command = next((word for word in arguments if not word.startswith("-")), "")
    lines = [
        f"mind-skills {VERSION}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"command: {command}",
        *(
            f"  {'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(failure.__traceback__)
        ),
        type(failure).__name__,
    ]
    heading = "This is a bug. Please paste these lines into the project's issue tracker:\n\n"
    return heading + "\n".join(f"    {text}" for text in lines)
