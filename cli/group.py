"""The command line's table of contents. A command's module is imported when that command runs, never before."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

import click

from mind_skills.cli import options
from mind_skills.errors import DONE, USAGE, MindSkillsError
from mind_skills.plugin import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECTIONS = {
    "Every day": {
        "install": "Put the hooks into the settings of your coding agents.",
        "status": "Say what was noticed, and what came of it.",
        "review": "Go through what waits, and decide with one key each.",
        "replay": "Show what your sessions would have taught so far.",
        "report": "Show all of it as a page: learnings, skills, proof and cost.",
        "undo": "Take back the last decision or vote.",
        "pause": "Stop noticing and offering for a while.",
        "resume": "Go on after a pause.",
        "doctor": "Check that everything works, and say how to mend what does not.",
        "uninstall": "Remove the hooks again, and with --purge everything else.",
    },
    "What was learned, and what becomes of it": {
        "pending": "List the candidates that wait to become skills.",
        "show": "Show what a candidate, skill, strategy or detector is, and why it stands where it does.",
        "accept": "Record that a candidate has become a skill.",
        "dismiss": "Refuse a candidate for good.",
        "learn": "Look at the running session now, and show what it has taught.",
    },
    "Skills, strategies and the memory": {
        "skills": "List, check, archive and restore skills.",
        "patterns": "List, pin, reset and give up the strategies of sessions.",
        "proof": "Say whether skills help when their error comes back.",
        "memory": "Keep what was learned where it is found by meaning, and find it.",
    },
    "For agents": {
        "task": "Plan and complete tasks, and keep their outcomes and errors.",
        "mcp": "Serve these and the other tools over MCP.",
        "hook": "Called by a host at a moment of a session.",
    },
    "Settings, upkeep and measurement": {
        "config": "Read and change the settings.",
        "completion": "Print the script that completes command lines in a shell.",
        "watch": "Learn from session logs as they are written.",
        "prune": "Forget what is over and old.",
        "demo": "See the whole loop on a bundled session; nothing is left behind.",
        "eval": "Measure the detector by your own decisions.",
        "help": "Show the help of a command, or with --all every command.",
    },
}
"""Every command with its one line of help. `mind-skills --help` shows the first section, `help --all` each of them."""
COMMANDS = {name: text for section in SECTIONS.values() for name, text in section.items()}

_WHAT = "Notice what a coding session learned, hand it once to the next one, and keep score."
_FIRST_STEPS = (
    ("mind-skills demo", "see the whole loop in a minute"),
    ("mind-skills replay", "what would have been learned so far"),
    ("mind-skills review", "decide what becomes of what waits in this project"),
)


class SuggestingGroup(click.Group):
    """A group that answers a mistyped command with the nearest one that there is."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it. Raises click.UsageError that names the nearest command where there is none of that name."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"No such command '{args[0]}'.{hint}", ctx)
        return super().resolve_command(ctx, args)


class ListingGroup(SuggestingGroup):
    """A group that lists what there is where no command is named: ``patterns`` is ``patterns list``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it, with ``list`` where only its options are given; --help stays this group's own."""
        if (not args or args[0].startswith("-")) and not {*args} & {*ctx.help_option_names}:
            args = ["list", *args]
        return super().parse_args(ctx, args)


class LazyGroup(SuggestingGroup):
    """A group that knows its commands by name and imports ``mind_skills.cli.<name>`` when one is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command ``cmd_name``, imported now; None when there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"mind_skills.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """How a command's name goes on, without importing a single one."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first section without importing a single command."""
        write_sections(formatter, list(SECTIONS)[:1])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say where the other commands are."""
        formatter.write_paragraph()
        formatter.write_text("`mind-skills help --all` lists all commands.")


def write_sections(formatter: click.HelpFormatter, headings: Iterable[str]) -> None:
    """Write these sections of the table."""
    width = max(map(len, COMMANDS))
    for heading in headings:
        with formatter.section(heading):
            formatter.write_dl([(name.ljust(width), text) for name, text in SECTIONS[heading].items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=f"{_WHAT}\n\n{options.listing('First steps', _FIRST_STEPS)}",
)
@click.version_option(VERSION, "-V", "--version", message="mind-skills %(version)s")
@options.as_json
def cli(as_json: bool) -> None:
    """All commands. ``--json`` may stand before the command as well as after it: options.as_json looks in both places."""


NAME, COMPLETE = "mind-skills", "_MIND_SKILLS_COMPLETE"
"""The program, and the variable by which a shell asks it how a line goes on (`mind-skills completion`)."""


def run(arguments: list[str], as_json: bool) -> int:
    """Run the command of `mind-skills` that ``arguments`` name; see ``run_group``."""
    if not arguments and (asked := os.environ.get(COMPLETE)):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, NAME, COMPLETE, asked)
    return run_group(cli, NAME, arguments, as_json)


def run_group(group: click.Group, name: str, arguments: list[str], as_json: bool) -> int:
    """Run the command of a group that ``arguments`` name and return the exit code. ``name`` is how the group is started.

    Raises MindSkillsError where they are wrong, KeyboardInterrupt, and whatever the command raises.
    """
    try:
        # Not cli.main(): that ends the process in its own ways when it is interrupted or its reader goes away.
        with group.make_context(name, list(arguments)) as context:
            code = group.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as failure:
        return _help(failure, as_json)
    except click.ClickException as failure:
        raise _usage(failure) from failure
    except click.Abort as failure:
        raise KeyboardInterrupt from failure
    return code if isinstance(code, int) else DONE


def _help(failure: click.exceptions.NoArgsIsHelpError, as_json: bool) -> int:
    """A group without a command says what there is; that is help, but nothing was done."""
    if as_json:
        raise _usage(click.UsageError("Missing command.", failure.ctx)) from failure
    click.echo(failure.format_message(), err=True)
    return USAGE


def _usage(failure: click.ClickException) -> MindSkillsError:
    context = failure.ctx if isinstance(failure, click.UsageError) else None
    hint = f"See `{context.command_path} --help`." if context else "See `mind-skills --help`."
    return MindSkillsError("usage", failure.format_message(), hint)
