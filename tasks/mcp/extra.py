"""Whether the MCP server can run here: its SDK is an extra."""

from __future__ import annotations

import os
from importlib.util import find_spec

from mind_skills.errors import MindSkillsError

PACKAGE = "mcp_types"
"""Part of the SDK since 2.0; a 1.x of it has no such part, and cannot be used."""

PROJECT = "CLAUDE_PROJECT_DIR"
"""Set by Claude Code for the servers that it starts; other hosts start them in the project's folder."""


def is_importable() -> bool:
    """Whether this interpreter has the SDK. Nothing of it is imported."""
    return find_spec(PACKAGE) is not None


def find_project() -> str:
    """The folder that the host calls the project, as its hooks are told it; empty where it says nothing."""
    named = os.environ.get(PROJECT, "")
    return named if os.path.isdir(named) else ""


def require() -> None:
    """Raise MindSkillsError where the SDK is missing."""
    if not is_importable():
        raise make_missing_error()


def make_missing_error() -> MindSkillsError:
    """The error of who has no SDK, or one that cannot be used."""
    return MindSkillsError(
        "extra_missing",
        "the MCP server needs the package mcp, version 2.3 or later, which is not installed here",
        "Install mind-skills again with this extra; from your checkout: uv tool install '.[mcp]', or pip install '.[mcp]'.",
    )
