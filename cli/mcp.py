"""`mind-skills mcp`: the tools as an MCP server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mind_skills.cli import options

if TYPE_CHECKING:
    from mind_skills.tasks.mcp.calling import ToolsReport


@options.command("mind-skills mcp", "mind-skills mcp --all-projects", "mind-skills mcp --list --json")
@click.option("--list", "list_only", is_flag=True, help="Show the tools with their schemas instead of serving them.")
@click.option("--all-projects", is_flag=True, help="Let the agent name other projects than the server's own.")
@options.project_and_json
def command(list_only: bool, all_projects: bool, project: str, as_json: bool) -> int:
    """Serve plan, complete and the other tools over MCP, on stdin and stdout, until the client leaves.

    The server acts in one project: that of --project, or the one that its host names, or that of the folder it was started
    in. With --all-projects an agent may name any other.

    Started by a host, not by hand: `mind-skills install` writes it into the settings of hosts. Needs the extra `mcp`:
    uv tool install '.[mcp]', or pip install '.[mcp]', from your checkout.
    """
    from mind_skills.errors import DONE
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit, note
    from mind_skills.tasks.mcp import extra

    if list_only:
        from mind_skills.tasks.mcp.calling import list_tools

        report = list_tools()
        emit(report, as_json, lambda: _show(report))
        return DONE
    if project:
        choose_project(project)
    extra.require()
    import sys

    try:
        from mind_skills.tasks.mcp.server import serve
    except ImportError as failure:
        if (failure.name or "").startswith("mind_skills"):
            raise
        raise extra.make_missing_error() from failure
    if sys.stdin.isatty():
        note("Serving MCP on stdin and stdout; Ctrl-D ends it.")
    return serve(project or extra.find_project(), everywhere=all_projects)


def _show(report: ToolsReport) -> None:
    from mind_skills.output.text import table

    table("", ("tool", "what it is for"), [(tool.name, tool.description) for tool in report.tools])
