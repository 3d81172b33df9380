"""`mind-skills completion`: print a shell completion script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from mind_skills.cli import options
from mind_skills.cli.group import COMPLETION_VARIABLE, PROGRAM_NAME


@options.top_level_command("mind-skills completion bash", "mind-skills completion zsh", "mind-skills completion fish")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")), metavar="SHELL")
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print a script that completes commands and options in SHELL: bash, zsh or fish.

    Append it to ~/.bashrc or ~/.zshrc, or write it to ~/.config/fish/completions/mind-skills.fish.
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    source = completion_class(context.find_root().command, {}, PROGRAM_NAME, COMPLETION_VARIABLE)
    # Not source.source(), which starts bash to check its version.
    click.echo(source.source_template % source.source_vars())
