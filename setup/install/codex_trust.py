"""What Codex wrote down about our hooks: that its user trusts them. It stands in Codex' own settings, and outlives them.

One table a hook, ``[hooks.state."<path of hooks.json>:session_start:<group>:<handler>"]`` (seen with Codex 0.169.0; the
path is the one by which Codex names the file). They are taken out only with ``uninstall --purge``: those at the places
of our hooks; where our hooks are gone already, those at places of our events at which no hook stands any more.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.hosts.codex import SPEC
from mind_skills.setup.install import entries, files
from mind_skills.setup.install.installing import Done
from mind_skills.setup.install.jsonc import parse

_STATE = re.compile(
    r"""[ \t]*\[[ \t]*hooks[ \t]*\.[ \t]*state[ \t]*(?:\.[ \t]*("(?:[^"\\]|\\.)*"|'[^']*')[ \t]*)?\][ \t]*\r?\n?"""
)
_VALUE = re.compile(r"[ \t]*[\w-]+[ \t]*=[ \t]*(?:\"[^\"]*\"|true|false)[ \t]*\r?\n?")


def kept(hooks: str) -> list[str]:
    """The keys of the entries about our hooks in the file ``hooks``, from the place of Codex' settings beside it.

    To be asked before the hooks are taken out. Raises MindSkillsError, StoreError where a file cannot be read.
    """
    known = _known(_text(hooks))
    if not known:
        return []
    ours, taken = _places(files.look(hooks).content)
    wanted = ours or {place for place in _all_places(known) if place not in taken}
    names = dict.fromkeys([os.path.abspath(hooks), os.path.realpath(hooks)])
    return [key for key in known for name in names if key in {f"{name}:{place}" for place in wanted}]


def forget(hooks: str, keys: list[str], *, dry_run: bool) -> Done | None:
    """Take these entries out of Codex' settings; all else keeps its bytes. None where there is nothing to take out.

    Raises MindSkillsError where the settings are written in another way than Codex writes them, or are read-only.
    """
    path = settings(hooks)
    text = _text(hooks)
    gone = [key for key in keys if key in _known(text)]
    if not gone:
        return None
    shorter = without(text, gone)
    if shorter is None:
        message = f"{path}: what Codex keeps about the hooks is not written as it writes it, and was left as it is"
        raise MindSkillsError("settings_shape", message, "Take the tables [hooks.state] of mind-skills out by hand.")
    found = files.look(path)
    files.writable(found)
    if not dry_run:
        files.write(found, shorter.encode())
    lines = difflib.unified_diff(text.splitlines(keepends=True), shorter.splitlines(keepends=True), path, path)
    return Done(path, "edit", "".join(line if line.endswith("\n") else f"{line}\n" for line in lines))


def places(hooks: str, content: bytes | None) -> list[str]:
    """The keys under which Codex notes what it knows about our hooks in ``content``, the file of hooks."""
    return sorted(f"{os.path.abspath(hooks)}:{place}" for place in _places(content)[0])


def settings(hooks: str) -> str:
    """Codex' own settings, beside the file of hooks."""
    return os.path.join(os.path.dirname(hooks), SPEC.trust_file)


def without(text: str, keys: list[str]) -> str | None:
    """TOML without the tables of these keys, and without ``[hooks.state]`` where nothing is left in it.

    None where that cannot be done by leaving out whole lines.
    """
    expected = _less(tomllib.loads(text), keys)
    lines = text.splitlines(keepends=True)
    tables = [n for n, line in enumerate(lines) if (key := _key(line)) is not None and key in keys]
    gone = {line for table in tables for line in _table(lines, table)}
    shorter = "".join(line for n, line in enumerate(lines) if n not in gone)
    if "state" not in expected.get("hooks", {}):
        left = shorter.splitlines(keepends=True)
        empty = {line for n, text_ in enumerate(left) if _key(text_) == "" for line in _table(left, n)}
        shorter = "".join(line for n, line in enumerate(left) if n not in empty)
    try:
        return shorter if tomllib.loads(shorter) == expected else None
    except tomllib.TOMLDecodeError:
        return None


def _table(lines: list[str], begin: int) -> set[int]:
    """The lines of a table that has nothing but plain values: its header, these, and one blank line before it."""
    end = begin + 1
    while end < len(lines) and _VALUE.fullmatch(lines[end]):
        end += 1
    blank = begin > 0 and not lines[begin - 1].strip()
    return set(range(begin - blank, end))


def _key(line: str) -> str | None:
    """The key that a header of ``hooks.state`` names, empty for the table itself, None for any other line."""
    found = _STATE.fullmatch(line)
    if found is None:
        return None
    name = found[1] or ""
    if not name.startswith('"'):
        return name.strip("'")
    try:
        return str(json.loads(name))
    except ValueError:
        return None


def _less(data: dict[str, Any], keys: list[str]) -> dict[str, Any]:
    """The settings as they are to be: an empty ``hooks.state``, and an empty ``hooks`` with it, go."""
    hooks = dict(data["hooks"])
    hooks["state"] = {key: value for key, value in hooks["state"].items() if key not in keys}
    if not hooks["state"]:
        del hooks["state"]
    rest = {name: value for name, value in data.items() if name != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def _known(text: str) -> list[str]:
    """The keys of all the entries; none where the file is no TOML, which is for Codex to complain about."""
    try:
        hooks: Any = tomllib.loads(text).get("hooks")
    except tomllib.TOMLDecodeError:
        return []
    state: Any = hooks.get("state") if isinstance(hooks, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return list(map(str, state)) if isinstance(state, dict) else []  # pyright: ignore[reportUnknownArgumentType]


def _text(hooks: str) -> str:
    return (files.look(settings(hooks)).content or b"").decode("utf-8", "replace")


def _places(content: bytes | None) -> tuple[set[str], set[str]]:
    """The places of our hooks, and those of all, as Codex writes them: ``event:group:handler``."""
    ours: set[str] = set()
    taken: set[str] = set()
    try:
        root = parse((content or b"").decode())
    except ValueError:
        return ours, taken
    for event, groups in entries.by_event(root.value if root else None).items():
        for group, handlers in enumerate(entries.groups(groups)):
            for number, handler in enumerate(handlers):
                place = f"{_snake(event)}:{group}:{number}"
                taken.add(place)
                if entries.is_ours(handler):
                    ours.add(place)
    return ours, taken


def _all_places(known: list[str]) -> set[str]:
    """The places that entries speak of, of the events that we listen to."""
    names = "|".join(map(_snake, SPEC.events))
    return {found[1] for key in known if (found := re.search(rf":((?:{names}):\d+:\d+)\Z", key))}


def _snake(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
