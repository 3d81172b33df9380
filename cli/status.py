"""`mind-skills status`: from noticed to used, so that silence cannot pass for health."""

from __future__ import annotations

import click

from mind_skills.cli import options


@click.command(epilog=options.examples("mind-skills status", "mind-skills status --json"))
@options.project
@options.as_json
def command(project: str, as_json: bool) -> None:
    """Say what was noticed, offered and made of it in this project, what went wrong, and where the state is."""
    from mind_skills.cli.overview import print_status

    print_status(project, as_json)
