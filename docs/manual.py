"""Generates the manual page mind-skills(1) from the same declarations as `--help`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator

import click

from mind_skills.cli.group import SECTIONS, cli
from mind_skills.plugin import VERSION

ENVIRONMENT = (
    ("MIND_SKILLS_HOME", "The state folder; without it, ~/.local/state/mind-skills."),
    ("MIND_SKILLS_CONFIG", "Your settings file; without it, ~/.config/mind-skills/mind-skills.toml."),
    ("NO_COLOR", "If set, no bold type and no colours."),
)
FILES = (
    ("~/.local/state/mind-skills", "The state, readable by you alone."),
    ("~/.config/mind-skills/mind-skills.toml", "Your settings."),
    (".claude/mind-skills-pending.json", "The pending candidates of a project; git ignores it."),
    (".claude/mind-skills.toml", "Settings of a repository, which may only restrict yours."),
)
EXIT_CODES = (
    ("0", "Success, including an empty list."),
    ("1", "The input is wrong, or the named thing does not exist."),
    ("2", "Wrong usage."),
    ("3", "A bug in mind-skills; a report to paste is printed."),
    ("130", "Interrupted."),
)


def format_manual_page() -> str:
    """Return the whole page as troff with the man macros."""
    return "\n".join(_format_lines()) + "\n"


def _format_lines() -> Iterator[str]:
    context = click.Context(cli, info_name="mind-skills")
    summary, *first_steps = _paragraphs(cli.help or "")
    yield f'.TH MIND\\-SKILLS 1 "" "mind\\-skills {_plain(VERSION)}" "User Commands"'
    yield from (".SH NAME", f"mind\\-skills \\- {_plain(summary[:1].lower() + summary[1:].rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {_plain(context.command_path)}", r"[\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGS\fR]...")
    yield from (".SH DESCRIPTION", *_text(first_steps))
    yield from _options(cli, context)
    for section, names in SECTIONS.items():
        yield f'.SH "{_plain(section.upper())}"'
        for name in names:
            command = cli.get_command(context, name)
            assert command is not None
            yield from _command(command, click.Context(command, parent=context, info_name=name))
    for title, rows in (("EXIT STATUS", EXIT_CODES), ("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        yield f'.SH "{title}"'
        yield from _definitions(rows)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of a command: its usage, help, options and examples, followed by the commands of a group."""
    yield f'.SS "{_plain(context.command_path)}"'
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (f".B {_plain(context.command_path)}", _line(usage))
    yield from _text(_paragraphs(command.help or ""))
    yield from _options(command, context)
    yield from _text(_paragraphs(command.epilog or ""))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _command(below, click.Context(below, parent=context, info_name=name))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of the options that have a help text. Arguments have none; they are in the usage."""
    shown = (parameter for parameter in command.get_params(context) if parameter.name != "help")
    rows = (parameter.get_help_record(context) for parameter in shown)
    return _definitions(row for row in rows if row is not None and row[1])


def _definitions(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, text in rows:
        yield from (".TP", f".B {_plain(name)}", _line(text))


def _paragraphs(text: str) -> list[str]:
    r"""Split a help text into paragraphs. In one that begins with ``\b``, line breaks are significant."""
    return [
        part.strip("\n") for part in re.split(r"\n\s*\n", inspect.cleandoc(text.partition("\f")[0])) if part.strip()
    ]


def _text(paragraphs: list[str]) -> Iterator[str]:
    for text in paragraphs:
        if text.startswith("\b"):
            rows = text.removeprefix("\b").strip("\n").splitlines()
            yield from (".PP", ".nf", *map(_line, rows), ".fi")
        else:
            yield from (".PP", _line(" ".join(text.split())))


def _line(text: str) -> str:
    """Return a line of text that troff does not take for a request, even if it begins with a full stop or an apostrophe."""
    plain = _plain(text)
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


def _plain(text: str) -> str:
    """Escape the characters that are special to troff, so that hyphens, for example, can be copied as typed."""
    return (
        text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("~", "\\(ti").replace('"', "\\(dq")
    )
