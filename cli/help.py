"""`mind-skills help`: the help of any command, or the table of all."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.cli.group import SECTIONS, write_sections


@options.command("mind-skills help --all", "mind-skills help memory search")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "everything", is_flag=True, help="List every command.")
@click.pass_context
def command(context: click.Context, names: tuple[str, ...], everything: bool) -> None:
    """Show the help of COMMAND, or with --all every command there is."""
    if everything:
        formatter = context.make_formatter()
        write_sections(formatter, SECTIONS)
        click.echo(formatter.getvalue().strip())
        return
    assert context.parent is not None
    shown = context.parent
    for name in names:
        group = shown.command
        found = group.get_command(shown, name) if isinstance(group, click.Group) else None
        if found is None:
            raise click.UsageError(f"No such command '{' '.join(names)}'.", context)
        shown = click.Context(found, parent=shown, info_name=name)
    click.echo(shown.get_help())
