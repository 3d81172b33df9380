"""What Codex wrote down about our hooks: that its user trusts them. It stands in Codex' own settings, and outlives them.

One table a hook, ``[hooks.state."<path of hooks.json>:session_start:<group>:<handler>"]`` (seen with Codex 0.169.0; the
path is the one by which Codex names the file). They are taken out only with ``uninstall --purge``: those at the places
of our hooks; where our hooks are gone already, those at places of our events at which no hook stands any more.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any, cast

from mind_skills.errors import MindSkillsError
from mind_skills.hosts.codex import SPEC
from mind_skills.setup.install import files, targets, toml_edit
from mind_skills.setup.install.installing import FileReport, report_change
from mind_skills.setup.install.jsonc import parse


def list_entries(hooks: str) -> list[str]:
    """The keys of the entries about our hooks in the file ``hooks``, from the place of Codex' settings beside it.

    To be asked before the hooks are taken out. Raises MindSkillsError, StoreError where a file cannot be read.
    """
    known = _list_known(_read_text(hooks))
    if not known:
        return []
    ours, taken = _find_places(files.read_file(hooks).content)
    wanted = ours or {place for place in _list_event_places(known) if place not in taken}
    names = dict.fromkeys([os.path.abspath(hooks), os.path.realpath(hooks)])
    return [key for key in known for name in names if key in {f"{name}:{place}" for place in wanted}]


def remove_entries(hooks: str, keys: list[str], *, dry_run: bool) -> FileReport | None:
    """Take these entries out of Codex' settings; all else keeps its bytes. None where there is nothing to take out.

    Raises MindSkillsError where the settings are written in another way than Codex writes them, or are read-only.
    """
    path = find_settings(hooks)
    text = _read_text(hooks)
    gone = [key for key in keys if key in _list_known(text)]
    if not gone:
        return None
    shorter = remove_tables(text, gone)
    if shorter is None:
        message = f"{path}: what Codex keeps about the hooks is not written as it writes it, and was left as it is"
        raise MindSkillsError("settings_shape", message, "Take the tables [hooks.state] of mind-skills out by hand.")
    found = files.read_file(path)
    files.require_writable(found)
    if not dry_run:
        files.write(found, shorter.encode())
    return report_change(path, text.encode(), shorter.encode())


def list_keys(hooks: str, content: bytes | None) -> list[str]:
    """The keys under which Codex notes what it knows about our hooks in ``content``, the file of hooks."""
    return sorted(f"{os.path.abspath(hooks)}:{place}" for place in _find_places(content)[0])


def find_settings(hooks: str) -> str:
    """Codex' own settings, beside the file of hooks."""
    return os.path.join(os.path.dirname(hooks), SPEC.trust_file)


def remove_tables(text: str, keys: list[str]) -> str | None:
    """TOML without the tables of these keys, and without ``[hooks.state]`` where nothing is left in it.

    None where that cannot be done by leaving out whole lines.
    """
    data = tomllib.loads(text)
    notes: list[Any] = [data["hooks"]["state"][key] for key in keys]
    if not all(
        isinstance(note, dict) and all(isinstance(value, str | bool) for value in cast("dict[str, Any]", note).values())
        for note in notes
    ):
        return None
    expected = _compute_left(data, keys)
    shorter = toml_edit.drop_tables(
        text, lambda path: path[:2] == ("hooks", "state") and path[2:] in {(key,) for key in keys}
    )
    if "state" not in expected.get("hooks", {}):
        shorter = toml_edit.drop_tables(shorter, lambda path: path == ("hooks", "state"))
    return shorter if toml_edit.holds(shorter, expected) else None


def _compute_left(data: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """The settings as they are to be: an empty ``hooks.state``, and an empty ``hooks`` with it, go."""
    hooks = dict(data["hooks"])
    hooks["state"] = {key: value for key, value in hooks["state"].items() if key not in keys}
    if not hooks["state"]:
        del hooks["state"]
    rest = {name: value for name, value in data.items() if name != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def _list_known(text: str) -> list[str]:
    """The keys of all the entries; none where the file is no TOML, which is for Codex to complain about."""
    try:
        hooks: Any = tomllib.loads(text).get("hooks")
    except tomllib.TOMLDecodeError:
        return []
    state: Any = hooks.get("state") if isinstance(hooks, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return list(map(str, state)) if isinstance(state, dict) else []  # pyright: ignore[reportUnknownArgumentType]


def _read_text(hooks: str) -> str:
    return (files.read_file(find_settings(hooks)).content or b"").decode("utf-8", "replace")


def _find_places(content: bytes | None) -> tuple[set[str], set[str]]:
    """The places of our hooks, and those of all, as Codex writes them: ``event:group:handler``."""
    ours: set[str] = set()
    taken: set[str] = set()
    try:
        root = parse((content or b"").decode())
    except ValueError:
        return ours, taken
    for event, groups in targets.read_events(root.value if root else None).items():
        for group, handlers in enumerate(targets.split_groups(groups)):
            for number, handler in enumerate(handlers):
                place = f"{_snake(event)}:{group}:{number}"
                taken.add(place)
                if targets.is_our_handler(handler):
                    ours.add(place)
    return ours, taken


def _list_event_places(known: list[str]) -> set[str]:
    """The places that entries speak of, of the events that we listen to."""
    names = "|".join(map(_snake, SPEC.events))
    return {found[1] for key in known if (found := re.search(rf":((?:{names}):\d+:\d+)\Z", key))}


def _snake(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
