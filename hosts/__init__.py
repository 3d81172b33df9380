"""What is known of each host: one HostSpec a host, in a file of its own. Facts only; docs/hosts/ says where each was seen.

A new host is a file here with its ``SPEC``, and its name in ``NAMES``. Adapters, capture, install and doctor follow from that,
as long as the host takes hooks in a file of JSON, which all known ones but OpenCode do::

    {"hooks": {EVENT: [{"hooks": [{**hook_handler, "command": COMMAND, "timeout": TIMEOUT}]}]}}

``COMMAND`` is one string that a shell runs, ``... HOST MOMENT`` (plugin/command.py). It must be the same string after every
upgrade: Codex asks the user again when it changes. And our group stands behind those of others: Codex knows a hook by its
place in the list.

The hot path of every hook reads its host's spec, so nothing here imports anything at run time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, Protocol

    class _Module(Protocol):
        SPEC: HostSpec


NAMES = ("claude-code", "opencode", "codex", "gemini")
"""Every host, by the name that commands, hooks and the database use; its file here has ``_`` for ``-``."""


class OffSwitch:
    """A setting of a host that keeps all hooks from running: ``value`` at ``path``, and what the user does about it."""

    def __init__(self, path: tuple[str, ...], value: bool, remedy: str) -> None:
        """``path`` are the keys from the top of the document."""
        self.path = path
        self.value = value
        self.remedy = remedy


class HostSpec:
    """One host. A plain class, since the hot path affords neither dataclasses nor typing; immutable by custom."""

    def __init__(
        self,
        name: str,
        *,
        title: str,
        binary: str,
        folder: str,
        folder_variable: str,
        folder_below: str = "",
        protocol: Literal["hooks", "plugin"] = "hooks",
        hook_file: str,
        hook_handler: Mapping[str, str] | None = None,
        events: Mapping[str, str],
        timeouts: Mapping[str, int] | None = None,
        trust: str = "",
        trust_file: str = "",
        off_switches: tuple[OffSwitch, ...] = (),
        disabled_hooks: tuple[str, ...] = (),
        project_settings: tuple[str, ...] = (),
        enabled_plugins: str = "",
        project_variable: str = "",
        searches_project: bool = True,
        pid_variable: str = "",
        offer_event: str = "",
        offer_limit: int = 0,
        shows_user_lines: bool = False,
        headless: tuple[str, str] = ("", ""),
        keeps_context: bool = False,
        forgets_context: bool = False,
        server_files: tuple[str, ...],
        server_key: str,
        server_shape: Literal["split", "typed", "whole"],
        servers_at_home: bool = False,
        skill_tool: str = "",
        project_skills: tuple[str, ...],
        home_skills: tuple[str, ...],
        log_folder: str = "",
        log_pattern: tuple[str, ...] = (),
        database: tuple[str, str, str] = ("", "", ""),
        database_variable: str = "",
        tools: Mapping[str, str],
    ) -> None:
        """Name by name.

        ``title`` is the host's name for people, ``binary`` its command. ``folder`` below the home holds the user's settings;
        the environment variable ``folder_variable`` names another in its place, below which ``folder_below`` stands.

        ``protocol``: ``hooks`` in a file of JSON, or a ``plugin`` file of ours that the host loads; ``hook_file`` is that file
        in the folder, ``hook_handler`` what each handler has beside its command and its timeout. ``events`` maps the host's
        events to moments (start, prompt, idle, end, recover); with a ``prompt``, the offer goes with the first prompt and
        not with the start. ``timeouts`` are by event, in the host's own unit.

        ``trust`` says what the user has to do before the host runs the hooks, ``trust_file`` is the TOML in the folder in
        which the host notes it. ``off_switches`` are looked for there, else in ``hook_file``; ``disabled_hooks`` is the path of
        a list of names of hooks that do not run, ``project_settings`` are further files with those switches, below a project;
        ``enabled_plugins`` is the key of ``hook_file`` under which plugins stand that may bring our hooks as well.

        ``project_variable`` names the project's folder to a hook, else ``cwd`` of the payload does; with ``searches_project``
        the project is the nearest folder above that looks like one. ``pid_variable`` names the process that runs the
        session; without it, that process is looked for among the ancestors of the hook. ``offer_event`` is the event whose
        reply takes the offer, ``offer_limit`` its most characters, 0 for no limit. ``shows_user_lines``: a reply can say
        something to the user that the model is not sent. ``headless``: a variable of the hook's environment, and how its value
        begins where nobody is at the session; empty where the host does not say.

        ``keeps_context``: what a start says goes into the history at once, so
        that whoever asks again for the same session is another copy of the hook. ``forgets_context``: the session keeps
        nothing of it, so each request has to carry it again, also after the session was resumed.

        MCP servers stand under ``server_key`` in the first of ``server_files`` that is there, else the last, with
        ``servers_at_home`` in the home itself unless ``folder_variable`` is set. ``server_shape``: ``split`` is a command and
        its arguments, ``typed`` the same with a type, ``whole`` the command line as one list. A file ``.toml`` has a table for
        each server.

        ``skill_tool`` loads a skill by its name, empty where the model reads the file with a shell command. Skills stand in
        ``FOLDER/NAME/SKILL.md`` below the project and below the home.

        Logs of root sessions match ``log_pattern`` in ``log_folder`` of the folder. Or they are in a ``database``: the variable
        that names another folder, that folder in the home, the file in it; ``database_variable`` names another file.

        ``tools`` maps what the host calls a tool to what it does: read, search, edit, write, run, web, mcp, task; ``other``
        acts upon nothing: it asks, waits, loads a skill, or looks at what an earlier call goes on printing. Any tool that is
        not named is one of an MCP server, or brings what others wrote, and counts as ``mcp``.
        """
        self.name = name
        self.title = title
        self.binary = binary
        self.folder = folder
        self.folder_variable = folder_variable
        self.folder_below = folder_below
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
        self.shows_user_lines = shows_user_lines
        self.headless = headless
        self.keeps_context = keeps_context
        self.forgets_context = forgets_context
        self.server_files = server_files
        self.server_key = server_key
        self.server_shape = server_shape
        self.servers_at_home = servers_at_home
        self.skill_tool = skill_tool
        self.project_skills = project_skills
        self.home_skills = home_skills
        self.log_folder = log_folder
        self.log_pattern = log_pattern
        self.database = database
        self.database_variable = database_variable
        self.tools = tools

    def database_path(self, environment: Mapping[str, str], home: str) -> str:
        """Where the host's database of sessions is, absolute if ``home`` is; only for a host that has one."""
        import os

        variable, usual, file = self.database
        path = os.path.join(environment.get(variable) or os.path.join(home, usual), file)
        return os.path.join(os.path.dirname(path), environment.get(self.database_variable) or path)


def spec(name: str) -> HostSpec:
    """The spec of a host, imported when it is asked for. Raises ValueError where there is no such host."""
    if name not in NAMES:
        raise ValueError(f"no such host: {name[:40]!r}; one of {', '.join(NAMES)}")
    module: _Module = __import__(f"mind_skills.hosts.{name.replace('-', '_')}", fromlist=["SPEC"])
    return module.SPEC


def find_spec(name: str) -> HostSpec | None:
    """The spec of a host; None for one of which only logs are known, or nothing."""
    return spec(name) if name in NAMES else None


def all_specs() -> list[HostSpec]:
    """Every spec, in the order of ``NAMES``."""
    return [spec(name) for name in NAMES]
