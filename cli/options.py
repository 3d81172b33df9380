"""Options that several commands share, so that they are spelled and explained alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
FAILURE_MODES = (
    "timeout",
    "conflict",
    "validation",
    "tool_failure",
    "context_overflow",
    "dependency_blocked",
    "user_cancelled",
    "unknown",
)
"""As in learning/errors.py, which the start of the command line does not import; a test compares."""


def as_json(function: F) -> F:
    """Add ``--json``; the function gets it as ``as_json``, true also where it stood before the command."""
    text = "Print one JSON document on stdout, everything else on stderr."
    return click.option("--json", "as_json", is_flag=True, help=text, callback=_here_or_before)(function)


def _here_or_before(context: click.Context, _: click.Parameter, value: bool) -> bool:
    return value or bool(context.find_root().params.get("as_json"))


def project(function: F) -> F:
    """Add ``--project DIR``; the function gets it as ``project``, a path or the empty string."""
    text = "The project's folder; without it, the one you are in."
    return click.option("--project", type=click.Path(file_okay=False), default="", metavar="DIR", help=text)(function)


def project_and_json(function: F) -> F:
    """Add ``--project DIR`` and ``--json``."""
    return project(as_json(function))


def only_project(function: F) -> F:
    """Add ``--project DIR`` to a command that without it means everywhere; the function gets it as ``project``."""
    text = "This project's folder alone; without it, everywhere."
    return click.option("--project", type=click.Path(file_okay=False), default="", metavar="DIR", help=text)(function)


def dry_run(function: F) -> F:
    """Add ``--dry-run``; the function gets it as ``dry_run``."""
    text = "Show what would be changed, and change nothing."
    return click.option("--dry-run", is_flag=True, help=text)(function)


def outcome_fields(function: F) -> F:
    """Add what can be said of a finished task beside whether it succeeded, under the documents' names.

    The function gets ``duration_ms``, ``error_count`` and ``retry_count``, ``files_touched``, ``strategy``,
    ``failure_mode`` and ``failure_details``; what was not said is None or empty.
    """
    for option in (
        click.option("--failure-details", default="", metavar="TEXT", help="What went wrong, in words."),
        click.option(
            "--failure-mode",
            type=click.Choice(FAILURE_MODES),
            help="What kind of failure it was; without it, told from the details.",
        ),
        click.option(
            "--strategy",
            default="",
            metavar="TEXT",
            help="file-based, feature-based, risk-based or research-based, or the plan that it followed in words.",
        ),
        click.option(
            "--files-touched", multiple=True, metavar="FILE", help="A file that it changed; may be given several times."
        ),
        click.option(
            "--retries", "--retry-count", "retry_count", type=click.IntRange(0), metavar="N", help="Further attempts."
        ),
        click.option(
            "--errors",
            "--error-count",
            "error_count",
            type=click.IntRange(0),
            metavar="N",
            help="How many errors it had; without it, those that `mind-skills task errors` was told.",
        ),
        click.option(
            "--duration-ms",
            type=click.IntRange(0),
            metavar="N",
            help="How long it took; without it, since `mind-skills task plan` was asked, else 0, which counts as fast.",
        ),
    ):
        function = option(function)
    return function


def listing(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Help that shows what to type and what it does, one a line; click keeps its lines as they are."""
    pairs = list(rows)
    width = max(len(words) for words, _ in pairs)
    return "\b\n" + f"{title}:\n" + "\n".join(f"  {words:{width}}   {text}" for words, text in pairs)


def examples(*lines: str) -> str:
    """An epilog that shows how a command is used; click keeps its lines as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {text}" for text in lines)


def command(*lines: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command; ``lines`` are examples of its use, for the end of its help."""
    return click.command(epilog=examples(*lines))


def subcommand(group: click.Group, name: str, *lines: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function the command ``name`` of a group; ``lines`` as in ``command``."""
    return group.command(name, epilog=examples(*lines))
