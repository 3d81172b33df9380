"""Host specifications: one ``HostSpec`` per host, each in its own module. docs/hosts/ lists the source of each fact.

To add a host, add a module with a ``SPEC`` and list its name in ``HOST_NAMES``. The adapters, capture, installer and
doctor then support the host, provided that it reads hooks from a JSON file, as all current hosts except OpenCode do::

    {"hooks": {EVENT: [{"hooks": [{**hook_handler, "command": COMMAND, "timeout": TIMEOUT}]}]}}

``COMMAND`` is a single shell command line, ``... HOST MOMENT`` (plugin/command.py). An upgrade must not change it:
Codex would ask the user for approval again. Our group goes after all other groups, because Codex identifies a hook
by its position in the list.

Every hook loads its host's spec on the hot path, so importing this module imports nothing else.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal


HOST_NAMES = ("claude-code", "opencode", "codex", "gemini")
"""Host names as used by commands, hooks and the database. Names of modules have ``_`` instead of ``-``."""


class HookOffSwitch:
    """A host setting that disables all hooks if it has this ``value``; ``remedy`` tells the user how to enable them."""

    def __init__(self, path: tuple[str, ...], value: bool, remedy: str) -> None:
        """``path`` lists the keys that lead to the setting, starting at the root of the document."""
        self.path = path
        self.value = value
        self.remedy = remedy


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
        folder: str,
        folder_variable: str,
        folder_suffix: str = "",
        protocol: Literal["hooks", "plugin"] = "hooks",
        hook_file: str,
        hook_handler: Mapping[str, str] | None = None,
        events: Mapping[str, str],
        timeouts: Mapping[str, int] | None = None,
        trust: str = "",
        trust_file: str = "",
        off_switches: tuple[HookOffSwitch, ...] = (),
        disabled_hooks: tuple[str, ...] = (),
        project_settings: tuple[str, ...] = (),
        enabled_plugins: str = "",
        project_variable: str = "",
        searches_project: bool = True,
        pid_variable: str = "",
        offer_event: str = "",
        offer_limit: int = 0,
        can_show_user_text: bool = False,
        headless_marker: tuple[str, str] = ("", ""),
        keeps_context: bool = False,
        forgets_context: bool = False,
        server_files: tuple[str, ...],
        server_key: str,
        server_shape: Literal["split", "typed", "whole"],
        servers_at_home: bool = False,
        command_file: str = "",
        skill_tool: str = "",
        project_skills: tuple[str, ...],
        home_skills: tuple[str, ...],
        log_folder: str = "",
        log_pattern: tuple[str, ...] = (),
        database: tuple[str, str, str] = ("", "", ""),
        database_variable: str = "",
        tools: Mapping[str, str],
    ) -> None:
        """Store the specification.

        ``title`` is the display name and ``binary`` the host's command. ``folder`` is the user's settings folder, relative
        to the home folder. If the environment variable ``folder_variable`` is set, the settings folder is its value joined
        with ``folder_suffix``.

        ``protocol`` is ``hooks`` for a JSON file of hooks, or ``plugin`` for a plugin file that the host loads.
        ``hook_file`` is the path of that file in the settings folder; ``hook_handler`` holds the members of each handler
        other than command and timeout. ``events`` maps the host's events to moments (start, prompt, idle, end, recover).
        If there is a ``prompt`` moment, the offer is sent with the first prompt instead of at the start. ``timeouts`` are
        by event, in the host's own unit.

        ``trust`` tells the user how to approve the hooks; ``trust_file`` is the TOML file in the settings folder that
        records the approval. ``off_switches`` are read from ``trust_file`` if set, else from ``hook_file``.
        ``disabled_hooks`` is the key path of a list of disabled hook names. ``project_settings`` are further files that may
        contain off switches, relative to the project. ``enabled_plugins`` is the key in ``hook_file`` that lists plugins,
        which may also install our hooks.

        ``project_variable`` is the environment variable that holds the project folder in a hook; without it, the payload's
        ``cwd`` is used. With ``searches_project``, the project is the nearest folder upwards that has ``.git`` or
        ``.claude``. ``pid_variable`` holds the id of the session's process; without it, the hook's ancestors are
        searched, except for a plugin, whose payload has the id. ``offer_event`` is the event whose reply carries the
        offer, and ``offer_limit`` the offer's maximum length in characters (0: unlimited). ``can_show_user_text``: a
        reply can show the user text that the model does not see. ``headless_marker`` is an environment variable and the
        prefix of its value in unattended sessions; both are empty if the host sets none.

        ``keeps_context``: the reply to a start event is added to the history at once, so a process asks only once per
        session, and a second request comes from another copy of the hook. ``forgets_context``: the session does not store
        the offer, so each request to the model must carry it again, also after a resume.

        MCP servers are listed under ``server_key`` in the first existing file of ``server_files``, or in the last one if
        none exists. With ``servers_at_home`` that file is in the home folder itself, unless ``folder_variable`` is set.
        ``server_shape``: ``split`` has a command and its arguments, ``typed`` adds a type, ``whole`` has the command line
        as one list. A ``.toml`` file has one table per server.

        ``command_file`` is the file of a slash command in the settings folder, with ``{}`` for the command's name; empty if
        users cannot add commands. ``skill_tool`` is the tool that loads a skill by name; empty if the model reads the file
        with a shell command. ``project_skills`` and ``home_skills`` are the folders, relative to the project and the home
        folder, that contain ``NAME/SKILL.md``.

        Root sessions' logs match ``log_pattern`` in ``log_folder`` of the settings folder. If ``log_folder`` is empty,
        they are in a ``database``: an environment variable that overrides its folder, the default folder relative to
        the home folder, and the path in either; the environment variable ``database_variable`` overrides the path.

        ``tools`` maps tool names to actions (``map_tools``). Tools not listed belong to an MCP server or return third-party
        content, and count as ``mcp``.
        """
        self.name = name
        self.title = title
        self.binary = binary
        self.folder = folder
        self.folder_variable = folder_variable
        self.folder_suffix = folder_suffix
        self.protocol = protocol
        self.hook_file = hook_file
        self.hook_handler = hook_handler or {"type": "command"}
        self.events = events
        self.timeouts = timeouts or {}
        self.offers_at_prompt = "prompt" in events.values()
        self.trust = trust
        self.trust_file = trust_file
        self.off_switches = off_switches
        self.disabled_hooks = disabled_hooks
        self.project_settings = project_settings
        self.enabled_plugins = enabled_plugins
        self.project_variable = project_variable
        self.searches_project = searches_project
        self.pid_variable = pid_variable
        self.finds_process = protocol == "hooks" and not pid_variable
        self.offer_event = offer_event
        self.offer_limit = offer_limit
        self.can_show_user_text = can_show_user_text
        self.headless_marker = headless_marker
        self.keeps_context = keeps_context
        self.forgets_context = forgets_context
        self.server_files = server_files
        self.server_key = server_key
        self.server_shape = server_shape
        self.servers_at_home = servers_at_home
        self.command_file = command_file
        self.skill_tool = skill_tool
        self.project_skills = project_skills
        self.home_skills = home_skills
        self.log_folder = log_folder
        self.log_pattern = log_pattern
        self.database = database
        self.database_variable = database_variable
        self.tools = tools

    def get_database_path(self, environment: Mapping[str, str], home: str) -> str:
        """Return the path of the database; only for hosts with a ``database``. Absolute if ``home`` and the variables are."""
        import os

        folder_variable, default_folder, file = self.database
        path = os.path.join(environment.get(folder_variable) or os.path.join(home, default_folder), file)
        return os.path.join(os.path.dirname(path), environment.get(self.database_variable) or path)


def map_tools(**names_by_action: str) -> dict[str, str]:
    """Return the action of each tool, from the names of the tools of each action, separated by spaces.

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
