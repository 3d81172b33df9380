"""Gemini CLI 0.61.0, as recorded in fixtures/gemini.

The offer is sent with the first prompt (``BeforeAgent``), not with ``SessionStart``. The client puts context
from ``SessionStart`` before the user's text in the same message, and on resume drops every message that begins with such
context. Context from ``BeforeAgent`` follows the user's text, and the message is preserved. The offer arrives as
``<hook_context>``, with ``&``, ``<`` and ``>`` escaped as in HTML.
"""

from __future__ import annotations

from mind_skills.hosts import HookOffSwitch, HostSpec, SystemSettings, map_tools


def find_log(_: str, path: str) -> str:
    """Return the log that a file belongs to (HostSpec)."""
    folder, _, name = path.rpartition("/")
    is_log = folder.rpartition("/")[2] == "chats" and name.startswith("session-") and name.endswith((".json", ".jsonl"))
    return path if is_log else ""


SPEC = HostSpec(
    "gemini",
    title="Gemini CLI",
    binary="gemini",
    settings_folder=".gemini",
    settings_folder_env_var="GEMINI_CLI_HOME",
    settings_folder_suffix=".gemini",  # the variable replaces the home folder
    hook_file="settings.json",
    # Hooks in the user's settings run without approval; project hooks need approval.
    hook_handler={"type": "command", "name": "mind-skills"},
    events={"SessionStart": "start", "BeforeAgent": "prompt", "AfterAgent": "idle", "SessionEnd": "end"},
    # Milliseconds.
    timeouts={"SessionStart": 10_000, "BeforeAgent": 10_000, "AfterAgent": 10_000, "SessionEnd": 10_000},
    off_switches=(
        HookOffSwitch(
            ("hooksConfig", "enabled"),
            False,
            "Remove `hooksConfig.enabled` from that file, or run /hooks enable-all in the client",
        ),
    ),
    disabled_hooks_key_path=("hooksConfig", "disabled"),
    project_settings_files=(".gemini/settings.json",),
    system_settings=tuple(
        SystemSettings(
            {
                "": f"/etc/gemini-cli/{name}.json",
                "darwin": f"/Library/Application Support/GeminiCli/{name}.json",
                "win32": f"C:/ProgramData/gemini-cli/{name}.json",
            },
            env_var=f"GEMINI_CLI_SYSTEM_{variable}_PATH",
            yields_to_user=variable == "DEFAULTS",
        )
        for name, variable in (("system-defaults", "DEFAULTS"), ("settings", "SETTINGS"))
    ),
    # This client also sets CLAUDE_PROJECT_DIR, so that variable does not identify Claude Code.
    project_env_var="GEMINI_PROJECT_DIR",
    offer_event="BeforeAgent",
    can_show_text_to_user=True,
    server_files=("settings.json",),
    server_key="mcpServers",
    server_entry_format="command_and_args",
    command_file="commands/{}.toml",
    skill_tool="activate_skill",
    project_skill_folders=(".agents/skills", ".gemini/skills"),
    home_skill_folders=(".agents/skills", ".gemini/skills"),
    log_folders=("tmp",),
    log_pattern=("*", "chats", "*.json*"),
    find_log=find_log,
    tools=map_tools(
        read="read_file read_many_files list_directory",
        search="glob grep_search search_file_content",
        edit="replace edit",
        write="write_file",
        run="run_shell_command",
        web="web_fetch google_web_search",
        task="""write_todos delegate_to_agent invoke_agent tracker_add_dependency tracker_create_task tracker_get_task
            tracker_list_tasks tracker_update_task tracker_visualize""",
        other="""activate_skill ask_user cli_help codebase_investigator complete_task enter_plan_mode exit_plan_mode
            generalist get_internal_docs list_background_processes read_background_output save_memory update_topic""",
    ),
)
