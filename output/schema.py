"""What pydantic makes of a document's declaration (plugin/document.py): its JSON Schema, and a check of what was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from mind_skills.output.document import Document, camel

Schema = dict[str, Any]


def adapter(kind: type[Document]) -> TypeAdapter[Any]:
    """The type of a kind of document, as pydantic knows it."""
    _declare(Document)
    return TypeAdapter(kind)


def schema(kind: type[Document]) -> Schema:
    """The JSON Schema of what is written of such a document."""
    return adapter(kind).json_schema(by_alias=True, mode="serialization")


def _declare(kind: type[Document]) -> None:
    """Make ``kind`` and all that are declared below it dataclasses, which pydantic can read; their bases come first."""
    if "__dataclass_fields__" not in vars(kind):
        dataclass(init=False, repr=False, eq=False, kw_only=True)(kind)
        config = {"extra": "forbid", "populate_by_name": True}
        kind.__pydantic_config__ = config | ({"alias_generator": camel} if kind.camel_case else {})  # type: ignore[attr-defined]
    for each in kind.__subclasses__():
        _declare(each)
