"""A document: what a command prints with ``--json``, declared as a class and written without pydantic.

A class of these is read like a dataclass, by people and by type checkers; that it costs nothing to define and little to
write is why it is none: `mind-skills status` would spend more on the classes of its answer than on the answer. Pydantic
makes the schemas out of the same declarations (output/schema.py), and tests hold what is written against them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        """As in typing, which need not be imported for this."""
        return lambda kind: kind


INFINITE = float("inf")


def camel(name: str) -> str:
    """``name`` in camelCase: ``hook_errors`` is ``hookErrors``."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


@dataclass_transform(kw_only_default=True)
class Document:
    """What all documents have in common: every annotated name is a member, and nothing else is.

    Members stand in the order in which they are declared. ``camel_case`` says whether they are written in camelCase. Raises
    TypeError where a member is missing, or one is given that is not declared.
    """

    camel_case = False

    def __init__(self, **values: Any) -> None:
        kind = type(self)
        for name in members(kind):
            if name in values:
                setattr(self, name, values.pop(name))
            elif not hasattr(kind, name):
                raise TypeError(f"{kind.__name__} needs {name}")
        if values:
            raise TypeError(f"{kind.__name__} has no {', '.join(values)}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and plain(self) == plain(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({plain(self)})"

    @classmethod
    def of(cls, values: dict[str, Any]) -> Self:
        """One whose members are ``values``, by their names."""
        return cls(**values)

    @classmethod
    def copy(cls, source: object, /, **values: Any) -> Self:
        """One whose members are ``values``, and for the rest the attributes of ``source`` that are called the same."""
        alike = {name: getattr(source, name) for name in members(cls) if name not in values and hasattr(source, name)}
        return cls(**alike, **values)

    def but(self, **values: Any) -> Self:
        """Another like this one, with other ``values``."""
        return type(self).of({name: getattr(self, name) for name in members(type(self))} | values)


class Report(Document):
    """A document, or a part of one, whose names are written in camelCase."""

    camel_case = True


_members: dict[type, dict[str, tuple[str, bool]]] = {}


def members(kind: type[Document]) -> dict[str, tuple[str, bool]]:
    """Each member of a kind of document: what it is called when it is written, and whether its numbers are all fractions."""
    found = _members.get(kind)
    if found is None:
        found = _members[kind] = {
            name: (camel(name) if kind.camel_case else name, "float" in form and "int" not in form)
            for each in reversed(kind.__mro__)
            for name, form in vars(each).get("__annotations__", {}).items()
        }
    return found


def plain(value: Any, fractions: bool = False) -> Any:
    """``value``, which documents may be part of, as what json knows. ``fractions``: a whole number is written as 1.0.

    What is half a character (a file name need not be text) becomes U+FFFD.
    """
    if isinstance(value, Document):
        return {
            written: plain(getattr(value, name), fractional)
            for name, (written, fractional) in members(type(value)).items()
        }
    if isinstance(value, dict):
        return {name: plain(each, fractions) for name, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [plain(each, fractions) for each in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, str):
        return whole(value)
    if type(value) is float and not -INFINITE < value < INFINITE:
        return None  # JSON has no such number
    return float(value) if fractions and type(value) is int else value


def text(value: Any, indent: int | None = None) -> str:
    """``value`` as one JSON document, as ``plain`` has it; with ``indent`` spaces for people."""
    import json

    compact = (",", ":") if indent is None else None
    return escaped(json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=compact))


def escaped(document: str) -> str:
    """A JSON document with every character that could drive or mislead a terminal by its number: JSON itself asks for that
    below U+0020 alone, and U+009B begins an escape sequence as well, U+202E turns the direction of what follows.
    """
    if document.isascii() and "\x7f" not in document:
        return document
    return "".join(sign if sign.isprintable() or sign == "\n" else _number(sign) for sign in document)


def _number(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def whole(said: str) -> str:
    """``said`` without lone surrogates, which no encoding of Unicode has and no strict reader of JSON takes."""
    if said.isascii():
        return said
    return said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
