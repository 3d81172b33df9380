"""The commands by section, and the code that runs them. A command's module is imported only when it is needed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from mind_skills.cli import options
from mind_skills.errors import DONE, USAGE, MindSkillsError
from mind_skills.plugin import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECTIONS = {
    "Every day": {
        "install": "Add the hooks to the settings of your coding agents.",
        "status": "Summarise what was noticed, and what became of it.",
        "review": "Go through the pending learnings and decide with one key each.",
        "replay": "Show what would have been learned from your sessions so far.",
        "report": "Write a page with the learnings, skills, proof and cost.",
        "undo": "Revert the last decision or vote.",
        "pause": "Stop noticing and offering learnings for a while.",
        "resume": "Continue after a pause.",
        "doctor": "Check that everything works, and say how to fix what does not.",
        "uninstall": "Remove the hooks, and with --purge everything else.",
    },
    "Learnings and decisions": {
        "pending": "List the candidates that may become skills.",
        "show": "Print what happened in the episodes of candidates, to judge them.",
        "why": "Explain the state of a candidate, skill, strategy or detector.",
        "accept": "Record that a candidate has become a skill.",
        "dismiss": "Dismiss a candidate, so that it is not offered again in this project.",
        "distil": "Print the most promising episodes of the last weeks, to turn them into skills.",
        "recall": "Show which session solved the error of a failed command, or what the memory finds.",
        "mute": "Stop the reminders of one error, candidate or skill.",
        "learn": "Analyse the running session now, and show what was learned.",
    },
    "Skills, strategies and memory": {
        "skills": "List, check, archive and restore skills.",
        "patterns": "List, pin, reset and deprecate the strategies of sessions.",
        "proof": "Measure whether skills help when their error recurs.",
        "memory": "Store learnings, and search them by meaning.",
    },
    "For agents": {
        "task": "Plan and complete tasks, and record their outcomes and errors.",
        "mcp": "Serve the tools for agents over MCP.",
        "hook": "Handle a session event; called by the host.",
    },
    "Many machines": {
        "fleet": "Scan many session logs on several processes or machines, and summarise what recurs.",
        "team": "Share votes, decisions and recurrences with your team.",
    },
    "Settings, upkeep and measurement": {
        "config": "Read and change the settings.",
        "completion": "Print a shell completion script.",
        "watch": "Learn from session logs as they are written.",
        "prune": "Delete old data that is no longer needed.",
        "demo": "Demonstrate the whole loop with three simulated sessions.",
        "eval": "Measure the detector by your own decisions.",
        "help": "Show the help of a command, or list all commands with --all.",
    },
}
"""All commands with one line of help. `mind-skills --help` shows the first section, `help --all` all sections."""
COMMANDS = {name: text for section in SECTIONS.values() for name, text in section.items()}

_SUMMARY = "Notice what a coding session learned, offer it once to the next one, and measure what helps."
_FIRST_STEPS = (
    ("mind-skills demo", "see the whole loop in a minute"),
    ("mind-skills replay", "see what would have been learned so far"),
    ("mind-skills review", "decide about the pending learnings of this project"),
)


class SuggestingGroup(click.Group):
    """A group that suggests the closest command for a mistyped one, and whose usage errors name the command they are about."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does, but suggest the closest name in the UsageError for an unknown command.

        Raise UsageError as well if ``--json`` precedes a command that does not have this option.
        """
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            matches = get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f" Did you mean {matches[0]}?" if matches else ""
            raise click.UsageError(f"No such command '{args[0]}'.{hint}", ctx)
        name, command, rest = super().resolve_command(ctx, args)
        is_json_requested = ctx.find_root().params.get("as_json") and not {*rest} & {*ctx.help_option_names}
        if is_json_requested and command is not None and not _takes_json(command):
            context = click.Context(command, parent=ctx, info_name=name)
            raise click.UsageError(f"`{context.command_path}` does not take --json.", context)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Invoke as click does, but add the command's context to a UsageError without one, as click's parser raises it."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            command = self.get_command(ctx, name) if error.ctx is None and name is not None else None
            if command is not None:
                error.ctx = click.Context(command, parent=ctx, info_name=name)
            raise


def _takes_json(command: click.Command) -> bool:
    return isinstance(command, click.Group) or any(each.name == "as_json" for each in command.params)


class ListingGroup(SuggestingGroup):
    """A group whose default command is ``list``: ``patterns`` means ``patterns list``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, but insert ``list`` unless the arguments begin with a command or contain ``--help``."""
        if (not args or args[0].startswith("-")) and not {*args} & {*ctx.help_option_names}:
            args = ["list", *args]
        return super().parse_args(ctx, args)


class LazyGroup(SuggestingGroup):
    """A group that imports ``mind_skills.cli.<name>`` when the command ``name`` is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command ``cmd_name``; return None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"mind_skills.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without importing a command."""
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first of ``SECTIONS`` without importing a command."""
        write_sections(formatter, list(SECTIONS)[:1])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write_text("Run `mind-skills help --all` to list all commands.")


def write_sections(formatter: click.HelpFormatter, headings: Iterable[str]) -> None:
    width = max(map(len, COMMANDS))
    for heading in headings:
        with formatter.section(heading):
            formatter.write_dl([(name.ljust(width), text) for name, text in SECTIONS[heading].items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=f"{_SUMMARY}\n\n{options.format_listing('First steps', _FIRST_STEPS)}",
)
@click.version_option(VERSION, "-V", "--version", message="mind-skills %(version)s")
@options.as_json
def cli(as_json: bool) -> None:
    """All commands. ``--json`` may precede or follow the command; ``options.as_json`` accepts both positions."""


PROGRAM_NAME, COMPLETION_VARIABLE = "mind-skills", "_MIND_SKILLS_COMPLETE"
"""The name of the program, and the environment variable through which shells request completion."""


def run(arguments: list[str], as_json: bool) -> int:
    """Run the command in ``arguments`` (see ``run_group``), or answer the completion request of a shell."""
    if not arguments and (instruction := os.environ.get(COMPLETION_VARIABLE)):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM_NAME, COMPLETION_VARIABLE, instruction)
    return run_group(cli, PROGRAM_NAME, arguments, as_json)


def run_group(group: click.Group, name: str, arguments: list[str], as_json: bool) -> int:
    """Run the command of ``group`` in ``arguments`` and return the exit code. ``name`` is the name of the program.

    Raises KeyboardInterrupt if the user aborts, MindSkillsError for usage errors, and whatever else the command raises.
    """
    try:
        # Not group.main(), which exits the process itself after an interruption or a closed pipe.
        with group.make_context(name, list(arguments)) as context:
            code = group.invoke(context)
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.exceptions.NoArgsIsHelpError as failure:
        if as_json:
            raise _make_usage_error(click.UsageError("Missing command.", failure.ctx)) from failure
        click.echo(failure.format_message(), err=True)
        return USAGE
    except click.ClickException as failure:
        raise _make_usage_error(failure) from failure
    except click.Abort as failure:
        raise KeyboardInterrupt from failure
    return code if isinstance(code, int) else DONE


def _make_usage_error(failure: click.ClickException) -> MindSkillsError:
    context = failure.ctx if isinstance(failure, click.UsageError) else None
    hint = f"See `{context.command_path} --help`." if context else "See `mind-skills --help`."
    return MindSkillsError("usage", failure.format_message(), hint)
