"""Documents: the JSON output of commands and tools, declared as classes and serialised without pydantic.

To people and type checkers, a document class looks like a dataclass. It is not one, because dataclasses are slow to
define: `mind-skills status` would spend more time on defining them than on everything else. Pydantic generates the JSON
Schemas from the same declarations, and tests validate the output against these schemas.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform

    from pydantic import TypeAdapter
else:

    def dataclass_transform(**_: object) -> object:
        """Stand in for ``typing.dataclass_transform`` without the cost of importing ``typing``."""
        return lambda cls: cls


INFINITY = float("inf")


def to_camel_case(name: str) -> str:
    """Convert ``name`` to camelCase: ``hook_errors`` becomes ``hookErrors``."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


@dataclass_transform(kw_only_default=True)
class Document:
    """Base class of all documents. The members of a document are its annotated names, in the order of declaration.

    If ``uses_camel_case`` is true, the names of the members are in camelCase in JSON. The constructor raises TypeError
    if a member without a default is missing, or if a name is not declared.
    """

    uses_camel_case = False

    def __init__(self, **values: Any) -> None:
        document_class = type(self)
        for name in get_members(document_class):
            if name in values:
                setattr(self, name, values.pop(name))
            elif not hasattr(document_class, name):
                raise TypeError(f"{document_class.__name__} is missing the member {name}")
        if values:
            raise TypeError(f"{document_class.__name__} has no member named {', '.join(values)}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and to_json_types(self) == to_json_types(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({to_json_types(self)})"

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Self:
        """Create a document from ``values``, which maps the names of its members to their values."""
        return cls(**values)

    @classmethod
    def from_object(cls, source: object, /, **values: Any) -> Self:
        """Create a document from ``values``; take the other members from the attributes of ``source`` of the same name."""
        copied = {
            name: getattr(source, name) for name in get_members(cls) if name not in values and hasattr(source, name)
        }
        return cls(**copied, **values)

    def replace(self, **values: Any) -> Self:
        """Return a copy in which the members named in ``values`` have those values."""
        return type(self).from_values({name: getattr(self, name) for name in get_members(type(self))} | values)


class Report(Document):
    """A document, or a part of one, whose JSON names are in camelCase."""

    uses_camel_case = True


_members_by_class: dict[type, dict[str, tuple[str, bool]]] = {}


def get_members(document_class: type[Document]) -> dict[str, tuple[str, bool]]:
    """Map each member of a document class to its JSON name and whether its numbers are always floats."""
    members = _members_by_class.get(document_class)
    if members is None:
        members = _members_by_class[document_class] = {
            name: (
                to_camel_case(name) if document_class.uses_camel_case else name,
                "float" in annotation and "int" not in annotation,
            )
            for cls in reversed(document_class.__mro__)
            for name, annotation in vars(cls).get("__annotations__", {}).items()
        }
    return members


def to_json_types(value: Any, as_float: bool = False) -> Any:
    """Convert ``value``, which may contain documents, named tuples and dataclasses, to types that ``json`` can serialise."""
    if isinstance(value, Document):
        return {
            json_name: to_json_types(getattr(value, name), is_float)
            for name, (json_name, is_float) in get_members(type(value)).items()
        }
    if hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__"):
        names = getattr(value, "_fields", None) or value.__dataclass_fields__
        return {to_camel_case(name): to_json_types(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {name: to_json_types(each, as_float) for name, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [to_json_types(each, as_float) for each in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, str):
        return replace_surrogates(value)
    if type(value) is float and not -INFINITY < value < INFINITY:
        return None  # JSON has neither infinity nor NaN
    return float(value) if as_float and type(value) is int else value


def to_json(value: Any, indent: int | None = None) -> str:
    """Serialise ``value`` (see ``to_json_types``) to JSON, compact or with ``indent`` spaces."""
    import json

    separators = (",", ":") if indent is None else None
    return escape_unprintable(
        json.dumps(to_json_types(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    )


def escape_unprintable(json_text: str) -> str:
    """Escape every character of a JSON document that could control or mislead a terminal.

    JSON itself only requires characters below U+0020 to be escaped, but U+009B starts a terminal escape sequence, and
    U+202E reverses the direction of text.
    """
    if json_text.isascii() and "\x7f" not in json_text:
        return json_text
    return "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in json_text)


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def replace_surrogates(value: str) -> str:
    """Replace lone surrogates, which Unicode encodings and strict JSON parsers reject, with U+FFFD."""
    if value.isascii():
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def make_json_schema(document_class: type[Document]) -> dict[str, Any]:
    """Return the JSON Schema of the serialised form of a document class."""
    return make_type_adapter(document_class).json_schema(by_alias=True, mode="serialization")


def make_type_adapter(document_class: type[Document]) -> TypeAdapter[Any]:
    """Return the pydantic type adapter of a document class."""
    from pydantic import TypeAdapter

    _make_dataclasses(Document)
    return TypeAdapter(document_class)


def _make_dataclasses(document_class: type[Document]) -> None:
    """Turn ``document_class`` and then its subclasses into dataclasses, whose declarations pydantic understands."""
    from dataclasses import dataclass

    if "__dataclass_fields__" not in vars(document_class):
        dataclass(init=False, repr=False, eq=False, kw_only=True)(document_class)
        aliases = {"alias_generator": to_camel_case} if document_class.uses_camel_case else {}
        document_class.__pydantic_config__ = {"extra": "forbid", "populate_by_name": True} | aliases  # type: ignore[attr-defined]
    for subclass in document_class.__subclasses__():
        _make_dataclasses(subclass)
