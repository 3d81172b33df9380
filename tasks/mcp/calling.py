"""One call of a tool, from whatever a client sent to a typed answer. Never raises: a bug is an answer as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

from mind_skills.errors import MindSkillsError, as_error
from mind_skills.errors.records import OtherProjectError
from mind_skills.output.document import Document, Report, plain
from mind_skills.output.schema import schema
from mind_skills.output.state import choose_project
from mind_skills.plugin import pausing
from mind_skills.redaction.secrets import redact
from mind_skills.settings.lenient import enabled
from mind_skills.store.project import Project
from mind_skills.tasks.caller import make_agent_caller
from mind_skills.tasks.tool_input import LARGEST, ToolInput, validate_arguments
from mind_skills.tasks.tools import TOOLS, Tool

BY_NAME = {tool.name: tool for tool in TOOLS}


class ErrorBody(Report):
    """``code`` is stable and meant for programs; ``message`` and ``hint`` are for people."""

    code: str
    message: str
    hint: str


class ErrorReport(Report):
    """What any command prints on stdout when it fails under ``--json``."""

    error: ErrorBody


@dataclass(frozen=True, slots=True)
class Connection:
    """One client: ``project`` is the folder that the server was told, empty for the one that it was started in.

    ``name`` tells it from every other one, so that what it plans and what it completes belong together. ``everywhere``:
    whoever started the server lets it act in other projects as well.
    """

    project: str
    name: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """``document`` is the tool's, or an error's."""

    document: dict[str, Any]
    failed: bool = False


def call(name: str, arguments: Mapping[str, Any], connection: Connection) -> Answer:
    """Call the tool ``name``."""
    try:
        return _run_tool(_find_tool(name), arguments, connection)
    except Exception as failure:  # noqa: BLE001 -- the edge of the program: one bad call must not end the others
        return _describe_failure(failure, name)


def _run_tool(tool: Tool, arguments: Mapping[str, Any], connection: Connection) -> Answer:
    checked = validate_arguments(tool.takes, arguments)
    caller = make_agent_caller(_choose_project(getattr(checked, "project_key", ""), connection), connection.name)
    _require_enabled(caller.project)
    return Answer(plain(tool.run(checked, caller)))


def _choose_project(named: str, connection: Connection) -> Project:
    """The one door to a project: its own, or by another worktree's folder; others where that was allowed.

    Raises MindSkillsError where there is no such folder, OtherProjectError.
    """
    place = choose_project(named or connection.project)
    if named and not connection.everywhere and place.id != choose_project(connection.project).id:
        raise OtherProjectError("the folder that project_key names")
    return place


def _require_enabled(project: Project) -> None:
    """Raise MindSkillsError where mind-skills is off or pauses: then nothing is read, offered or stored."""
    if not enabled(project.root):
        raise MindSkillsError("switched_off", "mind-skills is switched off in this project", "Go on without it.")
    if pausing.is_paused_here(project.root):
        raise MindSkillsError("paused", "mind-skills is paused", "Go on without it.")


def _find_tool(name: str) -> Tool:
    """The tool of that name. Raises MindSkillsError where there is none."""
    if name not in BY_NAME:
        near = get_close_matches(name[:100], BY_NAME, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(BY_NAME)}."
        raise MindSkillsError("unknown_tool", "there is no such tool", hint)
    return BY_NAME[name]


def _describe_failure(failure: Exception, name: str) -> Answer:
    known = as_error(failure)
    if known is None:
        from mind_skills.output.bug import report

        tool = name if name in BY_NAME else "?"
        known = MindSkillsError("bug", f"{type(failure).__name__} in mind-skills", report(failure, [f"mcp {tool}"]))
    body = ErrorBody(code=known.code, message=redact(known.message), hint=redact(known.hint))
    return Answer(plain(ErrorReport(error=body)), failed=True)


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
