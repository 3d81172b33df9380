"""OpenCode 1.18.33.

OpenCode has no hook file. It loads every .js file in the ``plugin`` and ``plugins`` folders of its settings folder. Our
plugin (plugin/opencode/mind-skills.js) runs the hooks, so the events are those that the plugin defines.
"""

from __future__ import annotations

from mind_skills.hosts import HostSpec, map_tools

SPEC = HostSpec(
    "opencode",
    title="OpenCode",
    binary="opencode",
    settings_folder=".config/opencode",
    settings_folder_env_var="XDG_CONFIG_HOME",
    settings_folder_suffix="opencode",
    protocol="plugin",
    hook_file="plugin/mind-skills.js",
    events={
        "start": "start",
        "failure": "failure",
        "idle": "idle",
        "error": "idle",
        "compacted": "idle",
        "end": "end",
        "deleted": "end",
        "recover": "recover",
    },
    offer_limit=9_500,
    must_resend_offer=True,
    server_files=("opencode.jsonc", "opencode.json"),
    server_key="mcp",
    server_entry_format="command_list",
    command_file="command/{}.md",
    skill_tool="skill",
    project_skill_folders=(".opencode/skills", ".opencode/skill", ".claude/skills", ".agents/skills"),
    home_skill_folders=(".config/opencode/skills", ".config/opencode/skill", ".claude/skills", ".agents/skills"),
    database_location=("XDG_DATA_HOME", ".local/share", "opencode/opencode.db"),
    database_env_var="OPENCODE_DB",
    tools=map_tools(
        read="read list",
        search="glob grep lsp",
        edit="edit multiedit patch apply_patch",
        write="write",
        run="bash",
        web="webfetch websearch codesearch",
        task="task todowrite todoread",
        other="batch skill question invalid plan_enter plan_exit StructuredOutput",
    ),
)
