"""The segment in Claude Code's status line: our command alone, or after the user's own command on the same line.

Only ``statusLine.command`` in the settings changes. The user's command is in it verbatim, runs first, with the same
input, and works even if mind-skills is removed without an uninstallation. If no candidate is waiting, the status line is
exactly what the user's command prints.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from mind_skills.plugin import command
from mind_skills.setup.install import json_edit
from mind_skills.setup.install.json_edit import ShapeError
from mind_skills.setup.install.jsonc import Node, parse
from mind_skills.setup.install.targets import Change, DocumentTarget, find_folder

HOST = "claude-code"
KEY = "statusLine"
JOURNAL_SUFFIX = "#statusline"
"""Suffix of the key in the journal: the same file also contains our hooks."""
SCRIPT = "segment.py"
_OPENING = "input=$(cat); theirs=$(printf '%s' \"$input\" | {\n"
_MIDDLE = "\n}); ours=$(printf '%s' \"$input\" | "
_ENDING = '); printf \'%s%s\' "$theirs" "${theirs:+${ours:+ | }}$ours"'
_OURS = re.compile(r"""[\\/]plugin[\\/]segment\.py["']""")
_JOINED = re.compile(f"{re.escape(_OPENING)}(.*){re.escape(_MIDDLE)}.*{re.escape(_ENDING)}", re.DOTALL)


class StatusLineTarget(DocumentTarget):
    """Claude Code's settings file as the target of the status line."""

    def __init__(self, path: str = "") -> None:
        """Raises MindSkillsError if there is no home folder."""
        path = path or os.path.join(find_folder(HOST), "settings.json")
        super().__init__(HOST, path, f"{path}{JOURNAL_SUFFIX}")

    def add(self, before: bytes | None) -> Change:
        """See Target. Raises MindSkillsError if the settings have a status line without a command."""
        text = (before or b"").decode()
        node = self.attempt(lambda: _find_command(text))
        if node is None:
            entry = {"type": "command", "command": _make_command()}
            merged = self.attempt(lambda: json_edit.merge(text, {KEY: entry}))
            return Change(merged.text.encode(), merged.pieces, merged.created_paths)
        replaced, joined = text[node.start : node.end], _write_string(_join(str(node.value)))
        return Change(
            (text[: node.start] + joined + text[node.end :]).encode(), (joined, replaced), (f"{KEY}.command",)
        )

    def cut_out(self, text: str, pieces: tuple[str, ...], created_paths: tuple[str, ...] | None) -> str:
        node = _find_command(text)
        if node is None or not _OURS.search(node.value):
            return text
        theirs = _JOINED.fullmatch(node.value)
        if theirs is None:
            return json_edit.prune(text, lambda path, _: path == (KEY,), pieces, created_paths)
        is_unchanged = pieces[:1] == (text[node.start : node.end],)
        return text[: node.start] + (pieces[1] if is_unchanged else _write_string(theirs[1])) + text[node.end :]

    def describe_entries(self, now: bytes | None) -> list[str]:
        """See Target. Content without the name of our script is not parsed, because it may be invalid."""
        if now is None or SCRIPT.encode() not in now:
            return []
        return ["the status line's segment"] if _OURS.search(self.read_command(now)) else []

    def is_current(self, now: bytes | None) -> bool:
        text = self.read_command(now)
        theirs = _JOINED.fullmatch(text)
        return text == (_join(theirs[1]) if theirs else _make_command())

    def read_command(self, now: bytes | None) -> str:
        """Return the whole command of the status line; empty if there is none or it is not a string."""
        node = self.attempt(lambda: _find_command((now or b"").decode(), strict=False))
        return "" if node is None else str(node.value)

    def parse_segment(self, now: bytes | None) -> tuple[str, str]:
        """Return the interpreter and the script of our command; two empty strings if our command is missing."""
        text = self.read_command(now)
        return (
            command.parse_command(text.rpartition(_MIDDLE)[2].removesuffix(_ENDING)) if _OURS.search(text) else ("", "")
        )


def _find_command(text: str, *, strict: bool = True) -> Node | None:
    """Return the command of the status line, or None if there is no status line.

    Raises JsoncError, and with ``strict`` ShapeError if the status line has no command.
    """
    root = parse(text)
    line = root.member(KEY) if root is not None and isinstance(root.value, dict) else None
    if line is None:
        return None
    node = line.member("command") if isinstance(line.value, dict) else None
    if node is not None and isinstance(node.value, str):
        return node
    if strict:
        raise ShapeError(f"{KEY} has no command")
    return None


def _make_command() -> str:
    """Return our command. Raises MindSkillsError if there is no usable interpreter."""
    command.find_entry_script()  # raises if this environment is temporary
    script = os.path.join(os.path.dirname(command.find_entry_script()), SCRIPT)
    words = [command.find_interpreter(), "-I", "-S", script, *command.list_locations()]
    quoted = [word if word.startswith("-") else command.quote_word(word) for word in words]
    return f"{' '.join(quoted)} 2>/dev/null"


def _join(theirs: str) -> str:
    return f"{_OPENING}{theirs}{_MIDDLE}{_make_command()}{_ENDING}"


def _write_string(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
