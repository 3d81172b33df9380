"""The command `mind-skills status`; cli/overview.py gathers and prints its report."""

from __future__ import annotations

import click

from mind_skills.cli import options


@click.command(
    epilog=options.examples("mind-skills status", "mind-skills status --verbose", "mind-skills status --json")
)
@options.project
@click.option("-v", "--verbose", is_flag=True, help="Show the underlying numbers, titles, folders and errors.")
@options.as_json
def command(folder: str, verbose: bool, as_json: bool) -> None:
    """Summarize what was noticed, what is pending, which skills came of it, which hosts report, and what to do next."""
    from mind_skills.cli.overview import print_status

    print_status(folder, verbose, as_json)
