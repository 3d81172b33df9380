"""Codex 0.169.0, as recorded in fixtures/codex.

A reply with any unknown key counts as a failed hook. The offer enters the history once, as a developer message. ``exec`` runs
a script, and the script's calls are reported instead of ``exec``; ``write_stdin`` and ``wait`` continue a command or script.
"""

from __future__ import annotations

from mind_skills.hosts import HookOffSwitch, HostSpec

SPEC = HostSpec(
    "codex",
    title="Codex",
    binary="codex",
    folder=".codex",
    folder_variable="CODEX_HOME",
    hook_file="hooks.json",
    events={"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"},
    # Seconds. Codex limits SessionEnd to 3, and warns at every start if the value is higher.
    timeouts={"SessionStart": 10, "Stop": 10, "SessionEnd": 3},
    trust="Start codex and trust the new hooks when it asks, or trust them later in /hooks. Codex skips them until then.",
    trust_file="config.toml",
    off_switches=(
        HookOffSwitch(("features", "hooks"), False, "Remove `hooks` from the [features] table of that file"),
    ),
    offer_event="SessionStart",
    keeps_context=True,
    can_show_user_text=True,
    server_files=("config.toml",),
    server_key="mcp_servers",
    server_shape="split",
    project_skills=(".agents/skills", ".codex/skills"),
    home_skills=(".agents/skills", ".codex/skills"),
    log_folder="sessions",
    log_pattern=("*", "*", "*", "*.jsonl"),
    tools={
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
    },
)
