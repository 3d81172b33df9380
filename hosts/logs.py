"""Where each host keeps the logs of its sessions, on Linux and macOS, when no setting says otherwise."""

from __future__ import annotations

LOGS = (
    ("Claude Code", "~/.claude/projects"),
    ("Codex", "~/.codex/sessions"),
    ("Gemini CLI", "~/.gemini/tmp"),
    ("OpenCode", "~/.local/share/opencode/opencode.db"),
)
"""(host, folder or file). SWE-agent and mini-swe-agent are told where to write by whoever runs them."""
