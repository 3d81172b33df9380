"""The tools as a host sees them, without the SDK: their schemas are as short as they can be, since every session pays for them."""

from __future__ import annotations

from typing import Any, Literal

from mind_skills.output.document import Document
from mind_skills.output.schema import schema
from mind_skills.tasks.mcp.calling import ErrorBody
from mind_skills.tasks.tool_input import LARGEST, ToolInput
from mind_skills.tasks.tools import TOOLS

Schema = dict[str, Any]


class ListedToolReport(Document):
    """One tool. ``read_only`` and ``repeatable`` are hints for hosts; the schemas are JSON Schema."""

    name: str
    description: str
    read_only: bool
    repeatable: bool
    destructive: bool
    takes: dict[str, Any]
    answers: dict[str, Any]


class ToolsReport(Document):
    """`mind-skills mcp --list --json`."""

    version: Literal[1] = 1
    tools: list[ListedToolReport]


def list_tools() -> ToolsReport:
    """All tools, in the order of the table."""
    return ToolsReport(
        tools=[
            ListedToolReport(
                name=tool.name,
                description=tool.description,
                read_only=tool.read_only,
                repeatable=tool.repeatable,
                destructive=tool.final,
                takes=make_input_schema(tool.takes),
                answers=make_output_schema(tool.answers),
            )
            for tool in TOOLS
        ]
    )


def make_input_schema(kind: type[ToolInput]) -> Schema:
    """The schema of a tool's arguments."""
    schema: Schema = _shorten(kind.model_json_schema())
    schema.pop("description", None)  # it is for readers of the source
    return schema


def make_output_schema(kind: type[Document]) -> Schema:
    """The schema of a tool's answer: its document, or an error.

    Clients hold every structured answer against it, some of them failures as well, so both are in it; the root says
    ``object`` because the protocol wants that.
    """
    document = _shorten(schema(kind))
    error = _shorten(schema(ErrorBody))
    shapes = document.pop("$defs", {})
    failed = {
        "type": "object",
        "properties": {"error": error},
        "required": ["error"],
        "additionalProperties": False,
    }
    return {"type": "object", "anyOf": [document, failed], **({"$defs": shapes} if shapes else {})}


def _shorten(schema: Any) -> Any:
    """Without titles, and without saying of an argument that need not be given that it may be null as well."""
    if isinstance(schema, list):
        return [_shorten(each) for each in schema]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(schema, dict):
        return schema
    form: Schema = {key: _shorten_member(key, value) for key, value in schema.items() if not _is_noise(key, value)}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    options = form.get("anyOf")
    if options is not None and "default" in schema and {"type": "null"} in options and len(options) == 2:
        (only,) = [each for each in options if each != {"type": "null"}]
        return only | {key: value for key, value in form.items() if key != "anyOf"}
    return form


def _is_noise(key: str, value: object) -> bool:
    """A title repeats a name; an empty default and a bound that nobody reaches say nothing."""
    empty = key == "default" and not value
    return (
        key == "minLength"
        or empty
        or (key == "title" and isinstance(value, str))
        or (key, value) == ("maximum", LARGEST)
    )


def _shorten_member(key: str, value: Any) -> Any:
    """A table of properties has names for keys, and one of them may be called ``title``."""
    if key in ("properties", "$defs") and isinstance(value, dict):
        return {name: _shorten(each) for name, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return _shorten(value)
