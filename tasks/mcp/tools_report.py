"""The document of `mind-skills mcp --list`."""

from __future__ import annotations

from typing import Any, Literal

from mind_skills.tasks.tool_report import ToolReport


class ListedToolReport(ToolReport):
    """One tool. ``read_only`` and ``repeatable`` are hints for hosts; the schemas are JSON Schema."""

    name: str
    description: str
    read_only: bool
    repeatable: bool
    destructive: bool
    takes: dict[str, Any]
    answers: dict[str, Any]


class ToolsReport(ToolReport):
    """`mind-skills mcp --list --json`."""

    version: Literal[1] = 1
    tools: list[ListedToolReport]
