"""Converter from a story to a complete transcript of Antigravity, in which every step has an index."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.testkit.stories.story_file import Step, Story

PROJECT = "/home/dev/project"
Json = dict[str, object]
_TOOLS = {
    "run": "run_command",
    "read": "view_file",
    "search": "grep_search",
    "edit": "replace_file_content",
    "write": "write_to_file",
    "web": "read_url_content",
    "task": "invoke_subagent",
}
_TYPES = {"run": "RUN_COMMAND", "read": "VIEW_FILE", "edit": "CODE_ACTION", "write": "CODE_ACTION", "mcp": "MCP_TOOL"}
_TIMES = "Created At: 2026-06-18T02:00:00Z\nCompleted At: 2026-06-18T02:00:01Z\n"


def render_log(story: Story) -> tuple[str, list[tuple[int, int]]]:
    """Return the transcript, and the first and last line of each step."""
    lines: list[Json] = []
    places: list[tuple[int, int]] = []
    for step in story.steps:
        begin = len(lines) + 1
        for entry in _rows(step):
            number = len(lines)
            stamp = f"2026-06-18T02:{number // 60:02d}:{number % 60:02d}Z"
            lines.append({"step_index": number, "source": "MODEL", "status": "DONE", "created_at": stamp, **entry})
        places.append((begin, len(lines)))
    order = ("step_index", "source", "type")
    rows = [{**{key: line[key] for key in order}, **line} for line in lines]
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows), places


def _rows(step: Step) -> Iterator[Json]:
    words = "\n".join(filter(None, (step.what, step.body)))
    if step.kind == "user":
        request = (
            f"<USER_REQUEST>\n{words}\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nIt is late.\n</ADDITIONAL_METADATA>"
        )
        yield {"source": "USER_EXPLICIT", "type": "USER_INPUT", "content": request}
    elif step.kind == "stopped":
        yield {"source": "SYSTEM", "type": "ERROR_MESSAGE", "error": "The user stopped the agent."}
    elif step.kind in ("agent", "thinks"):
        yield {"type": "PLANNER_RESPONSE", {"agent": "content", "thinks": "thinking"}[step.kind]: words}
    else:
        tool, arguments = _TOOLS.get(step.kind, ""), _arguments(step)
        if not tool:
            server, _, name = step.how.removeprefix("failed/").partition("/")
            tool, arguments = (
                "call_mcp_tool",
                {"ServerName": server, "ToolName": name, "Arguments": {"query": step.what}},
            )
        yield {"type": "PLANNER_RESPONSE", "tool_calls": [{"name": tool, "args": arguments}]}
        yield {"type": _TYPES.get(step.kind, "GENERIC"), **_answer(step)}


def _answer(step: Step) -> Json:
    if step.how == "refused":
        return {"type": "ERROR_MESSAGE", "status": "ERROR", "error": "user denied permission to use the tool"}
    if step.how == "cancelled":
        return {"status": "CANCELED"}
    errors = {
        "mismatch": "target content not found in file",
        "missing": f"path file://{PROJECT}/{step.what} does not exist",
    }
    if error := errors.get(step.how) or (step.body if step.how.startswith("failed/") else ""):
        return {"status": "ERROR", "error": error, "content": f"{_TIMES}Encountered error in step execution: {error}"}
    if step.kind == "run":
        text = f"\nThe command exited with code {step.code}.\nOutput:\n{step.body}\r\n\n"
        return {"exit_code": step.code, "content": _TIMES + text}
    if step.kind in ("edit", "write"):
        return {"content": f"{_TIMES}The following changes were made to: {PROJECT}/{step.what}."}
    return {"content": _TIMES + step.body}


def _arguments(step: Step) -> Json:
    arguments: dict[str, Json] = {
        "run": {"CommandLine": step.what, "Cwd": PROJECT, "WaitMsBeforeAsync": 500},
        "read": {"AbsolutePath": step.what},
        "search": {"Query": step.what, "SearchPath": PROJECT},
        "edit": {"TargetFile": step.what, "TargetContent": step.removed, "ReplacementContent": step.added},
        "write": {"TargetFile": step.what, "CodeContent": step.body, "Overwrite": True},
        "web": {"Url": step.what},
    }
    return arguments.get(step.kind, {"Prompt": step.what})
