"""Our hooks in a document of settings: which they are, how they get in, how they get out again.

Every host that takes hooks in a file takes them in one shape: ``{"hooks": {EVENT: [{"hooks": [HANDLER, ...]}]}}``.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from mind_skills.hosts import NAMES
from mind_skills.setup.install import splice
from mind_skills.setup.install.jsonc import Node, parse
from mind_skills.setup.install.splice import Piece

HOOKS = "hooks"
_OURS = re.compile(
    r"""(?:[\\/]plugin[\\/](?:entry\.py|hook\.sh)|\bmind-skills(?:\.exe)?["']?\s+hook)["']?\s+"""
    rf"""(?:{"|".join(NAMES)})\b"""
)


class ShapeError(ValueError):
    """The document is JSON, but hooks cannot be written into it: the message says where something else stands."""


class Added(NamedTuple):
    """A document with our hooks in it.

    ``pieces`` are the texts that were written into it; ``made`` names what of it is ours as a whole: ``hooks``, or
    events as ``hooks.EVENT``, or nothing but ``document`` where there was none.
    """

    text: str
    pieces: tuple[str, ...]
    made: tuple[str, ...]


def is_ours(handler: Any) -> bool:
    """Whether a handler starts mind-skills: by the script that it runs, wherever that stands."""
    form = _dict(handler)
    words = [form.get("command"), *_list(form.get("args"))]
    return _OURS.search(" ".join(word for word in words if isinstance(word, str))) is not None


def added(text: str, wanted: dict[str, Any]) -> Added:
    """``text`` with the group ``wanted[EVENT]`` at the end of each event's list. Raises JsoncError, ShapeError."""
    root = parse(text)
    look = splice.style(text, root)
    lists = {event: [group] for event, group in wanted.items()}
    if root is None:
        gap = look.newline if text.strip("\ufeff") and not text.endswith("\n") else ""
        piece = f"{gap}{splice.rendered({HOOKS: lists}, look)}{look.newline}"
        return Added(text + piece, (piece,), ("document",))
    if not isinstance(root.value, dict):
        raise ShapeError("the document is no object")
    pieces, made = _pieces(text, root, lists, look)
    return Added(splice.applied(text, pieces), tuple(piece.text for piece in pieces), tuple(made))


def _pieces(text: str, root: Node, wanted: dict[str, list[Any]], look: splice.Style) -> tuple[list[Piece], list[str]]:
    hooks = root.member(HOOKS)
    if hooks is None:
        return [splice.insertion(text, root, [wanted], look, [HOOKS])], [HOOKS]
    if not isinstance(hooks.value, dict):
        raise ShapeError(f"{HOOKS} is no object")
    missing = [event for event in wanted if hooks.member(event) is None]
    pieces: list[Piece] = []
    for event, ours in wanted.items():
        groups = hooks.member(event)
        if groups is not None and not isinstance(groups.value, list):
            raise ShapeError(f"{HOOKS}.{event} is no list")
        if groups is not None:
            pieces.append(splice.insertion(text, groups, ours, look))
    if missing:
        pieces.append(splice.insertion(text, hooks, [wanted[event] for event in missing], look, missing))
    return pieces, [f"{HOOKS}.{event}" for event in missing]


def handlers(text: str) -> dict[str, list[Any]]:
    """Our handlers by event, as they stand in the document. Raises JsoncError."""
    root = parse(text)
    found: dict[str, list[Any]] = {}
    for event, groups in by_event(root.value if root else None).items():
        for group in _list(groups):
            if ours := [handler for handler in _handlers(group) if is_ours(handler)]:
                found.setdefault(event, []).extend(ours)
    return found


def removed(text: str, pieces: tuple[str, ...] = (), made: tuple[str, ...] | None = None) -> str:
    """``text`` without our hooks; blank where nothing but them stood in it.

    ``pieces`` and ``made`` are those of ``added``. As long as the pieces stand there as they were written, they are
    cut out, and everything else keeps its bytes; else the hooks are looked for by what they are. Without ``made``,
    a list or an object that is empty without our hooks counts as ours. Raises JsoncError.
    """
    root = parse(text)
    if root is None:
        return text
    expected = _without(root.value, made)
    if pieces and all(text.count(piece) == 1 for piece in pieces):
        shorter = splice.cut(text, [(text.index(piece), text.index(piece) + len(piece)) for piece in pieces])
        if _says(shorter, expected):
            return shorter
    return splice.cut(text, _ranges(text, root, made))


def _says(text: str, expected: Any) -> bool:
    try:
        root = parse(text)
    except ValueError:
        return False
    return bool((root.value if root else {}) == expected)


def _ranges(text: str, root: Node, made: tuple[str, ...] | None) -> list[tuple[int, int]]:
    """What to cut, from the top: what is ours as a whole, else what of it is."""
    hooks = root.member(HOOKS)
    if hooks is None or not isinstance(hooks.value, dict):
        return []
    events: set[int] = set()
    ranges: list[tuple[int, int]] = []
    for n, (event, groups) in enumerate(zip(hooks.keys, hooks.children, strict=True)):
        whole, parts = _of_event(text, groups)
        if whole and len(whole) == len(groups.children) and _may_go(made, f"{HOOKS}.{event}"):
            events.add(n)
        else:
            ranges += splice.cuts(text, groups, whole) + parts
    if events and len(events) == len(hooks.children) and _may_go(made, HOOKS):
        if made is not None and "document" in made and len(root.children) == 1:
            return [(root.start, root.end)]
        return splice.cuts(text, root, {n for n, key in enumerate(root.keys) if key == HOOKS})
    return ranges + splice.cuts(text, hooks, events)


def _of_event(text: str, groups: Node) -> tuple[set[int], list[tuple[int, int]]]:
    """The groups of an event that are ours as a whole, and the ranges of our handlers among those of others."""
    whole: set[int] = set()
    parts: list[tuple[int, int]] = []
    for n, group in enumerate(groups.children if isinstance(groups.value, list) else []):
        inside = group.member(HOOKS)
        ours = {k for k, handler in enumerate(_handlers(group.value)) if is_ours(handler)}
        if inside is not None and ours and len(ours) == len(inside.children):
            whole.add(n)
        elif inside is not None and ours:
            parts += splice.cuts(text, inside, ours)
    return whole, parts


def _may_go(made: tuple[str, ...] | None, name: str) -> bool:
    return made is None or "document" in made or HOOKS in made or name in made


def _without(data: Any, made: tuple[str, ...] | None) -> Any:
    """The same decision over plain values, to hold a shorter text against."""
    if not isinstance(_dict(data).get(HOOKS), dict):
        return data
    events: dict[str, Any] = {}
    for event, groups in by_event(data).items():
        kept = [left for group in _list(groups) for left in _left(group)] if isinstance(groups, list) else groups
        if kept or kept == groups or not _may_go(made, f"{HOOKS}.{event}"):
            events[event] = kept
    rest = {key: value for key, value in _dict(data).items() if key != HOOKS}
    gone = not events and bool(by_event(data)) and _may_go(made, HOOKS)
    return rest if gone else {**rest, HOOKS: events}


def groups(of_event: Any) -> list[list[Any]]:
    """The handlers of each group that stands under an event."""
    return [_handlers(group) for group in _list(of_event)]


def _left(group: Any) -> list[Any]:
    """A group without our handlers, nothing where there were no others."""
    inside = _handlers(group)
    others = [handler for handler in inside if not is_ours(handler)]
    if len(others) == len(inside):
        return [group]
    return [{**group, HOOKS: others}] if others else []


def by_event(data: Any) -> dict[str, Any]:
    """What stands under each event of a document."""
    return _dict(_dict(data).get(HOOKS))


def _handlers(group: Any) -> list[Any]:
    return _list(_dict(group).get(HOOKS))


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
