"""Gemini CLI; facts of 0.61.0, recorded in fixtures/gemini.

The offer goes with the first prompt (``BeforeAgent``) and not with ``SessionStart``: there the client writes it before the
user's words into one message, and forgets every message that begins so when the session is resumed; behind the user's words
both stay. It arrives as ``<hook_context>``, with ``&``, ``<`` and ``>`` of the offer escaped for HTML.
"""

from __future__ import annotations

from mind_skills.hosts import HostSpec, OffSwitch

SPEC = HostSpec(
    "gemini",
    title="Gemini CLI",
    binary="gemini",
    folder=".gemini",
    folder_variable="GEMINI_CLI_HOME",
    folder_below=".gemini",  # the variable names another home
    hook_file="settings.json",
    # Hooks of the user's own settings run without a question; those of a project would ask.
    hook_handler={"type": "command", "name": "mind-skills"},
    events={"SessionStart": "start", "BeforeAgent": "prompt", "AfterAgent": "idle", "SessionEnd": "end"},
    # Milliseconds.
    timeouts={"SessionStart": 10_000, "BeforeAgent": 10_000, "AfterAgent": 10_000, "SessionEnd": 10_000},
    off_switches=(
        OffSwitch(
            ("hooksConfig", "enabled"),
            False,
            "Take `hooksConfig.enabled` out of it, or /hooks enable-all in the client",
        ),
    ),
    disabled_hooks=("hooksConfig", "disabled"),
    # CLAUDE_PROJECT_DIR, which this client sets as well, says nothing about the host.
    project_variable="GEMINI_PROJECT_DIR",
    offer_event="BeforeAgent",
    server_files=("settings.json",),
    server_key="mcpServers",
    server_shape="split",
    skill_tool="activate_skill",
    project_skills=(".agents/skills", ".gemini/skills"),
    home_skills=(".agents/skills", ".gemini/skills"),
    log_folder="tmp",
    log_pattern=("*", "chats", "*.json*"),
    tools={
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
    },
)
