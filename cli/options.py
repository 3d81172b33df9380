"""Options that several commands share, with the same spelling and help, and the layout of help texts."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
_PERIOD = re.compile(r"([1-9]\d{0,4})([dw]?)")
DAY_MS = 86_400_000
MAX_DAYS = 36_500


class Period(NamedTuple):
    """The period from ``start`` (UTC ms) until now."""

    start: int
    raw_value: str
    text: str


class NumberRange(click.FloatRange):
    """Like FloatRange, but rejects NaN, which is neither above nor below any limit."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


class Switch(click.Option):
    """An option with two names, such as ``--mcp/--no-mcp``, of which a command line may use only one."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        for names, value in ((self.opts, True), (self.secondary_opts, False)):
            parser.add_option(obj=self, opts=names, dest=self.name, action="append_const", const=value)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, click.core.ParameterSource]:
        given = opts.get(self.name or "")
        if given and len({*given}) > 1:
            raise click.UsageError(f"{self.opts[0]} and {self.secondary_opts[0]} exclude each other.", ctx)
        return super().consume_value(ctx, {self.name or "": given[-1]} if given else {})


def since(help_text: str) -> Callable[[F], F]:
    """Add ``--since WHEN``, passed as ``since``: a Period, or None if the option is not given."""
    text = f"{help_text} WHEN is a period (7d or 4w; 7 means 7d) or a date (2026-11-01)."
    return click.option("--since", callback=_parse_since, default="", metavar="WHEN", help=text)


def _parse_since(_: click.Context, __: click.Parameter, value: str) -> Period | None:
    return make_period(value) if value else None


def make_period(value: str) -> Period:
    """Return the period since ``value``, which is the length of the period or a date (see ``since``). Raises click.BadParameter."""
    from mind_skills.output import state

    if days := count_days(value):
        return Period(
            state.read_clock() - days * DAY_MS, value, f"from the last {'day' if days == 1 else f'{days} days'}"
        )
    try:
        start = int(time.mktime(time.strptime(value, "%Y-%m-%d"))) * 1000
    except (ValueError, OverflowError) as error:
        raise click.BadParameter("use a period such as 7d or 4w, or a date such as 2026-11-01") from error
    if start > state.read_clock():
        raise click.BadParameter(f"{value} is in the future")
    return Period(start, value, f"since {value}")


def count_days(value: str) -> int:
    """Return the days of a period such as 7d or 4w; 0 if ``value`` is not one, or more than ``MAX_DAYS``."""
    match = _PERIOD.fullmatch(value)
    days = int(match[1]) * (7 if match[2] == "w" else 1) if match else 0
    return days if days <= MAX_DAYS else 0


def _accept_before_command(context: click.Context, _: click.Parameter, value: bool) -> bool:
    """Return whether the option was given to this command or before it."""
    return value or bool(context.find_root().params.get("as_json"))


as_json = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON document on stdout, and everything else on stderr.",
    callback=_accept_before_command,
)
"""Add ``--json``, which may also precede the command."""


def add_project_option(help_text: str, **options: Any) -> Callable[[F], F]:
    """Add ``--project DIR``, passed as ``folder``: a path or an empty string. ``options`` are click's."""
    return click.option(
        "--project", "folder", type=click.Path(file_okay=False), default="", metavar="DIR", help=help_text, **options
    )


def _refuse_empty(context: click.Context, parameter: click.Parameter, folder: str) -> str:
    """Refuse an empty folder, such as an unset variable of a shell: the command would affect all projects."""
    source = context.get_parameter_source(parameter.name or "")
    if not folder and source is not click.core.ParameterSource.DEFAULT:
        raise click.BadParameter("the name of the folder is empty")
    return folder


project = add_project_option("Project folder. Default: the current one.")
project_filter = add_project_option("Only the project in this folder. Default: all projects.", callback=_refuse_empty)
dry_run = click.option("--dry-run", is_flag=True, help="Show what would change, without changing anything.")


def project_and_json(function: F) -> F:
    return project(as_json(function))


def format_listing(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return help text that click does not rewrap: a title, and a line for each pair of a term and its explanation."""
    pairs = list(rows)
    width = max(len(term) for term, _ in pairs)
    return "\b\n" + f"{title}:\n" + "\n".join(f"  {term:{width}}   {text}" for term, text in pairs)


def format_examples(*lines: str) -> str:
    """Return help text that click does not rewrap: usage examples."""
    return "\b\nExamples:\n" + "\n".join(f"  {text}" for text in lines)


def top_level_command(*lines: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Turn a function into a command. ``lines`` are usage examples for its help."""
    return click.command(epilog=format_examples(*lines))


def subcommand(
    group: click.Group, name: str, *lines: str, cls: type[click.Command] = click.Command
) -> Callable[[Callable[..., Any]], click.Command]:
    """Turn a function into the command ``name`` of ``group``. ``lines`` are usage examples for its help."""
    return group.command(name, cls=cls, epilog=format_examples(*lines))
