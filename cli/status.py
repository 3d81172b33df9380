"""`mind-skills status`: from noticed to used, so that silence cannot pass for health."""

from __future__ import annotations

import click

from mind_skills.cli import options


@click.command(
    epilog=options.examples("mind-skills status", "mind-skills status --verbose", "mind-skills status --json")
)
@options.project
@click.option(
    "-v", "--verbose", is_flag=True, help="Show the numbers, titles, folders and errors behind the sentences."
)
@options.as_json
def command(project: str, verbose: bool, as_json: bool) -> None:
    """Say in five sentences what was noticed, what waits, what became of it, which hosts are heard, and what to do next."""
    from mind_skills.cli.overview import print_status

    print_status(project, verbose, as_json)
