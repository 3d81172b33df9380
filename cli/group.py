"""The command line's table of contents. A command's module is imported when that command runs, never before."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

import click

from mind_skills.cli import options
from mind_skills.plugin.version import VERSION

COMMANDS = {
    "demo": "See the whole loop on a bundled session; nothing is left behind.",
    "replay": "Read session logs and show what would have been learned.",
    "pending": "List the candidates that wait to become skills.",
    "learn": "Look at the running session now, and show what it has taught.",
    "show": "Show one candidate with its evidence.",
    "accept": "Record that a candidate has become a skill.",
    "dismiss": "Refuse a candidate for good.",
    "undo": "Take back the last decision or vote.",
    "status": "Say what was noticed, and what came of it.",
    "report": "Show all of it as a page: learnings, skills, proof and cost.",
    "why": "Say why something stands where it does, with every vote.",
    "skills": "Show the installed skills, and how their sessions came out.",
    "patterns": "Show the strategies of sessions, and how they came out.",
    "pin": "Hold a strategy in the state that it has.",
    "proof": "Say whether skills help when their error comes back.",
    "archive": "Put a failing skill aside where no agent reads it, and back.",
    "lint": "Check a skill: its format, its safety, its collisions.",
    "eval": "Measure the detector by your own decisions.",
    "plan": "Show what is known that bears on a task, before it is begun.",
    "complete": "Record that a task is over, and learn from it.",
    "outcome": "Say how a task came out that has no session log.",
    "errors": "Keep the errors of a task until they are resolved.",
    "memory": "Keep what was learned where it is found by meaning, and find it.",
    "mcp": "Serve plan, complete and the other tools over MCP.",
    "install": "Put the hooks into the settings of your coding agents.",
    "uninstall": "Take them out again, and with --purge everything else.",
    "doctor": "Check that everything works, and say how to mend what does not.",
    "watch": "Learn from session logs as they are written.",
    "pause": "Stop noticing and offering for a while.",
    "resume": "Go on after a pause.",
    "prune": "Forget what is over and old.",
    "config": "Read and change the settings.",
    "hook": "Called by a host at a moment of a session.",
}
"""Every command with its one line of help, in the order of `mind-skills --help`."""

HEADINGS = {
    "demo": "What was learned, and what becomes of it",
    "status": "How it keeps score",
    "plan": "Before and after a task",
    "install": "The machinery",
}
"""The headings of that table, by the command that each stands before. README.md has the same."""


_WHAT = "Notice what a coding session learned, hand it once to the next one, and keep score."
_FIRST_STEPS = (
    ("mind-skills demo", "see the whole loop in a minute"),
    ("mind-skills replay ~/.claude/projects", "what would have been learned so far"),
    ("mind-skills pending", "what waits in this project"),
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table without importing a single command, in parts with a heading each."""
        width = max(map(len, COMMANDS))
        parts: list[tuple[str, list[tuple[str, str]]]] = []
        for name, text in COMMANDS.items():
            if name in HEADINGS:
                parts.append((HEADINGS[name], []))
            parts[-1][1].append((name.ljust(width), text))
        for heading, rows in parts:
            with formatter.section(heading):
                formatter.write_dl(rows)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=f"{_WHAT}\n\n{options.listing('First steps', _FIRST_STEPS)}",
)
@click.version_option(VERSION, "-V", "--version", message="mind-skills %(version)s")
@options.as_json
def cli(as_json: bool) -> None:
    """All commands. ``--json`` may stand before the command as well as after it: options.as_json looks in both places."""
