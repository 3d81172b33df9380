"""Where each host reads the user's MCP servers from, and how an entry looks there. Facts only; docs/mcp.md says how each was seen.

Three of the files are JSON, ``{KEY: {NAME: ENTRY}}``, with comments in two of them; Codex has TOML, a table for each server.
"""

from __future__ import annotations

from typing import NamedTuple


class ServerFile(NamedTuple):
    """``names`` in the host's folder of settings, the first that is there, else the last. ``key`` holds the servers."""

    names: tuple[str, ...]
    key: str
    shape: str
    """``split``: a command and its arguments; ``typed``: the same with a type; ``whole``: the command line as one list."""
    toml: bool = False


NAME = "mind-skills"
SERVER_FILES: dict[str, ServerFile] = {
    "claude-code": ServerFile((".claude.json",), "mcpServers", "typed"),
    "opencode": ServerFile(("opencode.jsonc", "opencode.json"), "mcp", "whole"),
    "codex": ServerFile(("config.toml",), "mcp_servers", "split", toml=True),
    "gemini": ServerFile(("settings.json",), "mcpServers", "split"),
}
"""By host. Claude Code's lies in the home itself, unless its variable names another folder for everything."""

PASSED = ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""Variables that decide where state and settings are; Codex passes on to a server only what its entry names."""
