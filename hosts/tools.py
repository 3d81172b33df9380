"""What each host calls its tools, and what they do. Names are those seen in logs of the versions in docs."""

from __future__ import annotations

CLAUDE_CODE: dict[str, str] = {
    "Read": "read",
    "NotebookRead": "read",
    "LS": "read",
    "Glob": "search",
    "Grep": "search",
    "Edit": "edit",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "Write": "write",
    "Bash": "run",
    "BashOutput": "other",
    "KillShell": "other",
    "WebFetch": "web",
    "WebSearch": "web",
    "Task": "task",
    "Agent": "task",
    "TaskCreate": "task",
    "TaskUpdate": "task",
    "TaskList": "task",
    "TaskGet": "task",
    "TodoWrite": "task",
    "ExitPlanMode": "task",
    **dict.fromkeys(
        """Artifact AskUserQuestion Batch Config CronCreate CronDelete CronList EnterPlanMode EnterWorktree ExitWorktree KillBash
        LSP Monitor PowerShell ScheduleWakeup SendMessage Skill SlashCommand StructuredOutput TaskOutput TaskStop TeamCreate
        TeamDelete TodoRead ToolSearch""".split(),
        "other",
    ),
}
"""Claude Code. Any other tool is one of an MCP server, or brings what others wrote, and counts as ``mcp``: so here, and for
the other hosts.
"""

CODEX: dict[str, str] = {
    "exec_command": "run",
    "shell": "run",
    "shell_command": "run",
    "local_shell": "run",
    "container.exec": "run",
    "apply_patch": "edit",
    "update_plan": "task",
    "view_image": "read",
    "read_file": "read",
    "list_dir": "read",
    "grep_files": "search",
    "web_search": "web",
    "spawn_agent": "task",
    "send_input": "task",
    "wait_agent": "task",
    "close_agent": "task",
    **dict.fromkeys(
        """exec followup_task interrupt_agent js_repl js_repl_reset kill_agent list_agents load_workspace_dependencies
        request_permissions request_user_input resume_agent send_message test_sync_tool tool_search tool_suggest wait
        write_stdin""".split(),
        "other",
    ),
}
"""Codex; ``write_stdin`` continues a command."""

OPENCODE: dict[str, str] = {
    "bash": "run",
    "read": "read",
    "list": "read",
    "glob": "search",
    "grep": "search",
    "lsp": "search",
    "edit": "edit",
    "multiedit": "edit",
    "patch": "edit",
    "apply_patch": "edit",
    "write": "write",
    "webfetch": "web",
    "websearch": "web",
    "codesearch": "web",
    "task": "task",
    "todowrite": "task",
    "todoread": "task",
    "batch": "other",
    "skill": "other",
    "question": "other",
    "invalid": "other",
    "plan_enter": "other",
    "plan_exit": "other",
}
"""OpenCode."""

GEMINI: dict[str, str] = {
    "run_shell_command": "run",
    "read_file": "read",
    "read_many_files": "read",
    "list_directory": "read",
    "glob": "search",
    "grep_search": "search",
    "search_file_content": "search",
    "replace": "edit",
    "edit": "edit",
    "write_file": "write",
    "web_fetch": "web",
    "google_web_search": "web",
    "write_todos": "task",
    "delegate_to_agent": "task",
    **dict.fromkeys(
        """activate_skill ask_user cli_help codebase_investigator complete_task enter_plan_mode exit_plan_mode generalist
        get_internal_docs list_background_processes read_background_output save_memory update_topic""".split(),
        "other",
    ),
}
"""Gemini CLI."""

SWE_AGENT: dict[str, str] = {
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
"""SWE-agent's own commands; any other action is a shell command."""
