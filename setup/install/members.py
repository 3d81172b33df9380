"""A server in a document of JSON: how its member gets in, and how it gets out again. ``{KEY: {NAME: ENTRY}}``."""

from __future__ import annotations

from typing import Any, NamedTuple

from mind_skills.setup.install import splice
from mind_skills.setup.install.jsonc import Node, parse


class ShapeError(ValueError):
    """The document can be read, but holds something else where servers should stand: the message says where."""


class Added(NamedTuple):
    """A document with the member in it. ``pieces`` and ``made`` as in entries.Added; ``made`` is ``document``, KEY or nothing."""

    text: str
    pieces: tuple[str, ...]
    made: tuple[str, ...]


def servers(text: str, key: str) -> dict[str, Any]:
    """What stands under KEY. Raises JsoncError, ShapeError."""
    root = parse(text)
    data: Any = root.value if root is not None else {}
    if not isinstance(data, dict):
        raise ShapeError("the document is no object")
    found: Any = data.get(key, {})  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if not isinstance(found, dict):
        raise ShapeError(f"{key} is no object")
    return found  # pyright: ignore[reportUnknownVariableType]


def added(text: str, key: str, name: str, entry: dict[str, Any]) -> Added:
    """``text`` with the entry under KEY, in which there is none of that name. Raises JsoncError, ShapeError."""
    servers(text, key)
    root = parse(text)
    look = splice.style(text, root)
    if root is None:
        gap = look.newline if text.strip("\ufeff") and not text.endswith("\n") else ""
        piece = f"{gap}{splice.rendered({key: {name: entry}}, look)}{look.newline}"
        return Added(text + piece, (piece,), ("document",))
    held = root.member(key)
    if held is None:
        put = splice.insertion(text, root, [{name: entry}], look, [key])
    else:
        put = splice.insertion(text, held, [entry], look, [name])
    return Added(splice.applied(text, [put]), (put.text,), (key,) if held is None else ())


def removed(text: str, key: str, name: str, pieces: tuple[str, ...] = (), made: tuple[str, ...] | None = None) -> str:
    """``text`` without the entry; blank where nothing else stood in it. Otherwise as entries.removed. Raises as ``servers``."""
    left = {other: entry for other, entry in servers(text, key).items() if other != name}
    root = parse(text)
    if root is None or name not in root.value.get(key, {}):
        return text
    whole = not left and (made is None or "document" in made or key in made)
    expected = {other: value for other, value in root.value.items() if other != key} | ({} if whole else {key: left})
    for piece in pieces:
        if text.count(piece) == 1 and _says(shorter := text.replace(piece, ""), expected):
            return shorter
    return splice.cut(
        text, _ranges(text, root, key, name, whole=whole, document=made is not None and "document" in made)
    )


def _ranges(text: str, root: Node, key: str, name: str, *, whole: bool, document: bool) -> list[tuple[int, int]]:
    if whole and document and len(root.children) == 1:
        return [(root.start, root.end)]
    node, gone = (root, key) if whole else (root.member(key), name)
    assert node is not None  # the entry was found under it
    return splice.cuts(text, node, {n for n, other in enumerate(node.keys) if other == gone})


def _says(text: str, expected: dict[str, Any]) -> bool:
    try:
        root = parse(text)
    except ValueError:
        return False
    return bool((root.value if root else {}) == expected)
