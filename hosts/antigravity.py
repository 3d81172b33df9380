"""Antigravity CLI (``agy``): its documented contract, which was not tried with the real client (docs/hosts/antigravity.md).

The formats of transcripts and the names of tools were recorded with google-antigravity 0.1.22, whose engine belongs to the same
family (fixtures/antigravity). The desktop app and the IDE read the same hook file, and have folders of logs of their own.
"""

from __future__ import annotations

from mind_skills.hosts import HookForm, HookOffSwitch, HostSpec, map_tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FULL_NAME, PLAIN_NAME = "transcript_full.jsonl", "transcript.jsonl"
"""The complete transcript of a session, and the one in which long texts are cut."""
MAX_HISTORY_BYTES = 1 << 20
"""Maximum number of bytes at the end of the list of prompts that are searched for a session."""
_EVENTS = {"start": "SessionStart", "late": "PreInvocation", "idle": "Stop"}
_FIELDS = {"session_id": "conversationId", "transcript_path": "transcriptPath", "agent_id": "parentConversationId"}
_GROUPED_EVENTS = ("PreToolUse", "PostToolUse")
_UNGROUPED_EVENTS = ("SessionStart", "PreInvocation", "PostInvocation", "Stop")


class _Form(HookForm):
    """``{NAME: {"enabled": true, EVENT: [HANDLER]}}``; payloads do not name the event, and list the folders of the workspace."""

    key = "mind-skills"
    are_hooks_grouped = False
    may_lack_project = True

    def read_payload(self, fields: dict[str, Any], moment: str) -> dict[str, Any]:
        """See HookForm. The log is the complete transcript, unless only the cut one exists."""
        converted = {ours: fields.get(theirs) for ours, theirs in _FIELDS.items()}
        log = converted["transcript_path"]
        converted["cwd"] = next(map(clean_path, _as_list(fields.get("workspacePaths"))), "")
        if isinstance(log, str):
            converted["transcript_path"] = _choose_transcript(clean_path(log))
        return {**converted, "hook_event_name": _EVENTS.get(moment)}

    def write_payload(self, fields: dict[str, Any]) -> dict[str, Any]:
        written = {theirs: fields[ours] for ours, theirs in _FIELDS.items() if ours in fields}
        return {**written, "workspacePaths": [fields["cwd"]], "artifactDirectoryPath": "", "modelName": ""}

    def make_reply(self, event: str, text: str) -> str:
        """See HookForm. Versions whose session starts are not reported know no system messages."""
        step = f'"systemMessage":{{"systemMessage":{text}}}' if event == "SessionStart" else f'"userMessage":{text}'
        return f'{{"injectSteps":[{{{step}}}]}}'

    def find_folder(self, session_id: str, log: str) -> str:
        return find_workspace(session_id, log)

    def is_subagent(self, log: str) -> bool:
        """See HookForm. The transcript of a subagent begins with a message from its parent."""
        try:
            with open(log, "rb") as file:
                first = file.readline(1 << 14)
        except (OSError, ValueError):  # a path with a null character
            return False
        return b'"type":"SYSTEM_MESSAGE"' in first and b" sender=" in first

    def find_problem(self, text: str) -> str:
        """See HookForm. A value of a wrong type, or a comment, makes the client drop the whole file."""
        import json

        try:
            hooks: Any = json.loads(text) if text.strip() else {}
        except ValueError as error:
            return f"it is not strict JSON: {error}"
        if not _is_object(hooks):
            return "the document is not an object"
        return next(filter(None, (_find_hook_problem(name, hook) for name, hook in hooks.items())), "")


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _as_object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def clean_path(path: object) -> str:
    """Return a path that may be a URI, as a path; an empty string for anything but a string."""
    if not isinstance(path, str):
        return ""
    if path.startswith("file://"):
        from urllib.parse import unquote

        path = unquote(path.removeprefix("file://"))
    return path[1:] if path[:1] == "/" and path[2:4] in (":/", ":\\") else path  # /C:/ on Windows


def _choose_transcript(path: str) -> str:
    """Return the path of the complete transcript, which exists from the first step on, unless only the cut one exists."""
    if not path.endswith("/" + PLAIN_NAME) and not path.endswith("\\" + PLAIN_NAME):
        return path
    full = path[: -len(PLAIN_NAME)] + FULL_NAME
    return path if _exists(path) and not _exists(full) else full


def _exists(path: str) -> bool:
    try:
        import posix as system  # without os, which most hooks never import
    except ImportError:  # Windows
        import os as system  # type: ignore[no-redef,unused-ignore]
    try:
        system.stat(path)
    except (OSError, ValueError):
        return False
    return True


def find_log(folder: str, path: str) -> str:
    """Return the log that a file belongs to (HostSpec): both transcripts of a session belong to the complete one."""
    parts = path.split("/")
    if parts[1:-1] != [".system_generated", "logs"] or parts[-1] not in (FULL_NAME, PLAIN_NAME):
        return ""
    return _choose_transcript(f"{folder}/{path}")[len(folder) + 1 :]


def find_workspace(session_id: str, log: str) -> str:
    """Return the folder in which a session runs, from the client's own lists; empty if they do not name it.

    The lists are in the folder of the app: the prompts of all sessions, and the newest session of each folder.
    """
    import json
    import os

    app = os.path.dirname(log)
    for _ in range(4):  # the log is in brain/SESSION/.system_generated/logs
        app = os.path.dirname(app)
    try:
        with open(os.path.join(app, "history.jsonl"), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - MAX_HISTORY_BYTES))
            lines = [
                line
                for line in file.read(MAX_HISTORY_BYTES).split(b"\n")
                if session_id.encode("utf-8", "replace") in line
            ]
    except (OSError, ValueError):
        lines = []
    for line in reversed(lines):
        try:
            entry = _as_object(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if entry.get("conversationId") == session_id and (folder := clean_path(entry.get("workspace"))):
            return folder
    try:
        with open(os.path.join(app, "cache", "last_conversations.json"), "rb") as file:
            newest = _as_object(json.loads(file.read(MAX_HISTORY_BYTES)))
    except (OSError, ValueError, RecursionError):
        return ""
    return next((clean_path(folder) for folder, name in newest.items() if name == session_id), "")


def _find_hook_problem(name: str, hook: object) -> str:
    """Describe the first value of a named hook that has a wrong type; empty if there is none."""
    if not _is_object(hook):
        return f"{name} is not an object"
    fields = _as_object(hook)
    if not isinstance(fields.get("enabled", True), bool):
        return f"{name}.enabled is not true or false"
    for event in (*_GROUPED_EVENTS, *_UNGROUPED_EVENTS):
        if not isinstance(fields.get(event, []), list):
            return f"{name}.{event} is not a list"
        for entry in _as_list(fields.get(event)):
            if event not in _GROUPED_EVENTS:
                are_valid = _is_handler(entry)
            else:
                group = _as_object(entry)
                are_valid = _is_object(entry) and isinstance(group.get("matcher", ""), str)
                are_valid = are_valid and isinstance(group.get("hooks", []), list)
                are_valid = are_valid and all(map(_is_handler, _as_list(group.get("hooks"))))
            if not are_valid:
                return f"{name}.{event} contains a value of a wrong type"
    return ""


def _is_handler(handler: object) -> bool:
    fields = _as_object(handler)
    timeout = fields.get("timeout", 0)
    are_texts = all(isinstance(fields.get(key, ""), str) for key in ("type", "command", "prompt"))
    return _is_object(handler) and are_texts and isinstance(timeout, int) and not isinstance(timeout, bool)


SPEC = HostSpec(
    "antigravity",
    title="Antigravity CLI",
    binary="agy",
    settings_folder=".gemini",  # shared with Gemini CLI; only the home folder moves it
    settings_folder_env_var="",
    signs=("config", "antigravity-cli", "antigravity", "antigravity-ide"),
    untried="`agy -p /hooks` lists the hooks that it loaded",
    hook_file="config/hooks.json",
    hook_form=_Form(),
    # SessionStart is not reported by all versions, and not by a resumed session. There is no event for a session's end.
    events={"SessionStart": "start", "PreInvocation": "late", "Stop": "idle"},
    # Seconds; a fraction would make the client drop the whole file.
    timeouts={"SessionStart": 10, "PreInvocation": 10, "Stop": 10},
    off_switches=(
        HookOffSwitch(("mind-skills", "enabled"), False, "Remove `enabled` from `mind-skills` in that file"),
    ),
    process_name="agy",  # the desktop app and the IDE run many sessions in one process
    offer_event="SessionStart",
    server_files=("config/mcp_config.json",),
    server_key="mcpServers",
    server_entry_format="command_and_args",
    project_skill_folders=(".agents/skills",),
    home_skill_folders=(".gemini/config/skills",),
    log_folders=("antigravity-cli/brain", "antigravity/brain", "antigravity-ide/brain"),
    log_pattern=("*", ".system_generated", "logs", FULL_NAME),
    find_log=find_log,
    tools=map_tools(
        read="view_file view_file_outline view_code_item list_dir read_terminal",
        search="grep_search find_by_name codebase_search search_in_file",
        edit="replace_file_content multi_replace_file_content edit_file",
        write="write_to_file",
        run="run_command",
        web="read_url_content search_web view_content_chunk open_browser_url read_browser_page browser_subagent",
        mcp="call_mcp_tool list_resources read_resource",
        task="define_subagent invoke_subagent manage_subagents run_workflow task_boundary",
        other="""ask_permission ask_question command_status finish generate_image list_permissions manage_task notify_user schedule
            send_command_input send_message wait""",
    ),
)
