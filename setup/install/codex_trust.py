"""Codex's trust entries for our hooks. They are stored in Codex's own settings, and survive an uninstall.

There is one table per hook, ``[hooks.state."<path of hooks.json>:session_start:<group>:<handler>"]`` (observed with
Codex 0.169.0; the path is as Codex spells it). Only ``uninstall --purge`` removes entries: the ones at the positions of our
hooks or, if our hooks are already gone, the ones for our events at positions without a hook.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mind_skills.errors import MindSkillsError
from mind_skills.hosts.codex import SPEC
from mind_skills.setup.install import files, json_edit, targets, toml_edit
from mind_skills.setup.install.json_edit import as_list, as_object
from mind_skills.setup.install.targets import FileReport, report_change


def list_stored_keys(hooks_path: str) -> list[str]:
    """List the keys of Codex's trust entries for our hooks in the file ``hooks_path``, which is next to Codex's settings.

    Call this before the hooks are removed. Raises MindSkillsError, StoreError if a file cannot be read.
    """
    keys = _list_state_keys(_decode(files.read_file(find_settings(hooks_path)).content))
    if not keys:
        return []
    try:
        handlers = list(_list_handlers(files.read_file(hooks_path).content))
    except ValueError:
        handlers = []
    positions = {each.position for each in handlers if targets.is_our_handler(each.handler)}
    if not positions:
        names = "|".join(map(_to_snake_case, SPEC.events))
        found = (re.search(rf":((?:{names}):\d+:\d+)\Z", key) for key in keys)
        positions = {match[1] for match in found if match} - {each.position for each in handlers}
    paths = dict.fromkeys([os.path.abspath(hooks_path), os.path.realpath(hooks_path)])
    return [key for key in keys for path in paths if key in {f"{path}:{position}" for position in positions}]


class _Handler(NamedTuple):
    """A handler of ``event`` in a hooks file; ``position`` is how Codex writes it: ``event:group:handler``."""

    event: str
    position: str
    group: dict[str, Any]
    handler: dict[str, Any]


def _list_handlers(content: bytes | None) -> Iterator[_Handler]:
    """Yield all handlers in the content of a hooks file. Raises ValueError."""
    for event, groups in as_object(as_object(json_edit.parse_value(content)).get(targets.HOOKS_KEY)).items():
        for number, group in enumerate(map(as_object, as_list(groups))):
            for index, handler in enumerate(map(as_object, as_list(group.get(targets.HOOKS_KEY)))):
                yield _Handler(event, f"{_to_snake_case(event)}:{number}:{index}", group, handler)


def remove_entries(hooks_path: str, keys: list[str], *, dry_run: bool) -> FileReport | None:
    """Remove the entries with these keys from Codex's settings and preserve all others; None if there are none.

    Raises MindSkillsError if the settings are read-only, change meanwhile, or are not formatted as Codex writes them.
    """
    path = find_settings(hooks_path)
    file = files.read_file(path)
    text = _decode(file.content)
    removed_keys = [key for key in keys if key in _list_state_keys(text)]
    if not removed_keys:
        return None
    shorter = remove_tables(text, removed_keys)
    if shorter is None:
        message = f"{path}: the trust entries are not formatted as Codex writes them and were not changed"
        raise MindSkillsError(
            "settings_shape", message, "Remove the [hooks.state] tables for the hooks of mind-skills by hand."
        )
    files.require_writable(file)
    if not dry_run:
        files.write(file, shorter.encode())
    return report_change(path, text.encode(), shorter.encode())


def compute_hashes(hooks_path: str, content: bytes | None) -> dict[str, str]:
    """Return the hash of each of our hooks, by the key under which Codex stores it once the user trusts the hook.

    ``content`` is the content of ``hooks_path``. Compared with what `hooks/list` of Codex 0.169.0 returns.
    """
    return {
        f"{os.path.abspath(hooks_path)}:{each.position}": _compute_hash(each)
        for each in sorted(_list_handlers(content), key=lambda each: each.position)
        if targets.is_our_handler(each.handler)
    }


def _compute_hash(each: _Handler) -> str:
    """Return the hash of what Codex compares of a handler. Timeouts are in seconds."""
    timeout = each.handler.get("timeout")
    timeout = max(1, timeout) if isinstance(timeout, int) else 600
    compared = {
        "type": "command",
        "command": each.handler.get("command"),
        "timeout": min(timeout, SPEC.timeouts[each.event]) if each.event == "SessionEnd" else timeout,
        "async": each.handler.get("async", False),
        "statusMessage": each.handler.get("statusMessage"),
    }
    matcher = None if each.event == "Stop" else each.group.get("matcher")
    identity = {
        "event_name": _to_snake_case(each.event),
        "hooks": [{name: value for name, value in compared.items() if value is not None}],
        **({} if matcher is None else {"matcher": matcher}),
    }
    text = json.dumps(identity, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def find_settings(hooks_path: str) -> str:
    """Return the path of Codex's settings, in the same folder as the hooks file."""
    return os.path.join(os.path.dirname(hooks_path), SPEC.trust_file)


def remove_tables(text: str, keys: list[str]) -> str | None:
    """Return ``text`` without the tables of these keys, and without ``[hooks.state]`` if it becomes empty.

    Returns None if the tables are not formatted as Codex writes them.
    """
    expected = toml_edit.parse(text)
    state = expected["hooks"]["state"]
    for key in keys:
        if not all(isinstance(value, str | bool) for value in as_object(state.pop(key)).values()):
            return None
    paths = {("hooks", "state", key) for key in keys}
    shorter = toml_edit.drop_tables(text, paths.__contains__)
    if not state:
        del expected["hooks"]["state"]
        shorter = toml_edit.drop_tables(shorter, lambda path: path == ("hooks", "state"))
    if not expected["hooks"]:
        del expected["hooks"]
    return shorter if toml_edit.parses_to(shorter, expected) else None


def _list_state_keys(text: str) -> list[str]:
    """List the keys of all trust entries; empty if the file cannot be parsed, which Codex itself reports."""
    try:
        return list(as_object(as_object(toml_edit.parse(text).get("hooks")).get("state")))
    except ValueError:
        return []


def _decode(content: bytes | None) -> str:
    return (content or b"").decode("utf-8", "replace")


def _to_snake_case(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
