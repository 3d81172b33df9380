"""What a host is told of the tools: their schemas, as short as they can be, since every session pays for them."""

from __future__ import annotations

from typing import Any

from mind_skills.output.document import Document
from mind_skills.output.schema import schema
from mind_skills.tasks.failure_report import ErrorBody
from mind_skills.tasks.given import LARGEST, Given

Schema = dict[str, Any]


def takes(kind: type[Given]) -> Schema:
    """The schema of a tool's arguments."""
    schema: Schema = _short(kind.model_json_schema())
    schema.pop("description", None)  # it is for readers of the source
    return schema


def answers(kind: type[Document]) -> Schema:
    """The schema of a tool's answer: its document, or an error.

    Clients hold every structured answer against it, some of them failures as well, so both are in it; the root says
    ``object`` because the protocol wants that.
    """
    document = _short(schema(kind))
    error = _short(schema(ErrorBody))
    shapes = document.pop("$defs", {})
    failed = {
        "type": "object",
        "properties": {"error": error},
        "required": ["error"],
        "additionalProperties": False,
    }
    return {"type": "object", "anyOf": [document, failed], **({"$defs": shapes} if shapes else {})}


def _short(schema: Any) -> Any:
    """Without titles, and without saying of an argument that need not be given that it may be null as well."""
    if isinstance(schema, list):
        return [_short(each) for each in schema]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(schema, dict):
        return schema
    form: Schema = {key: _named(key, value) for key, value in schema.items() if not _noise(key, value)}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    options = form.get("anyOf")
    if options is not None and "default" in schema and {"type": "null"} in options and len(options) == 2:
        (only,) = [each for each in options if each != {"type": "null"}]
        return only | {key: value for key, value in form.items() if key != "anyOf"}
    return form


def _noise(key: str, value: object) -> bool:
    """A title repeats a name; an empty default and a bound that nobody reaches say nothing."""
    empty = key == "default" and not value
    return (
        (key == "title" and isinstance(value, str))
        or empty
        or key == "minLength"
        or (key, value) == ("maximum", LARGEST)
    )


def _named(key: str, value: Any) -> Any:
    """A table of properties has names for keys, and one of them may be called ``title``."""
    if key in ("properties", "$defs") and isinstance(value, dict):
        return {name: _short(each) for name, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return _short(value)
