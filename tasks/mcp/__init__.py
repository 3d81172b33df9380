"""MCP server on stdin and stdout that provides the tools. Requires the ``mcp`` extra."""

from __future__ import annotations

import os
from importlib.util import find_spec

from mind_skills.errors import MindSkillsError

PACKAGE = "mcp_types"
"""A package that the SDK has contained since 2.0; the incompatible 1.x versions lack it."""

PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"
"""Variable that Claude Code sets for the servers it starts; other hosts start servers in the project's folder."""


def is_importable() -> bool:
    """Return whether this interpreter has the SDK, without importing it."""
    return find_spec(PACKAGE) is not None


def find_project() -> str:
    """Return the folder that the host names as the project; empty if it names none that exists."""
    folder = os.environ.get(PROJECT_VARIABLE, "")
    return folder if os.path.isdir(folder) else ""


def require_sdk() -> None:
    """Raise MindSkillsError if the SDK is missing."""
    if not is_importable():
        raise make_missing_error()


def make_missing_error() -> MindSkillsError:
    message = "the MCP server needs version 2.3 or later of the `mcp` package, which is not installed here"
    hint = "Reinstall mind-skills with the `mcp` extra; from your checkout: uv tool install '.[mcp]', or pip install '.[mcp]'."
    return MindSkillsError("extra_missing", message, hint)
