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
    "PowerShell": "run",
    "Monitor": "run",
    "BashOutput": "other",
    "TaskOutput": "other",
    "AgentOutputTool": "other",
    "KillShell": "other",
    "TaskStop": "other",
    "LSP": "search",
    "ListMcpResourcesTool": "mcp",
    "ReadMcpResourceTool": "mcp",
    "Artifact": "write",
    "Batch": "task",
    "WebFetch": "web",
    "WebSearch": "web",
    "Task": "task",
    "Agent": "task",
    "TaskCreate": "task",
    "TaskUpdate": "task",
    "TaskList": "task",
    "TaskGet": "task",
    "TodoWrite": "task",
    "TodoRead": "task",
    "EnterPlanMode": "task",
    "ExitPlanMode": "task",
    "SendMessage": "task",
    **dict.fromkeys(
        """AskUserQuestion Config CronCreate CronDelete CronList EnterWorktree ExitWorktree KillBash ScheduleWakeup Skill
        SlashCommand StructuredOutput TeamCreate TeamDelete ToolSearch""".split(),
        "other",
    ),
}
"""Claude Code. Here and for the other hosts, what is said to be ``other`` acts upon nothing: it asks, waits, loads a skill, or
looks at what an earlier call goes on printing. Any tool that stands in no table is one of an MCP server, or brings what
others wrote, and counts as ``mcp``."""

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
    "web__run": "web",
    "spawn_agent": "task",
    "send_input": "task",
    "wait_agent": "task",
    "close_agent": "task",
    "send_message": "task",
    "followup_task": "task",
    "list_agents": "task",
    "get_goal": "task",
    "create_goal": "task",
    "update_goal": "task",
    **dict.fromkeys(
        """exec interrupt_agent js_repl js_repl_reset kill_agent load_workspace_dependencies request_permissions
        request_user_input resume_agent test_sync_tool tool_search tool_suggest wait write_stdin""".split(),
        "other",
    ),
}
"""Codex; of ``exec``, a script, the calls count, and ``write_stdin`` and ``wait`` continue a command or a script."""

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
