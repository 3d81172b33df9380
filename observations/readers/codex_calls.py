"""A tool call of a Codex rollout and its result: what was asked, and what Codex states about how it ended."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import NamedTuple, Self

from mind_skills.hosts.codex import SPEC
from mind_skills.observations import build
from mind_skills.observations.codec import Json, first_string, integer, items, loads, loads_object, mapping, string
from mind_skills.observations.commands import normalise
from mind_skills.observations.errors import hard_failure
from mind_skills.observations.model import Action, Agent, Observation, ToolOutcome
from mind_skills.observations.patch import Patch, parse_patch
from mind_skills.observations.sources import of_command
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.text import bound

_HEADER_LIMIT = 600
"""Characters of an output in which the header (chunk, wall time, exit code) ends; after it the command speaks."""
_PRINTED = 200_000
_CODE = compile_later(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_RUNNING = compile_later(r"^Process running with session ID (\d{1,20})$", re.MULTILINE)
_HEADER = compile_later(
    r"(?:Chunk ID|Wall time|Exit code|Process (?:exited|running)|Original token count|Total output lines|Output)\b"
)
_BODY = compile_later(r"^Output:(?:\n|\Z)", re.MULTILINE)
_FAILED = compile_later(
    r"\s*(?:unsupported (?:custom tool )?call|(?:exec_command|write_stdin|apply_patch(?: verification)?|shell|tool call) failed|"
    r"failed to parse function arguments|script failed|execution error|failed in sandbox|tool .{1,80} (?:failed|not found)|"
    r"Invalid patch|collab tool failed|unknown process id)",
    re.IGNORECASE,
)
_REJECTED = compile_later(r"\s*(?:exec command |patch |command |tool call )?rejected(?: by user|:|$)", re.IGNORECASE)
_DENIED = compile_later(r"rejected by user approval settings|denied by (?:policy|sandbox)")
_ABORTED = compile_later(
    r"\s*(?:aborted(?: by user)?(?: after|$)|command aborted|user (?:aborted|cancelled))", re.IGNORECASE
)


_NO_PATCH = Patch((), "", "", False)


class Result(NamedTuple):
    """What a call returned: ``running`` is the id of the process where it had not ended yet."""

    text: str
    exit_code: int | None = None
    running: str = ""
    failed: bool = False
    """The script that made the call ended with an error at it."""
    unseen: bool = False
    """The script that made the call printed nothing of its result."""
    other_parts: bool = False
    """It returned something beside text."""


class Ending(NamedTuple):
    """What an event states about a call, which its output may not repeat."""

    call_id: str
    exit_code: int | None
    failed: bool | None
    text: str
    place: tuple[int, int] = (0, 0)
    """Where in the log it stands."""

    @classmethod
    def of(cls, payload: Json, place: tuple[int, int]) -> Self | None:
        """The ending that an ``event_msg`` tells of, if it tells of one."""
        kind = string(payload.get("type"))
        if kind == "item_completed":
            payload = mapping(payload.get("item"))
            if payload.get("type") not in ("CommandExecution", "FileChange", "McpToolCall"):
                return None
        elif kind not in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            return None
        call_id = string(payload.get("call_id")) or string(payload.get("id"))
        failed: bool | None = None
        if isinstance(payload.get("success"), bool):
            failed = payload.get("success") is False
        elif payload.get("status") in ("failed", "completed"):
            failed = payload.get("status") == "failed"
        answer = mapping(payload.get("result"))
        if "Err" in answer or mapping(answer.get("Ok")).get("isError") is True:
            failed = True
        text = first_string(payload, "aggregated_output", "stderr") or string(answer.get("Err"))
        return cls(call_id, integer(payload.get("exit_code")), failed, text, place)


@dataclass(slots=True)
class Call:
    """A call that waits for its result; ``printed`` grows while its process runs on."""

    id: str
    line: int
    at: int | None
    name: str
    inputs: Json
    printed: str = ""
    continued: bool = False
    """It was still running when its first answer came."""
    worked: bool = False
    """A script whose own calls have been seen."""
    texts: tuple[str, ...] = ()
    """What a script printed while it ran on."""
    scripted: bool = False
    """A script made it, and what is known of its result is what the script printed."""
    places: tuple[tuple[int, int], ...] = ()
    """Where in the log stands what is known of it: for who reads these lines again."""

    def print(self, text: str) -> None:
        """Add what the process printed; a watcher that runs for hours keeps its head and its tail."""
        self.printed = bound(self.printed + text, _PRINTED)


def arguments(payload: Json) -> Json:
    """What was passed: JSON in a string, free text (a patch), or the action of a local shell call."""
    if acted := mapping(payload.get("action")):
        return acted
    given = payload.get("arguments", payload.get("input"))
    if passed := mapping(given):
        return passed
    text = string(given)
    if text.lstrip().startswith("{"):
        try:
            return mapping(loads(text.encode("utf-8", "replace")))
        except ValueError:
            return {"input": text}
    return {"input": text}


def result(output: object) -> Result:
    """Read an output: a string with or without a header, a JSON string with metadata (2025), or a list of content."""
    if held := mapping(output):
        return result(held.get("content") or held.get("output") or "")
    if parts := items(output):
        texts = [text for part in parts if (text := string(mapping(part).get("text")))]
        return Result("\n".join(texts), other_parts=any("text" not in mapping(part) for part in parts))
    text = string(output)
    if text.startswith('{"'):
        found = loads_object(text)
        if "output" in found and "metadata" in found:
            return Result(string(found.get("output")), integer(mapping(found.get("metadata")).get("exit_code")))
    found_code: int | None = None
    running = ""
    for _ in range(2):  # a patch applied by way of the shell has a header inside a header
        head = text[:_HEADER_LIMIT]
        if not _HEADER.match(head):
            break
        body = _BODY.search(head)
        header = head[: body.start()] if body else head
        code, process = _CODE.search(header), _RUNNING.search(header)
        found_code = int(code[1]) if code else found_code
        running = process[1] if process else running
        if body is None:
            break
        text = text[body.end() :]
        if found_code is not None:
            break
    return Result(text, found_code, running)


def finish(call: Call, found: Result | None, ending: Ending | None, end_line: int, agent: Agent) -> Observation:
    """The observation of a call; ``found`` is None where the log ends without a result."""
    text = call.printed or (found.text if found else "") or (ending.text if ending else "")
    code = found.exit_code if found else None
    if code is None and ending is not None:
        code = ending.exit_code
    command = _command(call)
    patch = parse_patch(command) if "*** Begin Patch" in command else _NO_PATCH
    action = _action(call, patch)
    files = patch.files or tuple([name for key in ("path", "file_path") if (name := string(call.inputs.get(key)))])
    return build.tool(
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
        outcome=_outcome(call, found, ending, code, text),
        exit_code=code,
        unseen=found is not None and found.other_parts,
    )


def _outcome(call: Call, found: Result | None, ending: Ending | None, code: int | None, text: str) -> ToolOutcome:
    if found is None and ending is None:
        if call.scripted and _failed_by_form(call, text):
            return "failed"
        return "unknown" if call.continued else "aborted"
    if code is not None:
        return "ok" if code == 0 else "failed"
    if found is not None and (found.failed or found.unseen):
        return "failed" if found.failed else "unknown"
    head = text[:_HEADER_LIMIT]
    if _ABORTED.match(head):
        return "aborted"
    if _DENIED.search(head):
        return "denied"
    if _REJECTED.match(head):
        return "rejected"
    if (ending is not None and ending.failed) or _FAILED.match(head):
        return "failed"
    # Scripts mostly print an output and no exit code: then the form of its lines says it.
    return "failed" if call.scripted and _failed_by_form(call, text) else "ok"


def _failed_by_form(call: Call, text: str) -> bool:
    """Whether what a command printed has the form of a failure. What is read or fetched may quote any error."""
    if SPEC.tools.get(call.name) != "run" or not hard_failure(text):
        return False
    command = _command(call)
    return normalise(command).action == "run" and of_command(command) == "local"


def _action(call: Call, patch: Patch) -> Action:
    action: Action = SPEC.tools.get(call.name, "mcp")  # type: ignore[assignment]
    return "write" if action == "edit" and patch.only_new else action


def _command(call: Call) -> str:
    """What was run, patched, searched or planned."""
    given = call.inputs
    command = given.get("cmd", given.get("command"))
    if listed := items(command):
        words = [string(word) for word in listed]
        if len(words) == 3 and words[1] in ("-lc", "-c", "-ic"):
            return words[2]
        return shlex.join(words)
    if string(command):
        return string(command)
    if call.name == "update_plan":
        return "\n".join(string(mapping(step).get("step")) for step in items(given.get("plan")))
    return first_string(given, "input", "chars", "pattern", "query", "path", "url", "title", "message")
