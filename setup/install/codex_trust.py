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
from typing import Any, cast

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
    ours, occupied = _find_positions(files.read_file(hooks_path).content)
    positions = ours or {position for position in _list_event_positions(keys) if position not in occupied}
    paths = dict.fromkeys([os.path.abspath(hooks_path), os.path.realpath(hooks_path)])
    return [key for key in keys for path in paths if key in {f"{path}:{position}" for position in positions}]


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
    hashes: dict[str, str] = {}
    for event, groups in as_object(as_object(json_edit.parse_value(content)).get(targets.HOOKS_KEY)).items():
        name = _to_snake_case(event)
        for group_index, group in enumerate(map(as_object, as_list(groups))):
            matcher = {} if event == "Stop" else {"matcher": group.get("matcher")}
            for index, handler in enumerate(map(as_object, as_list(group.get(targets.HOOKS_KEY)))):
                if targets.is_our_handler(handler):
                    key = f"{os.path.abspath(hooks_path)}:{name}:{group_index}:{index}"
                    hashes[key] = _compute_hash({"event_name": name, **matcher, "hooks": [_normalise(handler, event)]})
    return dict(sorted(hashes.items()))


def _normalise(handler: dict[str, Any], event: str) -> dict[str, object]:
    """Return what Codex hashes of a handler. Timeouts are in seconds."""
    timeout = handler.get("timeout")
    timeout = max(1, timeout) if isinstance(timeout, int) else 600
    return {
        "type": "command",
        "command": handler.get("command"),
        "timeout": min(timeout, SPEC.timeouts[event]) if event == "SessionEnd" else timeout,
        "async": handler.get("async", False),
        "statusMessage": handler.get("statusMessage"),
    }


def _compute_hash(identity: dict[str, Any]) -> str:
    (handler,) = identity["hooks"]
    handler = {name: value for name, value in handler.items() if value is not None}
    identity = {name: value for name, value in identity.items() if value is not None} | {"hooks": [handler]}
    text = json.dumps(identity, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def find_settings(hooks_path: str) -> str:
    """Return the path of Codex's settings, in the same folder as the hooks file."""
    return os.path.join(os.path.dirname(hooks_path), SPEC.trust_file)


def remove_tables(text: str, keys: list[str]) -> str | None:
    """Return ``text`` without the tables of these keys, and without ``[hooks.state]`` if it becomes empty.

    Returns None if the tables are not formatted as Codex writes them.
    """
    data = toml_edit.parse(text)
    entries: list[Any] = [data["hooks"]["state"][key] for key in keys]
    if not all(
        isinstance(entry, dict)
        and all(isinstance(value, str | bool) for value in cast("dict[str, Any]", entry).values())
        for entry in entries
    ):
        return None
    expected = _compute_remaining(data, keys)
    shorter = toml_edit.drop_tables(
        text, lambda path: path[:2] == ("hooks", "state") and path[2:] in {(key,) for key in keys}
    )
    if "state" not in expected.get("hooks", {}):
        shorter = toml_edit.drop_tables(shorter, lambda path: path == ("hooks", "state"))
    return shorter if toml_edit.parses_to(shorter, expected) else None


def _compute_remaining(data: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """Return the settings without these keys, and without ``hooks.state`` and ``hooks`` if they become empty."""
    hooks = dict(data["hooks"])
    hooks["state"] = {key: value for key, value in hooks["state"].items() if key not in keys}
    if not hooks["state"]:
        del hooks["state"]
    rest = {name: value for name, value in data.items() if name != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def _list_state_keys(text: str) -> list[str]:
    """List the keys of all trust entries; empty if the file cannot be parsed, which Codex itself reports."""
    try:
        return list(as_object(as_object(toml_edit.parse(text).get("hooks")).get("state")))
    except ValueError:
        return []


def _decode(content: bytes | None) -> str:
    return (content or b"").decode("utf-8", "replace")


def _find_positions(content: bytes | None) -> tuple[set[str], set[str]]:
    """Return the positions of our hooks and of all hooks, as Codex writes them: ``event:group:handler``."""
    ours: set[str] = set()
    occupied: set[str] = set()
    try:
        groups_by_event = targets.read_groups(content)
    except ValueError:
        return ours, occupied
    for event, groups in groups_by_event.items():
        for group_index, handlers in enumerate(groups):
            for handler_index, handler in enumerate(handlers):
                position = f"{_to_snake_case(event)}:{group_index}:{handler_index}"
                occupied.add(position)
                if targets.is_our_handler(handler):
                    ours.add(position)
    return ours, occupied


def _list_event_positions(keys: list[str]) -> set[str]:
    """List the positions in ``keys`` that have one of our events."""
    names = "|".join(map(_to_snake_case, SPEC.events))
    return {match[1] for key in keys if (match := re.search(rf":((?:{names}):\d+:\d+)\Z", key))}


def _to_snake_case(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
