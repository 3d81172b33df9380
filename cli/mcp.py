"""`mind-skills mcp`: serve the tools over MCP."""

from __future__ import annotations

import sys

import click

from mind_skills.cli import options
from mind_skills.errors import DONE
from mind_skills.output.state import resolve_project_option
from mind_skills.output.text import emit, print_note, print_table
from mind_skills.tasks.mcp import find_project, make_missing_error, require_sdk


@options.top_level_command("mind-skills mcp", "mind-skills mcp --all-projects", "mind-skills mcp --list --json")
@click.option("--list", "list_only", is_flag=True, help="List the tools with their schemas instead of serving them.")
@click.option("--all-projects", is_flag=True, help="Let the agent choose projects other than the server's own.")
@options.project_and_json
def command(list_only: bool, all_projects: bool, folder: str, as_json: bool) -> int:
    """Serve plan, complete and the other tools over MCP on stdin and stdout until the client disconnects.

    The server works in one project: the folder given with --project, else the folder that the host names, else the
    current folder. With --all-projects, the agent may choose any other project.

    Hosts start this server: `mind-skills install` adds it to their settings. It requires the `mcp` extra: run
    uv tool install '.[mcp]' or pip install '.[mcp]' in your checkout.
    """
    if list_only:
        from mind_skills.tasks.mcp.tools import list_tools

        report = list_tools()
        rows = [(tool.name, tool.description) for tool in report.tools]
        emit(report, as_json, lambda: print_table("", ("tool", "description"), rows))
        return DONE
    if folder:
        resolve_project_option(folder)
    require_sdk()
    try:
        from mind_skills.tasks.mcp.server import serve
    except ImportError as failure:
        if (failure.name or "").startswith("mind_skills"):
            raise
        raise make_missing_error() from failure
    if as_json:
        raise click.UsageError("the server does not take --json, which needs --list")
    if sys.stdin.isatty():
        print_note("Serving MCP on stdin and stdout. Press Ctrl-D to stop.")
    return serve(folder or find_project(), everywhere=all_projects)
