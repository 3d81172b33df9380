"""The segment in Claude Code's status line: our command alone, or after the user's own command on the same line.

Only ``statusLine`` in the settings changes; if the user has one, only its ``command``. The new command contains the
user's command verbatim, which runs first, receives the same input, and works even if mind-skills is removed without
being uninstalled. If no candidate is waiting, the status line is exactly what the user's command prints.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from mind_skills.plugin import command
from mind_skills.setup.install import json_edit
from mind_skills.setup.install.json_edit import MergeResult, Node, ShapeError, parse
from mind_skills.setup.install.targets import DocumentTarget, find_folder

STATUS_LINE_HOST = "claude-code"
SETTING_KEY = "statusLine"
SCRIPT_NAME = "segment.py"
_OPENING = "input=$(cat); theirs=$(printf '%s' \"$input\" | {\n"
_MIDDLE = "\n}); ours=$(printf '%s' \"$input\" | "
_ENDING = '); printf \'%s%s\' "$theirs" "${theirs:+${ours:+ | }}$ours"'
_OURS = re.compile(r"""[\\/]plugin[\\/]segment\.py["']""")
_JOINED = re.compile(f"{re.escape(_OPENING)}(.*){re.escape(_MIDDLE)}.*{re.escape(_ENDING)}", re.DOTALL)


class StatusLineTarget(DocumentTarget):
    """Claude Code's settings file, which also contains our hooks, as the target of the status line."""

    key_suffix = "#statusline"

    def __init__(self, path: str = "") -> None:
        """Raises MindSkillsError if there is no home folder."""
        super().__init__(STATUS_LINE_HOST, path or os.path.join(find_folder(STATUS_LINE_HOST), "settings.json"))

    def insert(self, text: str) -> MergeResult:
        """See DocumentTarget. Raises ShapeError if the settings have a status line without a command.

        If they have one with a command, the pieces are the new and the old command: ``cut_out`` puts the old one back.
        """
        node = _find_command(text)
        if node is None:
            return json_edit.merge(text, {SETTING_KEY: {"type": "command", "command": _make_command()}})
        replaced, joined = text[node.start : node.end], _format_string(_join_commands(str(node.value)))
        changed_text = text[: node.start] + joined + text[node.end :]
        return MergeResult(changed_text, (joined, replaced), (f"{SETTING_KEY}.command",))

    def cut_out(self, text: str, pieces: tuple[str, ...], created_paths: tuple[str, ...] | None) -> str:
        node = _find_command(text)
        if node is None or not _OURS.search(node.value):
            return text
        theirs = _JOINED.fullmatch(node.value)
        if theirs is None:
            return json_edit.prune(text, lambda path, _: path == (SETTING_KEY,), pieces, created_paths)
        is_unchanged = pieces[:1] == (text[node.start : node.end],)
        return text[: node.start] + (pieces[1] if is_unchanged else _format_string(theirs[1])) + text[node.end :]

    def describe_entries(self, content: bytes | None) -> list[str]:
        """See Target. Content without the name of our script is not parsed, because it may be invalid."""
        if content is None or SCRIPT_NAME.encode() not in content:
            return []
        return ["the status line's segment"] if _OURS.search(self.read_command(content)) else []

    def is_current(self, content: bytes | None) -> bool:
        text = self.read_command(content)
        theirs = _JOINED.fullmatch(text)
        return text == (_join_commands(theirs[1]) if theirs else _make_command())

    def read_command(self, content: bytes | None) -> str:
        """Return the whole command of the status line; empty if there is none or it is not a string."""
        node = self.convert_errors(lambda: _find_command((content or b"").decode(), strict=False))
        return "" if node is None else str(node.value)

    def parse_segment(self, content: bytes | None) -> tuple[str, str]:
        """Return the interpreter and the script of our command; two empty strings if our command is missing."""
        text = self.read_command(content)
        return (
            command.parse_command(text.rpartition(_MIDDLE)[2].removesuffix(_ENDING)) if _OURS.search(text) else ("", "")
        )


def _find_command(text: str, *, strict: bool = True) -> Node | None:
    """Return the node of the status line's command, or None if the settings have no status line.

    If the status line has no command, returns None, or with ``strict`` raises ShapeError. Raises JsoncError.
    """
    root = parse(text)
    line = root.get_member(SETTING_KEY) if root is not None and isinstance(root.value, dict) else None
    if line is None:
        return None
    node = line.get_member("command") if isinstance(line.value, dict) else None
    if node is not None and isinstance(node.value, str):
        return node
    if strict:
        raise ShapeError(f"{SETTING_KEY} has no command")
    return None


def _make_command() -> str:
    """Return our command. Raises MindSkillsError if no interpreter is usable or this environment is temporary."""
    script = os.path.join(os.path.dirname(command.find_entry_script()), SCRIPT_NAME)
    words = [command.find_interpreter(), "-I", "-S", script, *command.list_location_arguments()]
    quoted = [word if word.startswith("-") else command.quote_word(word) for word in words]
    return f"{' '.join(quoted)} 2>/dev/null"


def _join_commands(theirs: str) -> str:
    return f"{_OPENING}{theirs}{_MIDDLE}{_make_command()}{_ENDING}"


def _format_string(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
