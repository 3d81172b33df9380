"""The plugin file for OpenCode, and the spool that it writes in the state folder."""

from __future__ import annotations

import json
from pathlib import Path

SOURCE_PATH = Path(__file__).with_name("mind-skills.js")


def render_plugin_file(python: str, entry: str, state: str = "", settings: str = "") -> str:
    """Return the text of the plugin file to install.

    ``python`` is the absolute path of an interpreter (not a version manager's shim, which takes ten times as long to
    start), ``entry`` that of plugin/entry.py; ``state`` and ``settings`` locate the state folder and the user's
    settings, or are empty to use the environment. Raises OSError if the source file is missing from this installation.
    """
    text = SOURCE_PATH.read_text(encoding="utf-8")
    for name, value in (("PYTHON", python), ("ENTRY", entry), ("STATE", state), ("SETTINGS", settings)):
        placeholder = f'const {name} = "";'
        assert text.count(placeholder) == 1, placeholder
        text = text.replace(placeholder, f"const {name} = {json.dumps(value)};")
    return text
