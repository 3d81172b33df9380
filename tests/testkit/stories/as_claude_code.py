"""Converter from a story to a transcript of Claude Code 2.1."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.testkit.stories.story_file import Step, Story

SESSION = "00000000-0000-4000-8000-00000000f001"
PROJECT = "/home/dev/project"
Json = dict[str, object]
_TOOLS = {
    "run": "Bash",
    "read": "Read",
    "search": "Grep",
    "edit": "Edit",
    "write": "Write",
    "web": "WebFetch",
    "task": "Agent",
}
_REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
_FAULTS = {
    "refused": _REFUSED,
    "cancelled": "<tool_use_error>Sibling tool call errored</tool_use_error>",
    "mismatch": "<tool_use_error>String to replace not found in file.\nString: {removed}</tool_use_error>",
    "missing": "File does not exist. Note: your current working directory is /home/dev/project.",
}


def render_log(story: Story) -> tuple[str, list[tuple[int, int]]]:
    """Return the log, and the first and last line of each step."""
    lines: list[Json] = [{"type": "mode", "mode": "default", "sessionId": SESSION}]
    places: list[tuple[int, int]] = []
    for step in story.steps:
        first = len(lines) + 1
        for entry in _lines(step, f"toolu_{first}"):
            number = len(lines)
            stamp = f"2026-06-18T02:{number // 60:02d}:{number % 60:02d}.000Z"
            common = {"uuid": f"u{number}", "sessionId": SESSION, "cwd": PROJECT, "timestamp": stamp}
            lines.append(
                {"parentUuid": f"u{number - 1}", "isSidechain": False, "version": "2.1.329", **common, **entry}
            )
        places.append((first, len(lines)))
    return "".join(json.dumps(line) + "\n" for line in lines), places


def _lines(step: Step, call: str) -> Iterator[Json]:
    words = "\n".join(filter(None, (step.what, step.body)))
    if step.kind == "user":
        yield _user(words)
    elif step.kind == "stopped":
        yield _user([{"type": "text", "text": "[Request interrupted by user]"}])
    elif step.kind == "agent":
        yield _assistant({"type": "text", "text": words})
    elif step.kind == "thinks":
        yield _assistant({"type": "thinking", "thinking": words, "signature": "c2lnbmF0dXJl"})
    else:
        name = _TOOLS.get(step.kind) or "mcp__" + step.how.replace("failed/", "").replace("/", "__")
        yield _assistant({"type": "tool_use", "id": call, "name": name, "input": _input(step)})
        output, failed, client_result = _output(step)
        result: Json = {"type": "tool_result", "tool_use_id": call, "content": output}
        yield {**_user([{**result, "is_error": True} if failed else result]), "toolUseResult": client_result}


def _user(content: object) -> Json:
    return {"type": "user", "message": {"role": "user", "content": content}}


def _assistant(block: Json) -> Json:
    return {"type": "assistant", "message": {"role": "assistant", "model": "claude-opus-4-1", "content": [block]}}


def _input(step: Step) -> Json:
    file = f"{PROJECT}/{step.what}"
    inputs: dict[str, Json] = {
        "run": {"command": step.what, "description": "Run"},
        "read": {"file_path": file},
        "search": {"pattern": step.what, "output_mode": "content"},
        "edit": {"file_path": file, "old_string": step.removed, "new_string": step.added},
        "write": {"file_path": file, "content": step.body},
        "web": {"url": step.what, "prompt": "What does it say?"},
        "task": {"description": step.what, "prompt": step.what, "subagent_type": "general-purpose"},
    }
    return inputs.get(step.kind, {"query": step.what})


def _output(step: Step) -> tuple[object, bool, object]:
    """Return the text for the model, whether it is an error, and the client's own result."""
    if fault := _FAULTS.get(step.how, "").format(removed=step.removed):
        return fault, True, "User rejected tool use" if step.how == "refused" else f"Error: {fault}"
    if step.code:
        text = f"Exit code {step.code}\n{step.body}"
        return text, True, f"Error: {text}"
    if step.kind == "run":
        return step.body, False, {"stdout": step.body, "stderr": "", "interrupted": False, "isImage": False}
    if step.kind in ("edit", "write"):
        return f"The file {PROJECT}/{step.what} has been updated successfully.", False, {"filePath": step.what}
    if step.kind == "mcp":
        failed = step.how.startswith("failed/")
        return [{"type": "text", "text": step.body}], failed, f"Error: {step.body}" if failed else []
    return step.body, False, {}
