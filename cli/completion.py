"""`mind-skills completion`: what makes a shell complete command lines of ours."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from mind_skills.cli import options
from mind_skills.cli.group import COMPLETE, NAME

SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog=options.examples(
        "mind-skills completion bash >> ~/.bashrc",
        "mind-skills completion zsh >> ~/.zshrc",
        "mind-skills completion fish > ~/.config/fish/completions/mind-skills.fish",
    )
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in SHELL: bash, zsh or fish."""
    known = get_completion_class(shell)
    assert known is not None
    source = known(context.find_root().command, {}, NAME, COMPLETE)
    # Not source(), which starts a bash to ask for its version: whoever evaluates this has just started one.
    click.echo(source.source_template % source.source_vars())
