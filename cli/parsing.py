"""A command line by way of the argument parser: to an exit code, or to an error that says what is wrong with it."""

from __future__ import annotations

import os

import click

from mind_skills.cli.group import cli
from mind_skills.errors import DONE, USAGE, MindSkillsError

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
