"""Converter from a story to the output of `opencode export` of OpenCode 1.18, with one message per agent turn."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.testkit.stories.story_file import Step, Story

PROJECT = "/home/dev/project"
START = 1781748000000
Json = dict[str, object]
_TOOLS = {"run": "bash", "search": "grep", "web": "webfetch"}
_FAULTS = {
    "refused": "The user rejected permission to use this specific tool call.",
    "cancelled": "Tool execution aborted",
    "mismatch": "Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.",
    "missing": "File not found: /home/dev/project/{what}",
}


def render_log(story: Story) -> tuple[str, list[tuple[int, int]]]:
    """Return the log, and the number of each step's message, twice: the other converters return a first and a last line."""
    messages: list[Json] = []
    parts: list[Json] = []
    places: list[tuple[int, int]] = []
    is_complete = True  # whether the last message is complete: then the next step begins a new one
    for step in story.steps:
        if step.kind == "stopped":
            messages[-1]["info"] = {**_info(messages[-1]), "error": {"name": "MessageAbortedError", "data": {}}}
            is_complete = True
        elif step.kind == "user" or is_complete:
            parts = []
            messages.append(_message("user" if step.kind == "user" else "assistant", parts, len(messages)))
            is_complete = step.kind == "user"
        at = START + 1000 * len(messages)
        if step.kind != "stopped":
            part = _part(step, at, len(places))
            parts.append({**part, "id": f"prt_{len(places)}", "sessionID": "ses_f001"})
            is_complete = is_complete or part["type"] == "tool"
        places.append((len(messages), len(messages)))
    info = {"id": "ses_f001", "slug": "story", "projectID": "global", "directory": PROJECT, "version": "1.18.33"}
    return json.dumps({"info": {**info, "time": {"created": START}}, "messages": messages}, indent=2), places


def _info(message: Json) -> Json:
    info = message["info"]
    assert isinstance(info, dict)
    return info


def _message(role: str, parts: list[Json], number: int) -> Json:
    info: Json = {"id": f"msg_{number}", "sessionID": "ses_f001", "role": role, "agent": "build"}
    return {"info": {**info, "time": {"created": START + 1000 * number}}, "parts": parts}


def _part(step: Step, at: int, number: int) -> Json:
    words = "\n".join(filter(None, (step.what, step.body)))
    if step.kind == "user":
        return {"type": "text", "text": words}
    if step.kind in ("agent", "thinks"):
        kind = "reasoning" if step.kind == "thinks" else "text"
        return {"type": kind, "text": words, "time": {"start": at, "end": at}}
    name = _TOOLS.get(step.kind, step.kind)
    if step.kind == "mcp":
        name = step.how.removeprefix("failed/").replace("/", "_")
    return {"type": "tool", "tool": name, "callID": f"call_{number}", "state": {**_state(step), "time": {"start": at}}}


def _state(step: Step) -> Json:
    given = _INPUTS.get(step.kind, lambda step: {"query": step.what})(step)
    failed = step.body if step.how.startswith("failed/") else _FAULTS.get(step.how, "").format(what=step.what)
    if failed:
        return {"status": "error", "input": given, "error": failed}
    state: Json = {"status": "completed", "input": given, "title": step.what, "output": step.body}
    if step.kind == "run":
        return {**state, "metadata": {"output": step.body, "exit": step.code, "truncated": False}}
    if step.kind in ("edit", "write"):
        return {**state, "output": "Edit applied successfully.", "metadata": {"diagnostics": {}}}
    if step.kind == "read":
        rows = "\n".join(f"{number}: {row}" for number, row in enumerate(step.body.split("\n"), 1))
        return {**state, "output": f"<path>{PROJECT}/{step.what}</path>\n<content>\n{rows}\n</content>", "metadata": {}}
    return {**state, "metadata": {}}


_INPUTS: dict[str, Callable[[Step], Json]] = {
    "run": lambda step: {"command": step.what, "description": "run it"},
    "read": lambda step: {"filePath": f"{PROJECT}/{step.what}"},
    "search": lambda step: {"pattern": step.what},
    "edit": lambda step: {"filePath": f"{PROJECT}/{step.what}", "oldString": step.removed, "newString": step.added},
    "write": lambda step: {"filePath": f"{PROJECT}/{step.what}", "content": step.body},
    "web": lambda step: {"url": step.what, "format": "markdown"},
    "task": lambda step: {"description": step.what, "prompt": step.what, "subagent_type": "general"},
}
