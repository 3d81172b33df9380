"""One call of a tool, from whatever a client sent to a typed answer. Never raises: a bug is an answer as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from mind_skills.errors import MindSkillsError, as_error
from mind_skills.errors.records import OtherProjectError
from mind_skills.output.document import Report, plain
from mind_skills.output.state import choose_project
from mind_skills.plugin import pausing
from mind_skills.redaction.secrets import redact
from mind_skills.settings.lenient import enabled
from mind_skills.store.project import Project
from mind_skills.tasks.caller import make_agent_caller
from mind_skills.tasks.tool_input import validate_arguments
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
