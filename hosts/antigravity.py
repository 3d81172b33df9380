"""Antigravity CLI (``agy``): its documented contract, which was not tried with the real client (docs/hosts/antigravity.md).

The formats of transcripts and the names of tools were recorded with google-antigravity 0.1.22, whose engine belongs to the same
family (fixtures/antigravity).
"""

from __future__ import annotations

from mind_skills.hosts import HostSpec, map_tools

SPEC = HostSpec(
    "antigravity",
    title="Antigravity CLI",
    binary="agy",
    settings_folder=".gemini",
    settings_folder_env_var="",
    hook_file="config/hooks.json",
    events={"SessionStart": "start", "Stop": "idle"},
    timeouts={"SessionStart": 10, "Stop": 10},
    offer_event="SessionStart",
    server_files=("config/mcp_config.json",),
    server_key="mcpServers",
    server_entry_format="command_and_args",
    project_skill_folders=(".agents/skills",),
    home_skill_folders=(".gemini/config/skills",),
    log_folders=("antigravity-cli/brain",),
    log_pattern=("*", ".system_generated", "logs", "transcript_full.jsonl"),
    tools=map_tools(
        read="view_file view_file_outline view_code_item list_dir read_terminal",
        search="grep_search find_by_name codebase_search search_in_file",
        edit="replace_file_content multi_replace_file_content edit_file",
        write="write_to_file",
        run="run_command",
        web="read_url_content search_web view_content_chunk open_browser_url read_browser_page browser_subagent",
        mcp="call_mcp_tool list_resources read_resource",
        task="define_subagent invoke_subagent manage_subagents run_workflow task_boundary",
        other="""ask_question command_status finish generate_image manage_task notify_user schedule send_command_input
            send_message wait""",
    ),
)
