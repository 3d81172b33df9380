"""Codex 0.169.0, as recorded in fixtures/codex.

A reply with any unknown key counts as a failed hook. The offer enters the history once, as a developer message. ``exec`` runs
a script, and the script's calls are reported instead of ``exec``; ``write_stdin`` and ``wait`` continue a command or script.
"""

from __future__ import annotations

from mind_skills.hosts import HookOffSwitch, HostSpec, SystemSettings, map_tools


def find_log(_: str, path: str) -> str:
    """Return the log that a file belongs to (HostSpec). Logs of archived sessions may be compressed."""
    is_log = path.rpartition("/")[2].startswith("rollout-") and path.endswith((".jsonl", ".jsonl.zst"))
    return path if is_log else ""


SPEC = HostSpec(
    "codex",
    title="Codex",
    binary="codex",
    settings_folder=".codex",
    settings_folder_env_var="CODEX_HOME",
    hook_file="hooks.json",
    events={"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"},
    # Seconds. Codex limits SessionEnd to 3, and warns at every start if the value is higher.
    timeouts={"SessionStart": 10, "Stop": 10, "SessionEnd": 3},
    trust_instructions="Start codex and trust the new hooks when it asks, or trust them later in /hooks. Codex skips them until then.",
    trust_file="config.toml",
    off_switches=(
        *(  # the second is the older name
            HookOffSwitch(("features", name), False, f"Remove `{name}` from the `features` of that file")
            for name in ("hooks", "codex_hooks")
        ),
        HookOffSwitch(
            ("allow_managed_hooks_only",),
            True,
            "Ask whoever manages that file; `mind-skills watch` learns without hooks",
            only_managed=True,
        ),
    ),
    project_settings_files=(".codex/config.toml",),
    system_settings=(
        SystemSettings({"": "/etc/codex/config.toml"}, yields_to_user=True),
        SystemSettings({"": "/etc/codex/requirements.toml"}),
    ),
    offer_event="SessionStart",
    stores_start_reply=True,
    can_show_text_to_user=True,
    server_files=("config.toml",),
    server_key="mcp_servers",
    server_entry_format="command_and_args",
    project_skill_folders=(".agents/skills", ".codex/skills"),
    home_skill_folders=(".agents/skills", ".codex/skills"),
    log_folders=("sessions", "archived_sessions"),
    log_pattern=("*", "*", "*", "*.jsonl"),
    find_log=find_log,
    tools=map_tools(
        read="view_image read_file list_dir",
        search="grep_files",
        edit="apply_patch",
        run="exec_command shell shell_command local_shell container.exec",
        web="web_search web__run",
        task="""update_plan spawn_agent send_input wait_agent close_agent send_message followup_task list_agents get_goal
            create_goal update_goal spawn_agents_on_csv report_agent_job_result""",
        other="""clock__curr_time clock__sleep exec get_context_remaining interrupt_agent js_repl js_repl_reset kill_agent
            load_workspace_dependencies new_context request_permissions request_plugin_install request_user_input
            request_user_input_async resume_agent send_message_to_user_async test_sync_tool tool_search tool_suggest wait
            wait_for_environment write_stdin""",
    ),
)
