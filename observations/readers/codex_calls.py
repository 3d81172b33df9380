"""Parses the tool calls of Codex rollouts: arguments, results and outcomes."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import NamedTuple, Self

from mind_skills.hosts.codex import SPEC
from mind_skills.observations import builders
from mind_skills.observations.codec import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_string,
    get_first_string,
    parse_json,
    parse_object,
)
from mind_skills.observations.commands import normalise
from mind_skills.observations.errors import has_failure_line
from mind_skills.observations.model import Action, Agent, Observation, ToolOutcome
from mind_skills.observations.patch import Patch, parse_patch
from mind_skills.observations.positions import Position
from mind_skills.observations.sources import classify_command
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.text import truncate_middle

SHELL_OPTIONS = ("-lc", "-c", "-ic")
"""Options of a shell that precede a command line."""
_MAX_HEADER_LENGTH = 600
"""Maximum length of an output's header (chunk, wall time, exit code), in characters. The command's output follows the header."""
_MAX_OUTPUT_CHARACTERS = 200_000
_EXIT_CODE = compile_lazily(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_RUNNING = compile_lazily(r"^Process running with session ID (\d{1,20})$", re.MULTILINE)
_HEADER = compile_lazily(
    r"(?:Chunk ID|Wall time|Exit code|Process (?:exited|running)|Original token count|Total output lines|Output)\b"
)
_BODY = compile_lazily(r"^Output:(?:\n|\Z)", re.MULTILINE)
_FAILED = compile_lazily(
    r"\s*(?:unsupported (?:custom tool )?call|(?:exec_command|write_stdin|apply_patch(?: verification)?|shell|tool call) failed|"
    r"failed to parse function arguments|script failed|execution error|failed in sandbox|tool .{1,80} (?:failed|not found)|"
    r"Invalid patch|collab tool failed|unknown process id)",
    re.IGNORECASE,
)
_REJECTED = compile_lazily(r"\s*(?:exec command |patch |command |tool call )?rejected(?: by user|:|$)", re.IGNORECASE)
_DENIED = compile_lazily(r"rejected by user approval settings|denied by (?:policy|sandbox)")
_ABORTED = compile_lazily(
    r"\s*(?:aborted(?: by user)?(?: after|$)|command aborted|user (?:aborted|cancelled))", re.IGNORECASE
)


class Result(NamedTuple):
    """The result of a call. ``running_process`` is the id of the call's process if the process has not ended, else empty."""

    text: str
    exit_code: int | None = None
    running_process: str = ""
    has_failed: bool = False
    """Whether the call's error ended its script, or the call is a script that failed."""
    lacks_output: bool = False
    """Whether the script did not print the result, although scripts usually print the results of this tool."""
    has_other_content: bool = False
    """Whether the result has content other than text."""


class Ending(NamedTuple):
    """The end of a call as reported by an event, which may contain an exit code or text that the call's output lacks."""

    call_id: str
    exit_code: int | None
    has_failed: bool | None
    text: str
    position: Position = (0, 0)
    """Line number and offset in the log."""

    @classmethod
    def parse(cls, payload: JsonObject, position: Position) -> Self | None:
        """Parse the payload of an ``event_msg``; None if it does not report the end of a call."""
        kind = as_string(payload.get("type"))
        if kind == "item_completed":
            payload = as_object(payload.get("item"))
            if payload.get("type") not in ("CommandExecution", "FileChange", "McpToolCall"):
                return None
        elif kind not in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            return None
        call_id = as_string(payload.get("call_id")) or as_string(payload.get("id"))
        has_failed: bool | None = None
        if isinstance(payload.get("success"), bool):
            has_failed = payload.get("success") is False
        elif payload.get("status") in ("failed", "completed"):
            has_failed = payload.get("status") == "failed"
        result = as_object(payload.get("result"))
        if "Err" in result or as_object(result.get("Ok")).get("isError") is True:
            has_failed = True
        text = get_first_string(payload, "aggregated_output", "stderr") or as_string(result.get("Err"))
        return cls(call_id, as_integer(payload.get("exit_code")), has_failed, text, position)


@dataclass(slots=True)
class Call:
    """A call that has no final result yet. ``printed`` is the output of its process so far."""

    id: str
    line: int
    at: int | None
    name: str
    inputs: JsonObject
    printed: str = ""
    is_continued: bool = False
    """Whether the process or script had not ended when the first result was returned."""
    is_emitted: bool = False
    """Whether the calls of this script have been emitted already, because events reported them."""
    texts: tuple[str, ...] = ()
    """What this script has printed so far."""
    is_from_script: bool = False
    """Whether a script made the call. Then only the part of the result that the script printed is available."""
    positions: tuple[Position, ...] = ()
    """Positions in the log of the lines about the call, for resuming."""

    def append_output(self, text: str) -> None:
        """Append output of the process. Only the head and tail of long output are stored."""
        self.printed = truncate_middle(self.printed + text, _MAX_OUTPUT_CHARACTERS)


def parse_arguments(payload: JsonObject) -> JsonObject:
    """Parse the arguments of a call: JSON (perhaps in a string), free text (a patch), or a local shell's action.

    Free text is returned under the key ``input``.
    """
    if action := as_object(payload.get("action")):
        return action
    raw_arguments = payload.get("arguments", payload.get("input"))
    if parsed := as_object(raw_arguments):
        return parsed
    text = as_string(raw_arguments)
    if text.lstrip().startswith("{"):
        try:
            return as_object(parse_json(text.encode("utf-8", "replace")))
        except ValueError:
            return {"input": text}
    return {"input": text}


def parse_result(output: object) -> Result:
    """Parse an output: text with or without a header, JSON with metadata (2025), a list of content parts, or an object."""
    if fields := as_object(output):
        return parse_result(fields.get("content") or fields.get("output") or "")
    if parts := as_list(output):
        texts = [text for part in parts if (text := as_string(as_object(part).get("text")))]
        return Result("\n".join(texts), has_other_content=any("text" not in as_object(part) for part in parts))
    text = as_string(output)
    if text.startswith('{"'):
        metadata = parse_object(text)
        if "output" in metadata and "metadata" in metadata:
            return Result(
                as_string(metadata.get("output")), as_integer(as_object(metadata.get("metadata")).get("exit_code"))
            )
    exit_code: int | None = None
    running = ""
    for _ in range(2):  # a patch applied through the shell has a nested header
        head = text[:_MAX_HEADER_LENGTH]
        if not _HEADER.match(head):
            break
        body = _BODY.search(head)
        header = head[: body.start()] if body else head
        code, process = _EXIT_CODE.search(header), _RUNNING.search(header)
        exit_code = int(code[1]) if code else exit_code
        running = process[1] if process else running
        if body is None:
            break
        text = text[body.end() :]
        if exit_code is not None:
            break
    return Result(text, exit_code, running)


def build_call(call: Call, result: Result | None, ending: Ending | None, end_line: int, agent: Agent) -> Observation:
    """Build the observation of a call; ``result`` is None if the call has no final result."""
    text = call.printed or (result.text if result else "") or (ending.text if ending else "")
    code = result.exit_code if result else None
    if code is None and ending is not None:
        code = ending.exit_code
    command = _get_command(call)
    patch = parse_patch(command)
    action = _get_action(call, patch)
    files = patch.files or tuple([name for key in ("path", "file_path") if (name := as_string(call.inputs.get(key)))])
    return builders.build_tool_call(
        call.name,
        action,
        line=call.line,
        end_line=end_line,
        at=call.at,
        agent=agent,
        command="" if call.name == "apply_patch" else command,
        files=files,
        removed=patch.removed,
        added=patch.added,
        output=text,
        outcome=_get_outcome(call, result, ending, code, text),
        exit_code=code,
        has_other_content=result is not None and result.has_other_content,
        is_outside_sandbox=call.inputs.get("sandbox_permissions") == "require_escalated"
        or call.inputs.get("with_escalated_permissions") is True,  # until 2025
    )


def _get_outcome(call: Call, result: Result | None, ending: Ending | None, code: int | None, text: str) -> ToolOutcome:
    if result is None and ending is None:
        if call.is_from_script and _has_failure_line(call, text):
            return "failed"
        return "unknown" if call.is_continued else "aborted"
    if code is not None:
        return "ok" if code == 0 else "failed"
    if result is not None and (result.has_failed or result.lacks_output):
        return "failed" if result.has_failed else "unknown"
    head = text[:_MAX_HEADER_LENGTH]
    if _ABORTED.match(head):
        return "aborted"
    if _DENIED.search(head):
        return "denied"
    if _REJECTED.match(head):
        return "rejected"
    if (ending is not None and ending.has_failed) or _FAILED.match(head):
        return "failed"
    # Scripts usually print the output of a command without its exit code.
    return "failed" if call.is_from_script and _has_failure_line(call, text) else "ok"


def _has_failure_line(call: Call, text: str) -> bool:
    """Return whether a command's output shows a failure; False if it only reads or fetches, because it may then print any text."""
    if SPEC.tools.get(call.name) != "run" or not has_failure_line(text):
        return False
    command = _get_command(call)
    return normalise(command).action == "run" and classify_command(command) == "local"


def _get_action(call: Call, patch: Patch) -> Action:
    action: Action = SPEC.tools.get(call.name, "mcp")  # type: ignore[assignment]
    return "write" if action == "edit" and patch.has_only_new_files else action


def _get_command(call: Call) -> str:
    """Return the main argument of a call, such as its command, patch, input, pattern, query or plan."""
    inputs = call.inputs
    command = inputs.get("cmd", inputs.get("command"))
    if parts := as_list(command):
        words = [as_string(part) for part in parts]
        if len(words) == 3 and words[1] in SHELL_OPTIONS:
            return words[2]
        return shlex.join(words)
    if as_string(command):
        return as_string(command)
    if call.name == "update_plan":
        return "\n".join(as_string(as_object(step).get("step")) for step in as_list(inputs.get("plan")))
    return get_first_string(inputs, "input", "chars", "pattern", "query", "path", "url", "title", "message")
