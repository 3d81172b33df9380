"""`mind-skills recall`: look up the error of a failed command among those that were solved, or query the memory."""

from __future__ import annotations

import sys

import click

from mind_skills.cli import options
from mind_skills.output.text import emit, print_line
from mind_skills.store.error_index import cut_edges
from mind_skills.tasks.caller import make_shell_caller
from mind_skills.tasks.recall import RecallInput, find_solved, recall
from mind_skills.tasks.tool_input import validate_arguments


@options.top_level_command(
    "mind-skills recall --error - < build.log",
    "mind-skills recall --error 'ModuleNotFoundError: No module named tomlkit' --everywhere",
    'mind-skills recall "the port is in use"',
)
@click.argument("query", default="", metavar="[QUERY]")
@click.option("--error", default="", metavar="TEXT", help="Output of a failed command; `-` reads it from stdin.")
@click.option("--everywhere", is_flag=True, help="Look the error up in your other projects as well.")
@options.project_and_json
def command(query: str, error: str, everywhere: bool, folder: str, as_json: bool) -> None:
    """Show which earlier session solved the error of a failed command, or which skill covers it.

    An agent whose command fails is told this once in a session (setting `reminders`). A QUERY searches the memory by meaning, as
    `mind-skills memory search` does.
    """
    if not query and not error:
        raise click.UsageError("Give a QUERY, or the output of a failed command with --error.")
    output = cut_edges(sys.stdin.read() if error == "-" else error)
    if not query and not output.strip():
        raise click.UsageError("There is no output to look up.")
    caller = make_shell_caller(folder)
    report = recall(validate_arguments(RecallInput, {"query": query, "error": output}), caller)
    if everywhere:
        others = [line for line in find_solved(output, caller.project, everywhere=True) if line not in report.solved]
        text = "\n".join([*others, report.text] if report.solved or report.results else others) or report.text
        report = report.replace(solved=[*report.solved, *others], text=text)
    emit(report, as_json, lambda: print_line(report.text))
