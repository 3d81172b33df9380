"""`mind-skills help`: print the help of a command, or list all commands."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.group import SECTIONS, write_sections


@options.top_level_command("mind-skills help --all", "mind-skills help memory search")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "list_all", is_flag=True, help="List every command.")
@click.pass_context
def command(context: click.Context, names: tuple[str, ...], list_all: bool) -> None:
    """Show the help of COMMAND, or list all commands with --all."""
    if list_all:
        formatter = context.make_formatter()
        write_sections(formatter, SECTIONS)
        click.echo(formatter.getvalue().strip())
        return
    assert context.parent is not None
    current = context.parent
    for name in names:
        group = current.command
        subcommand = group.get_command(current, name) if isinstance(group, click.Group) else None
        if subcommand is None:
            raise click.UsageError(f"No such command '{' '.join(names)}'.", context)
        current = click.Context(subcommand, parent=current, info_name=name)
    click.echo(current.get_help())
