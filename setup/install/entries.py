"""Our hooks in a document of settings: which they are, how they get in and out.

Every host that takes hooks in a file takes them in one shape: ``{"hooks": {EVENT: [{"hooks": [HANDLER, ...]}]}}``.
"""

from __future__ import annotations

import re
from typing import Any

from mind_skills.hosts import NAMES
from mind_skills.setup.install import json_edit
from mind_skills.setup.install.jsonc import parse

HOOKS = "hooks"
_OURS = re.compile(
    r"""(?:[\\/]plugin[\\/](?:entry\.py|hook\.sh)|\bmind-skills(?:\.exe)?["']?\s+hook)["']?\s+"""
    rf"""(?:{"|".join(NAMES)})\b"""
)


def is_ours(handler: Any) -> bool:
    """Whether a handler starts mind-skills: by the script that it runs, wherever that stands."""
    form = _dict(handler)
    words = [form.get("command"), *_list(form.get("args"))]
    return _OURS.search(" ".join(word for word in words if isinstance(word, str))) is not None


def handlers(text: str) -> dict[str, list[Any]]:
    """Our handlers by event, as they stand in the document. Raises JsoncError."""
    root = parse(text)
    found: dict[str, list[Any]] = {}
    for event, groups in by_event(root.value if root else None).items():
        for group in _list(groups):
            if ours := [handler for handler in _handlers(group) if is_ours(handler)]:
                found.setdefault(event, []).extend(ours)
    return found


def add(text: str, wanted: dict[str, Any]) -> json_edit.Merged:
    """``text`` with the group ``wanted[EVENT]`` at the end of each event's list. Raises JsoncError, ShapeError."""
    return json_edit.merge(text, {HOOKS: {event: [group] for event, group in wanted.items()}})


def remove(text: str, pieces: tuple[str, ...] = (), made: tuple[str, ...] | None = None) -> str:
    """``text`` without our hooks: see json_edit.prune. Raises JsoncError."""
    return json_edit.prune(text, _is_ours_at, pieces, made)


def _is_ours_at(path: json_edit.Path, value: Any) -> bool:
    """Whether one of our handlers stands there, or a group of nothing but them."""
    match path:
        case ("hooks", str(), int()):
            return bool(inside := _handlers(value)) and all(map(is_ours, inside))
        case ("hooks", str(), int(), "hooks", int()):
            return is_ours(value)
        case _:
            return False


def groups(of_event: Any) -> list[list[Any]]:
    """The handlers of each group that stands under an event."""
    return [_handlers(group) for group in _list(of_event)]


def by_event(data: Any) -> dict[str, Any]:
    """What stands under each event of a document."""
    return _dict(_dict(data).get(HOOKS))


def _handlers(group: Any) -> list[Any]:
    return _list(_dict(group).get(HOOKS))


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
