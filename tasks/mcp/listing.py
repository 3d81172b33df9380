"""The tools as `mind-skills mcp --list` shows them: what a host is told, without the SDK."""

from __future__ import annotations

from mind_skills.tasks.mcp import schemas
from mind_skills.tasks.mcp.tools_report import ListedToolReport, ToolsReport
from mind_skills.tasks.table import TOOLS


def listing() -> ToolsReport:
    """All tools, in the order of the table."""
    return ToolsReport(
        tools=[
            ListedToolReport(
                name=tool.name,
                description=tool.description,
                read_only=tool.read_only,
                repeatable=tool.repeatable,
                destructive=tool.final,
                takes=schemas.takes(tool.takes),
                answers=schemas.answers(tool.answers),
            )
            for tool in TOOLS
        ]
    )
