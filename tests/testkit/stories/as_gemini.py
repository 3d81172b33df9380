"""Converter from a story to a chat of Gemini CLI 0.61, which repeats a message when its tool call has returned."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.testkit.stories.story_file import Step, Story

SESSION = "00000000-0000-4000-8000-00000000f001"
PROJECT = "/home/dev/project"
Json = dict[str, object]
_TOOLS = {
    "run": "run_shell_command",
    "read": "read_file",
    "search": "grep_search",
    "edit": "replace",
    "write": "write_file",
    "web": "web_fetch",
    "task": "delegate_to_agent",
}


def render_log(story: Story) -> tuple[str, list[tuple[int, int]]]:
    """Return the log, and the first and last line of each step."""
    stamp = "2026-06-18T02:00:00.000Z"
    context = f"<session_context>\n- **Workspace Directories:**\n  - {PROJECT}\n</session_context>"
    first: Json = {"id": "m0", "timestamp": stamp, "type": "user", "content": [{"text": context}]}
    lines: list[Json] = [
        {"sessionId": SESSION, "projectHash": "0" * 64, "startTime": stamp, "lastUpdated": stamp, "kind": "main"},
        {"$set": {"messages": [first], "lastUpdated": stamp}},
    ]
    places: list[tuple[int, int]] = []
    for step in story.steps:
        begin = len(lines) + 1
        for entry in _lines(step, f"m{begin}"):
            number = len(lines)
            stamp = f"2026-06-18T02:{number // 60:02d}:{number % 60:02d}.000Z"
            lines.append({"timestamp": stamp, **entry})
            lines.append({"$set": {"lastUpdated": stamp}})
        places.append((begin, len(lines)))
    return "".join(json.dumps(line) + "\n" for line in lines), places


def _lines(step: Step, name: str) -> Iterator[Json]:
    words = "\n".join(filter(None, (step.what, step.body)))
    message: Json = {"id": name, "type": "gemini", "content": "", "thoughts": [], "model": "gemini-2.5-flash"}
    if step.kind == "user":
        yield {"id": name, "type": "user", "content": [{"text": words}]}
    elif step.kind == "stopped":
        yield {"id": name, "type": "info", "content": "Request cancelled."}
    elif step.kind == "agent":
        yield {**message, "content": words}
    elif step.kind == "thinks":
        yield {**message, "thoughts": [{"subject": "", "description": words}]}
    else:
        yield message
        call, status, answer = _call(step, name)
        response = {"functionResponse": {"id": call["id"], "name": call["name"], "response": answer}}
        yield {**message, "toolCalls": [{**call, "result": [response], "status": status, "resultDisplay": ""}]}
        yield {"id": f"{name}r", "type": "user", "content": [response]}


def _call(step: Step, name: str) -> tuple[Json, str, Json]:
    """Return the call, its status, and the response for the model."""
    tool = _TOOLS.get(step.kind) or "mcp_" + step.how.removeprefix("failed/").replace("/", "_")
    call: Json = {"id": f"{tool}_{name}", "name": tool, "args": _arguments(step)}
    if step.how == "refused":
        return call, "cancelled", {"error": "[Operation Cancelled] Reason: User did not allow tool call"}
    if step.how == "cancelled":
        return call, "cancelled", {"error": "[Operation Cancelled] Reason: Operation cancelled."}
    if step.how == "mismatch":
        return call, "error", {"error": "Failed to edit, could not find the string to replace."}
    if step.how == "missing":
        return call, "error", {"error": f"File not found: {PROJECT}/{step.what}"}
    if step.how.startswith("failed/"):
        return call, "error", {"error": step.body}
    if step.kind == "run":
        code = f"Exit Code: {step.code}\n" if step.code else ""
        shown = f"Output: {step.body or '(empty)'}\n{code}Process Group PGID: 10130\n"
        return call, "success", {"output": f"<untrusted_context>\n{shown}</untrusted_context>"}
    if step.kind in ("edit", "write"):
        return call, "success", {"output": f"Successfully modified file: {PROJECT}/{step.what} (1 replacements)."}
    return call, "success", {"output": step.body}


def _arguments(step: Step) -> Json:
    arguments: dict[str, Json] = {
        "run": {"command": step.what, "description": "run"},
        "read": {"file_path": step.what},
        "search": {"pattern": step.what},
        "edit": {"file_path": step.what, "old_string": step.removed, "new_string": step.added},
        "write": {"file_path": step.what, "content": step.body},
        "web": {"prompt": step.what},
    }
    return arguments.get(step.kind, {"query": step.what})
