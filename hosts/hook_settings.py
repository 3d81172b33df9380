"""Which hooks each host is to start, and in which of its files they stand. Facts only; docs/hosts/ says where each was seen.

All three files have the same shape::

    {"hooks": {EVENT: [{"hooks": [{**handler, "command": COMMAND, "timeout": TIMEOUT}]}]}}

``COMMAND`` is one string that a shell runs, ``... HOST MOMENT`` (plugin/command.py). It must be the same string
after every upgrade: Codex asks the user again when it changes. And our group stands behind those of others: Codex knows
a hook by its place in the list.
"""

from __future__ import annotations

from typing import NamedTuple


class HookEvent(NamedTuple):
    """One event of a host: its own ``name``, our name of the ``moment``, and ``timeout`` in the host's own unit."""

    name: str
    moment: str
    timeout: int


class HookFile(NamedTuple):
    """Where a host reads the user's hooks from: ``folder`` in the home, unless ``variable`` names another folder."""

    folder: str
    variable: str
    """Environment variable whose value replaces ``folder`` as a whole; see ``below`` for the host where it does not."""
    below: str
    """Folder below the value of ``variable``: ``.gemini`` for Gemini CLI, whose variable names another home."""
    name: str
    comments: bool
    """Whether the host reads // and /* */ comments in it, which an editor of the file has to keep."""
    shared: bool
    """Whether the file holds other settings as well; hooks of others may stand in it either way."""
    handler: dict[str, str]
    """What each handler has beside ``command`` and ``timeout``."""
    events: tuple[HookEvent, ...]
    trust: str
    """What the user has to do before the host runs the hooks; empty where nothing is needed."""


CLAUDE_CODE = HookFile(
    folder=".claude",
    variable="CLAUDE_CONFIG_DIR",
    below="",
    name="settings.json",
    comments=False,
    shared=True,
    handler={"type": "command"},
    events=(
        HookEvent("SessionStart", "start", 10),
        HookEvent("Stop", "idle", 10),
        HookEvent("SessionEnd", "end", 10),
    ),
    trust="",
)
"""Timeouts in seconds. In this file, unlike in a plugin's, the one of SessionEnd holds."""

CODEX = HookFile(
    folder=".codex",
    variable="CODEX_HOME",
    below="",
    name="hooks.json",
    comments=False,
    shared=False,
    handler={"type": "command"},
    events=(
        HookEvent("SessionStart", "start", 10),
        HookEvent("Stop", "idle", 10),
        HookEvent("SessionEnd", "end", 3),
    ),
    trust="Start codex: it asks about new hooks. Choose to trust them, or do it later in /hooks; until then it skips them.",
)
"""Timeouts in seconds. More than 3 for SessionEnd is cut to 3 with a warning at every start."""

CODEX_SETTINGS = "config.toml"
"""Beside its file of hooks. Codex writes into it which hooks its user trusts."""

GEMINI = HookFile(
    folder=".gemini",
    variable="GEMINI_CLI_HOME",
    below=".gemini",
    name="settings.json",
    comments=True,
    shared=True,
    handler={"type": "command", "name": "mind-skills"},
    events=(
        HookEvent("SessionStart", "start", 10_000),
        HookEvent("BeforeAgent", "prompt", 10_000),
        HookEvent("AfterAgent", "idle", 10_000),
        HookEvent("SessionEnd", "end", 10_000),
    ),
    trust="",
)
"""Timeouts in milliseconds. Hooks of the user's own settings run without a question; those of a project would ask."""


class PluginFile(NamedTuple):
    """Where a host loads plugins from: ``folder`` in the home, with ``below`` under ``variable`` where that is set."""

    folder: str
    variable: str
    below: str
    subfolder: str
    name: str


OPENCODE = PluginFile(
    folder=".config/opencode",
    variable="XDG_CONFIG_HOME",
    below="opencode",
    subfolder="plugin",
    name="mind-skills.js",
)
"""It has no file of hooks. Every .js file of ``plugin`` and ``plugins`` in its folder for settings is loaded."""

OPENCODE_DATA = ("XDG_DATA_HOME", ".local/share", "opencode/opencode.db")
"""Its database of sessions: the variable that names another folder, that folder in the home, and the file in it."""
OPENCODE_DATABASE = "OPENCODE_DB"
"""Variable that names another database, in that folder unless it is absolute."""

BINARIES = {"claude-code": "claude", "opencode": "opencode", "codex": "codex", "gemini": "gemini"}
"""What each host's own command is called."""

HOOK_FILES: dict[str, HookFile] = {"claude-code": CLAUDE_CODE, "codex": CODEX, "gemini": GEMINI}
"""By host. OpenCode has no such file: it loads a plugin."""
