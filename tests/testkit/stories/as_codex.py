"""Converter from a story to a rollout of Codex 0.169, which stores items and repeats them as events."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.testkit.stories.story_file import Step, Story

SESSION = "00000000-0000-7000-8000-00000000f001"
PROJECT = "/home/dev/project"
Json = dict[str, object]


def render_log(story: Story) -> tuple[str, list[tuple[int, int]]]:
    """Return the log, and the first and last line of each step."""
    meta: Json = {
        "session_id": SESSION,
        "id": SESSION,
        "cwd": PROJECT,
        "originator": "codex_exec",
        "cli_version": "0.169.0",
    }
    lines = [_entry("session_meta", meta, 0)]
    lines.append(_entry("turn_context", {"turn_id": "t", "cwd": PROJECT, "model": "gpt-5.5"}, 1))
    places: list[tuple[int, int]] = []
    for step in story.steps:
        first = len(lines) + 1
        for kind, payload in _lines(step, f"call_{first}"):
            lines.append(_entry(kind, payload, len(lines)))
        places.append((first, len(lines)))
    return "".join(json.dumps(line) + "\n" for line in lines), places


def _entry(kind: str, payload: Json, number: int) -> Json:
    stamp = f"2026-06-18T02:{number // 60:02d}:{number % 60:02d}.000Z"
    return {"timestamp": stamp, "ordinal": number, "type": kind, "payload": payload}


def _lines(step: Step, call: str) -> Iterator[tuple[str, Json]]:
    words = "\n".join(filter(None, (step.what, step.body)))
    if step.kind == "user":
        text = {"type": "input_text", "text": words}
        yield "response_item", {"type": "message", "role": "user", "content": [text]}
        yield _event("UserMessage", call, {"content": [{"type": "text", "text": words, "text_elements": []}]})
    elif step.kind == "stopped":
        yield "event_msg", {"type": "turn_aborted", "reason": "interrupted"}
        text = {
            "type": "input_text",
            "text": "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>",
        }
        yield "response_item", {"type": "message", "role": "user", "content": [text]}
    elif step.kind == "agent":
        yield _event("AgentMessage", call, {"content": [{"type": "Text", "text": words}]})
        output = {"type": "output_text", "text": words, "annotations": list[str]()}
        yield "response_item", {"type": "message", "role": "assistant", "content": [output]}
    elif step.kind == "thinks":
        yield _event("Reasoning", call, {"summary_text": [words], "raw_content": []})
        summary = {"type": "summary_text", "text": words}
        yield "response_item", {"type": "reasoning", "id": call, "summary": [summary]}
    elif step.kind == "web":
        action = {"type": "search", "query": step.what}
        yield "response_item", {"type": "web_search_call", "id": call, "status": "completed", "action": action}
    elif step.kind in ("edit", "write"):
        yield from _patch(step, call)
    elif step.kind in ("mcp", "task"):
        yield from _function(step, call)
    else:
        yield from _command(step, call)


def _event(kind: str, call: str, item: Json) -> tuple[str, Json]:
    return "event_msg", {"type": "item_completed", "thread_id": SESSION, "item": {"type": kind, "id": call, **item}}


def _call(name: str, arguments: Json, call: str, namespace: str = "") -> tuple[str, Json]:
    payload: Json = {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": call}
    return "response_item", {**payload, "namespace": namespace} if namespace else payload


def _returned(call: str, output: str, kind: str = "function_call_output") -> tuple[str, Json]:
    return "response_item", {"type": kind, "call_id": call, "output": output}


def _command(step: Step, call: str) -> Iterator[tuple[str, Json]]:
    """Yield the entries of a shell call. Codex also reads and searches with the shell."""
    missing = step.how == "missing"
    command = {"read": f"sed -n '1,200p' {step.what}", "search": f"rg -n '{step.what}'"}.get(step.kind, step.what)
    code = 2 if missing else step.code
    printed = f"sed: can't read {step.what}: No such file or directory" if missing else step.body
    yield _call("exec_command", {"cmd": command}, call)
    if step.how == "refused":
        yield _returned(call, "exec command rejected by user")
    elif step.how == "cancelled":
        yield _returned(call, "aborted by user after 0.1s")
    else:
        item: Json = {"command": ["/bin/bash", "-lc", command], "status": "failed" if code else "completed"}
        yield _event("CommandExecution", call, {**item, "aggregated_output": printed, "exit_code": code})
        head = f"Chunk ID: 0a1b2c\nWall time: 0.1000 seconds\nProcess exited with code {code}\nOriginal token count: 9"
        yield _returned(call, f"{head}\nOutput:\n{printed}\n")


def _patch(step: Step, call: str) -> Iterator[tuple[str, Json]]:
    body = step.body if step.kind == "edit" else "\n".join("+" + row for row in step.body.split("\n"))
    verb = "Update File: {}\n@@" if step.kind == "edit" else "Add File: {}"
    patch = f"*** Begin Patch\n*** {verb.format(step.what)}\n{body}\n*** End Patch\n"
    yield (
        "response_item",
        {"type": "custom_tool_call", "id": call, "call_id": call, "name": "apply_patch", "input": patch},
    )
    if step.how == "mismatch":
        lines = f"Failed to find expected lines in {PROJECT}/{step.what}:\n{step.removed}"
        yield _returned(call, f"apply_patch verification failed: {lines}", "custom_tool_call_output")
    elif step.how == "refused":
        yield _returned(call, "patch rejected by user", "custom_tool_call_output")
    else:
        done = f"Success. Updated the following files:\n{'M' if step.kind == 'edit' else 'A'} {step.what}\n"
        yield _event("FileChange", call, {"changes": {}, "status": "completed", "stdout": done, "stderr": ""})
        yield _returned(call, f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{done}", "custom_tool_call_output")


def _function(step: Step, call: str) -> Iterator[tuple[str, Json]]:
    if step.kind == "task":
        yield _call("spawn_agent", {"message": step.what}, call)
        yield _returned(call, json.dumps({"agent_id": "a1", "status": step.body}))
        return
    server, tool = step.how.removeprefix("failed/").split("/")
    yield _call(tool, {"query": step.what}, call, f"mcp__{server}")
    answer: Json = {"content": [{"type": "text", "text": step.body}], "isError": step.how.startswith("failed/")}
    yield "event_msg", {"type": "mcp_tool_call_end", "call_id": call, "result": {"Ok": answer}}
    yield _returned(call, f"Wall time: 0.2 seconds\nOutput:\n{step.body}")
