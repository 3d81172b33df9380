"""The command `mind-skills status`; cli/status_report.py gathers and prints its report."""

from __future__ import annotations

import click

from mind_skills.cli import options


@click.command(
    epilog=options.format_examples("mind-skills status", "mind-skills status --count", "mind-skills status --json")
)
@options.project
@click.option("-v", "--verbose", is_flag=True, help="Show the underlying numbers, titles, folders and errors.")
@click.option(
    "--count",
    is_flag=True,
    help="Print only how many learnings are waiting, such as `2 learnings to review`, or an empty line; for a shell prompt.",
)
@options.as_json
def command(folder: str, verbose: bool, count: bool, as_json: bool) -> None:
    """Summarise what was noticed, what is pending, which skills resulted, which hosts report, and what to do next."""
    if count and as_json:
        raise click.UsageError(
            "--count and --json cannot be combined; `status --json` has this number as counts.waiting.",
            click.get_current_context(),
        )
    if count:
        from mind_skills.output.state import resolve_project_option
        from mind_skills.plugin.segment import describe_waiting

        click.echo(describe_waiting(resolve_project_option(folder).root))
        return
    from mind_skills.cli.status_report import print_status

    print_status(folder, verbose, as_json)
