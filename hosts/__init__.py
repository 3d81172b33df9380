"""Host specifications: one ``HostSpec`` per host, each in its own module. docs/hosts/ lists the source of each fact.

To add a host, add a module with a ``SPEC`` and list its name in ``HOST_NAMES``. The adapters, installer and
doctor then support the host, provided that it reads hooks from a JSON file, as all current hosts except OpenCode do::

    {"hooks": {EVENT: [{"hooks": [{**hook_handler, "command": COMMAND, "timeout": TIMEOUT}]}]}}

A host whose hook file, payloads or replies have another form defines a subclass of ``HookForm``.

``COMMAND`` is a single shell command line, ``... HOST MOMENT`` (plugin/command.py). An upgrade must not change it:
Codex would ask the user for approval again. Our group goes after all other groups, because Codex identifies a hook
by its position in the list.

Every hook loads its host's spec on the hot path, so importing this module imports nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal


HOST_NAMES = ("claude-code", "opencode", "codex", "gemini", "antigravity")
"""Host names as used by commands, hooks and the database. Names of modules have ``_`` instead of ``-``."""


class HookOffSwitch:
    """A host setting that disables all hooks if it has this ``value``; ``remedy`` tells the user how to enable them.

    A list with ``hooks`` counts as true, and so does a text such as ``1`` for a variable under ``env``.
    """

    def __init__(self, path: tuple[str, ...], value: bool, remedy: str, *, only_managed: bool = False) -> None:
        """``path`` lists the keys that lead to the setting, starting at the root of the document.

        A switch that is ``only_managed`` has no effect in the files of the user and of projects.
        """
        self.path = path
        self.value = value
        self.remedy = remedy
        self.only_managed = only_managed


class SystemSettings:
    """A settings file of the machine or of an organisation: by platform a path or glob pattern, and a variable for another."""

    def __init__(self, paths: Mapping[str, str], *, env_var: str = "", yields_to_user: bool = False) -> None:
        """``paths`` are keyed by ``sys.platform``; "" is for all others, and may be relative to the user's settings folder.

        The file overrides those of the user and of projects, unless it ``yields_to_user``.
        """
        self.paths = paths
        self.env_var = env_var
        self.yields_to_user = yields_to_user


class HookForm:
    """The form of a host's hook file, payloads and replies. This one is Claude Code's, which most hosts adopted.

    A payload is an object with ``hook_event_name``, ``session_id``, ``transcript_path``, ``cwd`` and others.
    """

    key = "hooks"
    """The key in the hook file under which we add our hooks."""
    are_hooks_grouped = True
    """Whether an event lists groups of handlers, rather than handlers."""
    may_lack_project = False
    """Whether a payload without a folder belongs to a session without a project, rather than being wrong."""

    def read_payload(self, fields: dict[str, Any], moment: str) -> dict[str, Any]:
        """Convert a payload to the form above. ``moment`` is from the command line of the hook, or empty."""
        return fields

    def write_payload(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Convert a payload from the form above."""
        return fields

    def make_reply(self, event: str, text: str) -> str:
        """Return the JSON object that adds ``text``, a JSON string, to the model's context.

        It has only keys that every host with this form accepts, because hosts reject replies with unknown keys, or ignore those
        keys.
        """
        return f'{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":{text}}}}}'

    def find_folder(self, session_id: str, log: str) -> str:
        """Return the folder of a session whose payload lacks it, or an empty string."""
        return ""

    def is_subagent(self, log: str) -> bool:
        """Return whether a log is a subagent's, if payloads of subagents look like others."""
        return False

    def find_problem(self, text: str) -> str:
        """Describe why the host would ignore a whole hook file with this text; empty if it would not."""
        return ""


class HostSpec:
    """The specification of one host. Treat instances as immutable.

    This is a plain class because importing dataclasses or typing would slow down the hot path.
    """

    def __init__(
        self,
        name: str,
        *,
        title: str,
        binary: str,
        settings_folder: str,
        settings_folder_env_var: str,
        settings_folder_suffix: str = "",
        signs: tuple[str, ...] = ("",),
        untried: str = "",
        protocol: Literal["hooks", "plugin"] = "hooks",
        hook_file: str,
        hook_form: HookForm | None = None,
        hook_handler: Mapping[str, str] | None = None,
        events: Mapping[str, str],
        timeouts: Mapping[str, int] | None = None,
        matchers: Mapping[str, str] | None = None,
        trust_instructions: str = "",
        trust_file: str = "",
        off_switches: tuple[HookOffSwitch, ...] = (),
        disabled_hooks_key_path: tuple[str, ...] = (),
        project_settings_files: tuple[str, ...] = (),
        system_settings: tuple[SystemSettings, ...] = (),
        enabled_plugins_key: str = "",
        project_env_var: str = "",
        searches_parent_folders: bool = True,
        pid_env_var: str = "",
        process_name: str = "",
        offer_event: str = "",
        offer_limit: int = 0,
        can_show_text_to_user: bool = False,
        headless_marker: tuple[str, str] = ("", ""),
        stores_start_reply: bool = False,
        must_resend_offer: bool = False,
        server_files: tuple[str, ...],
        server_key: str,
        server_entry_format: Literal["command_and_args", "typed_command_and_args", "command_list"],
        has_server_file_in_home: bool = False,
        command_file: str = "",
        skill_tool: str = "",
        project_skill_folders: tuple[str, ...],
        home_skill_folders: tuple[str, ...],
        log_folders: tuple[str, ...] = (),
        log_pattern: tuple[str, ...] = (),
        find_log: Callable[[str, str], str] | None = None,
        database_location: tuple[str, str, str] = ("", "", ""),
        database_env_var: str = "",
        tools: Mapping[str, str],
    ) -> None:
        """Store the specification.

        ``title`` is the display name and ``binary`` the host's command. ``settings_folder`` is the folder of the user's
        settings, relative to the home folder. If the environment variable ``settings_folder_env_var`` is set, that folder is
        the variable's value joined with ``settings_folder_suffix``. The host is on the machine if that folder contains any of the
        folders ``signs``. ``untried`` is not empty if we have not run the real client: how users can check that it runs our hooks.

        ``protocol`` is ``hooks`` for a JSON file of hooks, or ``plugin`` for a plugin file that the host loads.
        ``hook_file`` is the path of that file in the settings folder, and ``hook_form`` its form; ``hook_handler`` holds the
        members of each handler other than command and timeout. ``events`` maps the host's event names to moments (start, late,
        prompt, idle, end, recover, failure). ``late`` starts a session whose ``start`` was not reported. If there is a ``prompt``
        moment, the offer is sent with the first prompt instead of at the start.
        ``timeouts`` maps event names to timeouts, in the host's own unit, and ``matchers`` maps events of tools to the tools whose
        calls are reported.

        ``trust_instructions`` tell the user how to approve the hooks; ``trust_file`` is the TOML file in the settings folder
        that records the approval. ``off_switches`` are read from ``trust_file`` if set, else from ``hook_file``.
        ``disabled_hooks_key_path`` leads to a list of disabled hook names. ``project_settings_files`` (relative to
        the project) and ``system_settings`` are further files that may contain off switches, in ascending order of
        precedence. ``enabled_plugins_key`` is the key in ``hook_file`` that lists
        plugins, which may also install our hooks.

        ``project_env_var`` is the environment variable that holds the project folder in a hook; without it, the payload's
        ``cwd`` is used. With ``searches_parent_folders``, that folder and its parents are searched, and the project is the
        nearest one that contains ``.git`` or ``.claude``. ``pid_env_var`` is the environment variable that holds the id of
        the session's process; without it, the hook's ancestors are searched, except for a plugin, whose payload has the id.
        If ``process_name`` is not empty, the process that is found counts only if it has this name.
        ``offer_event`` is the event whose reply carries the offer, and ``offer_limit`` the offer's maximum length in
        characters (0: unlimited).
        ``can_show_text_to_user``: a reply can show text to the user without passing it to the model. ``headless_marker`` is
        an environment variable and the prefix of its value in unattended sessions; both are empty if the host sets none.

        ``stores_start_reply``: the host adds the reply to a start event to the session's history at once, so each of its
        processes requests the offer only once per session; a second request means that the hook is installed twice.
        ``must_resend_offer``: the session does not store the offer, so every request to the model must include it again,
        even after a resume.

        MCP servers are listed under ``server_key`` in the first existing file of ``server_files``, or in the last one if
        none exists. With ``has_server_file_in_home`` that file is in the home folder itself, unless ``settings_folder_env_var``
        is set. ``server_entry_format`` is the format of a server's entry: a command and its arguments, the same with a type,
        or the whole command line in one list. A ``.toml`` file has one table per server.

        ``command_file`` is the file of a slash command in the settings folder, with ``{}`` for the command's name; empty if
        users cannot add commands. ``skill_tool`` is the tool that loads a skill by name; empty if the model reads the file
        with a shell command. ``project_skill_folders`` and ``home_skill_folders`` are the folders, relative to the project
        and the home folder, that contain ``NAME/SKILL.md``.

        The logs of root sessions (those not started by an agent) match ``log_pattern`` in ``log_folders``, subfolders of the
        settings folder. ``find_log`` takes a log folder and the path of a file in it, with ``/``, and returns the path of the root
        session's log that the file belongs to, or an empty string; without it, each file with the suffix of a log is one.
        If ``log_folders`` is empty, the sessions are in a database. ``database_location`` consists of the
        environment variable that overrides the database's folder, the default folder relative to the home folder, and the
        path of the database in that folder. The environment variable ``database_env_var`` overrides this path.

        ``tools`` maps tool names to actions (``map_tools``). Tools not listed belong to an MCP server or return third-party
        content, and count as ``mcp``.
        """
        self.name = name
        self.title = title
        self.binary = binary
        self.settings_folder = settings_folder
        self.settings_folder_env_var = settings_folder_env_var
        self.settings_folder_suffix = settings_folder_suffix
        self.signs = signs
        self.untried = untried
        self.protocol = protocol
        self.hook_file = hook_file
        self.hook_form = hook_form or HookForm()
        self.hook_handler = hook_handler or {"type": "command"}
        self.events = events
        self.timeouts = timeouts or {}
        self.matchers = matchers or {}
        self.failure_event = next((event for event, moment in events.items() if moment == "failure"), "")
        self.starts_late = "late" in events.values()
        self.offers_at_prompt = "prompt" in events.values()
        self.trust_instructions = trust_instructions
        self.trust_file = trust_file
        self.off_switches = off_switches
        self.disabled_hooks_key_path = disabled_hooks_key_path
        self.project_settings_files = project_settings_files
        self.system_settings = system_settings
        self.enabled_plugins_key = enabled_plugins_key
        self.project_env_var = project_env_var
        self.searches_parent_folders = searches_parent_folders
        self.pid_env_var = pid_env_var
        self.process_name = process_name
        self.searches_ancestor_processes = protocol == "hooks" and not pid_env_var
        self.offer_event = offer_event
        self.offer_limit = offer_limit
        self.can_show_text_to_user = can_show_text_to_user
        self.headless_marker = headless_marker
        self.stores_start_reply = stores_start_reply
        self.must_resend_offer = must_resend_offer
        self.server_files = server_files
        self.server_key = server_key
        self.server_entry_format = server_entry_format
        self.has_server_file_in_home = has_server_file_in_home
        self.command_file = command_file
        self.skill_tool = skill_tool
        self.project_skill_folders = project_skill_folders
        self.home_skill_folders = home_skill_folders
        self.log_folders = log_folders
        self.log_pattern = log_pattern
        self.find_log = find_log
        self.database_location = database_location
        self.database_env_var = database_env_var
        self.tools = tools

    def get_database_path(self, environment: Mapping[str, str], user_home: str) -> str:
        """Return the path of the database of a host with a ``database_location``.

        ``user_home`` is the user's home folder. The path is absolute if ``user_home`` and the environment variables are.
        """
        import os

        folder_env_var, default_folder, file = self.database_location
        path = os.path.join(environment.get(folder_env_var) or os.path.join(user_home, default_folder), file)
        return os.path.join(os.path.dirname(path), environment.get(self.database_env_var) or path)


def map_tools(**names_by_action: str) -> dict[str, str]:
    """Return the action of each tool. Each argument is an action, with the names of its tools separated by spaces.

    The actions are read, search, edit, write, run, web, mcp, task, or ``other`` for tools that do none of these (asking,
    waiting, loading a skill, polling the output of an earlier call). Raises ValueError if a tool is listed twice.
    """
    pairs = [(name, action) for action, names in names_by_action.items() for name in names.split()]
    tools = dict(pairs)
    if len(tools) < len(pairs):
        raise ValueError("a tool is listed twice")
    return tools


def load_spec(name: str) -> HostSpec:
    """Import and return the spec of a host. Raises ValueError for an unknown name."""
    if name not in HOST_NAMES:
        raise ValueError(f"no such host: {name[:40]!r}; the hosts are {', '.join(HOST_NAMES)}")
    spec: HostSpec = __import__(f"mind_skills.hosts.{name.replace('-', '_')}", fromlist=["SPEC"]).SPEC
    return spec


def find_spec(name: str) -> HostSpec | None:
    """Return the spec of a host, or None if the host is unknown or mind-skills only reads its logs."""
    return load_spec(name) if name in HOST_NAMES else None


def load_all_specs() -> list[HostSpec]:
    """Return all specs, in the order of ``HOST_NAMES``."""
    return [load_spec(name) for name in HOST_NAMES]
