"""SWE-agent's built-in commands; any other action is a shell command. SWE-agent has no hooks, so only its logs are read."""

from __future__ import annotations

TOOLS: dict[str, str] = {
    "open": "read",
    "goto": "read",
    "scroll_up": "read",
    "scroll_down": "read",
    "filemap": "read",
    "view_image": "read",
    "decompile": "read",
    "disassemble": "read",
    "search_dir": "search",
    "search_file": "search",
    "find_file": "search",
    "create": "write",
    "edit": "edit",
    "insert": "edit",
    "append": "edit",
    "undo_edit": "edit",
    "str_replace_editor": "edit",
    "set_cursors": "other",
    "submit": "other",
    "exit_cost": "other",
    "exit_context": "other",
    "exit_format": "other",
    "exit_forfeit": "other",
    "skip": "other",
}
