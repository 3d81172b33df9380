"""The plugin file for OpenCode, and the spool that it writes in the state folder."""

from __future__ import annotations

import json
from pathlib import Path

SOURCE_PATH = Path(__file__).with_name("mind-skills.js")


def render_plugin_file(python: str, entry: str, state: str = "", settings: str = "") -> str:
    """Return the text of the plugin file to install.

    ``python`` and ``entry`` are the absolute paths of an interpreter (not a version manager's shim, which takes ten
    times as long to start) and of plugin/entry.py. ``state`` and ``settings`` are the paths of the state folder and the
    user's settings file; if empty, the hooks take them from the environment. Raises OSError if mind-skills.js cannot be
    read.
    """
    text = SOURCE_PATH.read_text(encoding="utf-8")
    for name, value in (("PYTHON", python), ("ENTRY", entry), ("STATE", state), ("SETTINGS", settings)):
        placeholder = f'const {name} = "";'
        assert text.count(placeholder) == 1, placeholder
        text = text.replace(placeholder, f"const {name} = {json.dumps(value)};")
    return text
