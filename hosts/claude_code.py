"""Claude Code 2.1.329, as recorded in fixtures/claude_code."""

from __future__ import annotations

from mind_skills.hosts import HookOffSwitch, HostSpec, SystemSettings, map_tools


def find_log(_: str, path: str) -> str:
    """Return the log that a file belongs to (HostSpec). The log of a subagent belongs to its session."""
    parts = path.split("/")
    if not path.endswith(".jsonl") or len(parts) < 2:
        return ""
    if len(parts) == 2:  # older versions also store the logs of subagents here
        return "" if parts[1].startswith("agent-") else path
    return f"{parts[0]}/{parts[1]}.jsonl" if parts[2] == "subagents" else ""


SPEC = HostSpec(
    "claude-code",
    title="Claude Code",
    binary="claude",
    settings_folder=".claude",
    settings_folder_env_var="CLAUDE_CONFIG_DIR",
    hook_file="settings.json",
    events={"SessionStart": "start", "PostToolUseFailure": "failure", "Stop": "idle", "SessionEnd": "end"},
    # Other tools fail by slips in their use.
    matchers={"PostToolUseFailure": "Bash|PowerShell"},
    # Seconds. The SessionEnd timeout is honoured in ``hook_file``, but not in a plugin's hooks.
    timeouts={"SessionStart": 10, "PostToolUseFailure": 10, "Stop": 10, "SessionEnd": 10},
    off_switches=(
        HookOffSwitch(("disableAllHooks",), True, "Remove `disableAllHooks` from that file"),
        HookOffSwitch(("env", "CLAUDE_CODE_SIMPLE"), True, "Remove `CLAUDE_CODE_SIMPLE` from `env` in that file"),
        *(
            HookOffSwitch(
                (name,),
                True,
                "Ask whoever manages that file; `mind-skills watch` learns without hooks",
                only_managed=True,
            )
            for name in ("allowManagedHooksOnly", "strictPluginOnlyCustomization")
        ),
    ),
    project_settings_files=(".claude/settings.json", ".claude/settings.local.json"),
    system_settings=(
        *(
            SystemSettings(
                {
                    "": f"/etc/claude-code/{name}",
                    "darwin": f"/Library/Application Support/ClaudeCode/{name}",
                    "win32": f"C:/Program Files/ClaudeCode/{name}",
                }
            )
            for name in ("managed-settings.json", "managed-settings.d/*.json")
        ),
        SystemSettings({"": "remote-settings.json"}),  # the client's copy of what the organisation's server sent
    ),
    enabled_plugins_key="enabledPlugins",
    # Remains the folder in which the session started, whereas ``cwd`` follows worktrees and ``cd``.
    project_env_var="CLAUDE_PROJECT_DIR",
    searches_parent_folders=False,
    pid_env_var="CLAUDE_PID",
    # ``additionalContext`` is honoured only in the reply's ``hookSpecificOutput``; at the top level it is silently dropped.
    offer_event="SessionStart",
    # The client writes text of more than 10,000 characters to a file, and gives the model the file's path.
    offer_limit=9_500,
    can_show_text_to_user=True,
    headless_marker=("CLAUDE_CODE_ENTRYPOINT", "sdk"),
    stores_start_reply=True,
    server_files=(".claude.json",),
    server_key="mcpServers",
    server_entry_format="typed_command_and_args",
    has_server_file_in_home=True,
    command_file="commands/{}.md",
    skill_tool="Skill",
    project_skill_folders=(".claude/skills",),
    home_skill_folders=(".claude/skills",),
    log_folders=("projects",),
    log_pattern=("*", "*.jsonl"),
    find_log=find_log,
    tools=map_tools(
        read="Read NotebookRead LS",
        search="Glob Grep LSP",
        edit="Edit MultiEdit NotebookEdit",
        write="Write Artifact",
        run="Bash PowerShell Monitor",
        web="WebFetch WebSearch",
        # DesignSync and RemoteTrigger return content of a service, which others may have written.
        mcp="DesignSync ListMcpResourcesTool ReadMcpResourceDirTool ReadMcpResourceTool RemoteTrigger",
        task="""Batch Task Agent TaskCreate TaskUpdate TaskList TaskGet TodoWrite TodoRead EnterPlanMode ExitPlanMode
            SendMessage Workflow""",
        other="""BashOutput TaskOutput AgentOutputTool KillShell TaskStop AskUserQuestion Config CronCreate CronDelete
            CronList EndConversation EnterWorktree ExitWorktree KillBash ListAgents PushNotification RefreshMcpTools
            ReportFindings ScheduleWakeup SendUserFile ShareOnboardingGuide Skill SlashCommand StructuredOutput
            TeamCreate TeamDelete ToolSearch WaitForMcpServers""",
    ),
)
