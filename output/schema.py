"""JSON Schemas and validators that pydantic derives from document classes (output/document.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from mind_skills.output.document import Document, to_camel_case

Schema = dict[str, Any]


def make_type_adapter(kind: type[Document]) -> TypeAdapter[Any]:
    """Return the pydantic type adapter of a document class."""
    _make_dataclasses(Document)
    return TypeAdapter(kind)


def make_json_schema(kind: type[Document]) -> Schema:
    """Return the JSON Schema of the serialised form of a document class."""
    return make_type_adapter(kind).json_schema(by_alias=True, mode="serialization")


def _make_dataclasses(kind: type[Document]) -> None:
    """Turn ``kind`` and then its subclasses into dataclasses, whose declarations pydantic understands."""
    if "__dataclass_fields__" not in vars(kind):
        dataclass(init=False, repr=False, eq=False, kw_only=True)(kind)
        config = {"extra": "forbid", "populate_by_name": True}
        kind.__pydantic_config__ = config | ({"alias_generator": to_camel_case} if kind.uses_camel_case else {})  # type: ignore[attr-defined]
    for subclass in kind.__subclasses__():
        _make_dataclasses(subclass)
