"""The plugin file that OpenCode loads, and what it leaves in the state folder."""

from __future__ import annotations

import json
from pathlib import Path

SOURCE = Path(__file__).with_name("mind-skills.js")


def plugin_file(python: str, entry: str, state: str = "", settings: str = "") -> str:
    """The text of the plugin file as it is installed.

    ``python`` is the absolute path of an interpreter (never a version manager's shim, which costs ten times a plain
    start), ``entry`` that of plugin/entry.py, ``state`` and ``settings`` those of the state folder and the user's settings,
    empty where the environment is to say. Raises OSError where the file did not come with this installation.
    """
    text = SOURCE.read_text(encoding="utf-8")
    for name, value in (("PYTHON", python), ("ENTRY", entry), ("STATE", state), ("SETTINGS", settings)):
        before = f'const {name} = "";'
        assert text.count(before) == 1, before
        text = text.replace(before, f"const {name} = {json.dumps(value)};")
    return text
