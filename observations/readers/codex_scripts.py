"""Parses the calls made by scripts in Codex rollouts. Recent models write a script that calls tools, instead of calling them directly.

A script is a custom tool call named ``exec`` whose input is JavaScript and whose output is what the script prints. Some rollouts report
the script's commands, changes and MCP calls in ``item_completed`` events, whose ids begin with ``exec-`` and match no call (Codex
0.169.0 with gpt-6-sol); these events are used if present. Otherwise the calls are parsed from the script (javascript.py). If the script
printed as many texts as it made calls, each call is assigned one of them. Otherwise output is only assigned to the calls whose results
scripts usually print: one text, or one field of a printed object, to each. If the numbers differ, the last of these calls is assigned
all of it. A script that has not ended when ``exec`` returns is a cell, for which ``wait`` calls wait.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.observations import builders
from mind_skills.observations.codec import JsonObject, as_integer, as_list, as_object, as_string, parse_object
from mind_skills.observations.model import Agent, Observation, ToolOutcome
from mind_skills.observations.readers import javascript
from mind_skills.observations.readers.codex_calls import SHELL_OPTIONS, Call, Result
from mind_skills.redaction.lazy_pattern import compile_lazily

SCRIPT_TOOL = "exec"
"""The tool that runs a script."""
WAIT_TOOL = "wait"
"""The tool that waits for a cell. Older versions have a tool of the same name that waits for subagents."""
_CALL_ID_PREFIX = "exec-"
_STDIN_TOOL = "write_stdin"
_SILENT_TOOLS = frozenset({"apply_patch", "update_plan", _STDIN_TOOL})
"""Tools whose results scripts rarely print."""
_HEADER = compile_lazily(
    r"Script ([a-z]+)(?: with cell ID (\d{1,20}))?\b[^\n]*(?:\nWall time [^\n]*)?(?:\nOutput:\n?)?"
)
_ERROR = compile_lazily(r"\s*Script error:\n?")
_TRUNCATED = compile_lazily(r"Warning: truncated output [^\n]*\n(?:Total output lines: \d+\n+)?")
_OUTPUT = compile_lazily(r'"(?:output|stdout)"\s*:\s*"')
_EXIT_CODE = compile_lazily(r"\bexit(?:[_ ]?(?:code|status))?[\"'`*]*\s*[:=]?\s*(-?\d{1,10})\b", re.IGNORECASE)
_SESSION_ID = compile_lazily(r"\bsession(?:[_ ]?id)?[\"'`*]*\s*[:=]?\s*(\d{1,20})\b", re.IGNORECASE)
_EDGE_CHARACTERS = 300
"""Number of characters at each end of a text that are searched for an exit code or session id in free wording."""


class ScriptOutput(NamedTuple):
    """The output of ``exec`` or ``wait``. ``cell`` is the id of the cell if the script has not ended, else empty."""

    texts: tuple[str, ...]
    cell: str = ""
    has_failed: bool = False


def parse_output(output: object) -> ScriptOutput:
    """Parse the header of an output, and the texts that the script printed after it."""
    parts = [as_string(as_object(part).get("text")) for part in as_list(output)] or [as_string(output)]
    header = _HEADER.match(parts[0])
    if header is None:
        return ScriptOutput(tuple(part for part in parts if part))
    parts[0] = parts[0][header.end() :]
    return ScriptOutput(tuple(part for part in parts if part.strip()), header[2] or "", header[1] == "failed")


def parse_calls(script: Call) -> list[Call]:
    """Parse the calls of a script.

    A ``write_stdin`` call without a literal session id is omitted unless it is the first call: an earlier command of the script
    started its process.
    """
    calls: list[Call] = []
    for name, argument in javascript.find_calls(as_string(script.inputs.get("input"))):
        inputs = as_object(argument) or ({"input": argument} if isinstance(argument, str) else {})
        if name == _STDIN_TOOL and "session_id" not in inputs and calls:
            continue
        call = Call("", script.line, script.at, name, inputs, is_continued=script.is_continued, is_from_script=True)
        call.positions = script.positions
        calls.append(call)
    return calls


def assign_results(calls: list[Call], printed: ScriptOutput, script: str) -> list[tuple[Call, Result]]:
    """Assign each call its part of the output.

    If the script failed, its last text belongs to the call that failed, and later calls are dropped.
    """
    texts = list(printed.texts)
    if printed.has_failed:
        calls = calls[: max(1, len(texts))]
    if len(texts) != len(calls):
        indexes = [index for index, call in enumerate(calls) if call.name not in _SILENT_TOOLS] or [len(calls) - 1]
        texts = _split_fields(texts, len(indexes)) or ["\n".join(texts)]
        indexes = indexes if len(texts) == len(indexes) else indexes[-1:]
    else:
        indexes = list(range(len(calls)))
    texts_by_index = dict(zip(indexes, texts, strict=True))
    last = len(calls) - 1
    results: list[tuple[Call, Result]] = []
    for index, call in enumerate(calls):
        result = Result("", lacks_output=call.name not in _SILENT_TOOLS)
        if index in texts_by_index:
            result = _parse_call_output(texts_by_index[index], script)
        has_failed = printed.has_failed and index == last
        results.append((call, result._replace(has_failed=has_failed, text=_ERROR.sub("", result.text, count=1))))
    return results


def _split_fields(texts: list[str], count: int) -> list[str]:
    """Return the texts, or the fields of a single printed object, if there are ``count`` of them; else an empty list."""
    if len(texts) == count:
        return texts
    values = list(_parse_object(texts[0]).values()) if len(texts) == 1 and count > 1 else []
    outputs = [as_string(as_object(value).get("output")) or as_string(value) for value in values]
    return outputs if len(outputs) == count else []


def _parse_call_output(text: str, script: str) -> Result:
    """Parse a call's result as a script printed it: JSON, which may be truncated, or free text."""
    truncation = _TRUNCATED.match(text)
    text = text[truncation.end() :] if truncation else text
    fields = _parse_object(text)
    output = fields.get("output", fields.get("stdout"))
    if isinstance(output, str):
        code, session = as_integer(fields.get("exit_code")), as_integer(fields.get("session_id"))
        return Result(output, code, str(session) if session is not None and code is None else "")
    if text.startswith("{") and (output_start := _OUTPUT.search(text[:2_000])):  # the host omitted the middle
        head, body = text[: output_start.start()], text[output_start.end() :]
        code_match, session_match = _EXIT_CODE.search(head), _SESSION_ID.search(head)
        return Result(
            _unescape_rest(body),
            int(code_match[1]) if code_match else None,
            session_match[1] if session_match and not code_match else "",
        )
    edges = text if len(text) <= 2 * _EDGE_CHARACTERS else f"{text[:_EDGE_CHARACTERS]}\n{text[-_EDGE_CHARACTERS:]}"
    code_match = _EXIT_CODE.search(edges) if "exit_code" in script else None
    session_match = _SESSION_ID.search(edges) if "session_id" in script and code_match is None else None
    return Result(text, int(code_match[1]) if code_match else None, session_match[1] if session_match else "")


def _parse_object(text: str) -> JsonObject:
    return parse_object(text) if text.lstrip().startswith("{") else {}


def _unescape_rest(body: str) -> str:
    """Unescape the rest of a JSON object after the opening quote of a string. It may be truncated anywhere."""
    return javascript.unescape(body.removesuffix("}").removesuffix('"'))


def build_event_call(payload: JsonObject, *, line: int, at: int | None, agent: Agent) -> Observation | None:
    """Build the observation of a script's tool call from an ``event_msg``; None for other events."""
    item = as_object(payload.get("item"))
    if payload.get("type") != "item_completed" or not as_string(item.get("id")).startswith(_CALL_ID_PREFIX):
        return None
    kind = item.get("type")
    if kind == "CommandExecution":
        return _build_command(item, line, at, agent)
    if kind == "FileChange":
        return _build_change(item, line, at, agent)
    return _build_mcp_call(item, line, at, agent) if kind == "McpToolCall" else None


def _build_command(item: JsonObject, line: int, at: int | None, agent: Agent) -> Observation:
    words = [as_string(word) for word in as_list(item.get("command"))]
    command = words[2] if len(words) == 3 and words[1] in SHELL_OPTIONS else " ".join(words)
    code = as_integer(item.get("exit_code"))
    outcome = _get_outcome(item) if code is None else "failed" if code else "ok"
    output = as_string(item.get("aggregated_output"))
    return builders.build_tool_call(
        "exec_command",
        "run",
        line=line,
        at=at,
        agent=agent,
        command=command,
        output=output,
        outcome=outcome,
        exit_code=code,
    )


def _build_change(item: JsonObject, line: int, at: int | None, agent: Agent) -> Observation:
    changes = as_object(item.get("changes"))
    removed: list[str] = []
    added: list[str] = []
    is_new = bool(changes)
    for name, value in changes.items():
        change = as_object(value)
        removed += [f"*** Delete File: {name}"] if change.get("type") == "delete" else []
        is_new = is_new and change.get("type") == "add"
        content = as_string(change.get("content")).splitlines()
        added += content if change.get("type") == "add" else []
        removed += content if change.get("type") == "delete" else []
        for row in as_string(change.get("unified_diff")).splitlines():
            added += [row[1:]] if row.startswith("+") else []
            removed += [row[1:]] if row.startswith("-") else []
    return builders.build_tool_call(
        "apply_patch",
        "write" if is_new else "edit",
        line=line,
        at=at,
        agent=agent,
        files=tuple(changes),
        removed="\n".join(removed),
        added="\n".join(added),
        output=as_string(item.get("stdout")) or as_string(item.get("stderr")),
        outcome=_get_outcome(item),
    )


def _build_mcp_call(item: JsonObject, line: int, at: int | None, agent: Agent) -> Observation:
    result = as_object(item.get("result"))
    output = "\n".join(as_string(as_object(part).get("text")) for part in as_list(result.get("content")))
    name = "__".join(filter(None, ("mcp", as_string(item.get("server")), as_string(item.get("tool")))))
    error = as_string(as_object(item.get("error")).get("message"))
    outcome = _get_outcome(item)
    return builders.build_tool_call(
        name, "mcp", line=line, at=at, agent=agent, output=output or error, outcome=outcome, error=error
    )


def _get_outcome(item: JsonObject) -> ToolOutcome:
    outcomes: dict[str, ToolOutcome] = {"completed": "ok", "failed": "failed", "declined": "rejected"}
    return outcomes.get(as_string(item.get("status")), "unknown")
