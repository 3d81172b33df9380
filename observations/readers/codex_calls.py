"""Parses the tool calls of Codex rollouts: arguments, results and outcomes, also of the calls that a script makes.

Recent models write a script that calls tools, instead of calling them directly. A script is a custom tool call named ``exec`` whose
input is JavaScript and whose output is what the script prints. Some rollouts report the script's commands, changes and MCP calls in
``item_completed`` events, whose ids begin with ``exec-`` and match no call (Codex 0.169.0 with gpt-6-sol); these events are used if
present. Otherwise the calls are parsed from the script (javascript.py). If the script printed as many texts as it made calls, each call
is assigned one of them. Otherwise output is only assigned to the calls whose results scripts usually print: one text, or one field of a
printed object, to each. If the numbers differ, the last of these calls is assigned all of it. A script that has not ended when ``exec``
returns is a cell, for which ``wait`` calls wait.
"""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from typing import Literal, NamedTuple, Self

from mind_skills.hosts.codex import SPEC
from mind_skills.observations import builders
from mind_skills.observations.builders import parse_patch
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
from mind_skills.observations.known_files import get_known_files
from mind_skills.observations.model import Action, Agent, Observation, Position, ToolOutcome
from mind_skills.observations.readers import javascript
from mind_skills.observations.results import has_failure_line, lacks_counts
from mind_skills.observations.sources import classify_command, classify_input
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.text import truncate_middle
from mind_skills.store.light_dataclasses import dataclass

_SHELL_OPTIONS = ("-lc", "-c", "-ic")
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
_REPEATED_COMMAND = compile_lazily(r"Command: .*?\n(?=Chunk ID: )", re.DOTALL)
"""The command, which 0.118 writes before the header."""
_SERVER_TEXT = r'(?:err: "|\[\{"type":"text","text":")?'
"""What precedes the host's message about a call of an MCP server's tool: since 2026, it is the content of a result."""
_FAILED = compile_lazily(
    r"\s*(?:unsupported (?:custom tool )?call|(?:exec_command|write_stdin|apply_patch(?: verification)?|shell|tool call) failed|"
    r"failed to parse function arguments|script failed|execution error|failed in sandbox|tool .{1,80} (?:failed|not found)|"
    rf"{_SERVER_TEXT}(?:MCP )?tool call error: |"
    r"unable to (?:locate|read|process) image|image path `.{1,400}` is not a file|resources/[a-z/]{4,20} failed(?: for `|: )|"
    r"Invalid patch|collab \w+ failed|Full-history forked agents|timeout_ms must be|unknown process id)",
    re.IGNORECASE,
)
_REJECTED = compile_lazily(
    r"\s*(?:(?:exec command |patch |command |tool call )?rejected(?: by user|:|$)|"
    rf"{_SERVER_TEXT}user (?:rejected|cancelled) MCP tool call)",
    re.IGNORECASE,
)
_DENIED = compile_lazily(
    r"rejected by user approval settings|denied by (?:policy|sandbox)|\Aapproval policy is [^\n]{1,500}; reject command\b|"
    r"\A\s*(?:(?:Command|Tool call) blocked by PreToolUse hook|approval required by policy|rejected by configuration|"
    rf"{_SERVER_TEXT}(?:This action was rejected due to unacceptable risk|automatic approval review|MCP tool call cancelled: ))"
)
_ABORTED = compile_lazily(
    r"\s*(?:aborted(?: by user)?(?: after|$)|command aborted|user (?:aborted|cancelled)(?! MCP)|"
    rf"{_SERVER_TEXT}MCP tool call cancelled before)",
    re.IGNORECASE,
)

_PATCHED = compile_lazily(r"\s*Success\. Updated the following files:")
"""The result of a patch in versions that report no status."""
_LAUNCH_ERROR, _REASON = "exec_command failed for `", 'CreateProcess { message: "Rejected(\\"'
"""The beginning of the error of a command that was not started, and what follows the command in it if the reason is a refusal."""
_POLICY_REASON = "` rejected: "
"""What follows the command, between backticks, if a rule about commands forbids it."""

_CLIENT_NAMESPACE = compile_lazily(r"\A(?:agents|codex_app|collaboration|multi_agent_v\d+)__")
"""A namespace of Codex's own tools, and what separates it from the name of the tool."""

SCRIPT_TOOL = "exec"
"""The tool that runs a script."""
WAIT_TOOL = "wait"
"""The tool that waits for a cell. Older versions have a tool of the same name that waits for subagents."""
QUESTION_TOOL = "request_user_input"
_NO_OPTION, _NOTE_PREFIX = "None of the above", "user_note: "
"""The answer that the client offers in addition to those of the agent, and what precedes a text that the user typed."""
_CALL_ID_PREFIX = "exec-"
_NO_EXIT_CODE = -1
"""The exit code in an event about a command that was not started, or was stopped with the client."""
_STDIN_TOOL = "write_stdin"
_TOOL_LISTS = frozenset({"tool_search", "tool_suggest"})
"""Tools whose results contain the descriptions of MCP servers' tools, which may contain anything."""
_SILENT_TOOLS = frozenset({"apply_patch", "update_plan", _STDIN_TOOL})
"""Tools whose results scripts rarely print."""
_SCRIPT_HEADER = compile_lazily(
    r"Script ([a-z]+)(?: with cell ID (\d{1,20}))?\b[^\n]*(?:\nWall time [^\n]*)?(?:\nOutput:\n?)?"
)
_SCRIPT_ERROR = compile_lazily(r"\s*Script error:\n?")
_TRUNCATED = compile_lazily(r"Warning: truncated output [^\n]*\n(?:Total output lines: \d+\n+)?")
_PRINTS = compile_lazily(r"\b(?:text|notify|image|console\.\w+)\s*\(")
"""A script prints something."""
_ONLY_EXIT_CODE = compile_lazily(r"\s*(-?\d{1,10})\s*\Z")
_PRINTED_OUTPUT = compile_lazily(r'"(?:output|stdout)"\s*:\s*"')
_PRINTED_EXIT_CODE = compile_lazily(r"\bexit(?:[_ ]?(?:code|status))?[\"'`*]*\s*[:=]?\s*(-?\d{1,10})\b", re.IGNORECASE)
_PRINTED_SESSION_ID = compile_lazily(r"\bsession(?:[_ ]?id)?[\"'`*]*\s*[:=]?\s*(\d{1,20})\b", re.IGNORECASE)
_COMPUTED_COMMAND = compile_lazily(
    r"\A\s*\Z|(?:\A|[;&|({\n])\s*(?:\w{1,60}=\S{0,200}\s{1,20}){0,8}['\"]?\$\{|(?:^|\s)(?:timeout|time|env|sudo|nohup|exec|xargs|-l?c)\s[^;&|\n]{0,200}\$\{"
)
"""A command whose program is computed: it is empty, or begins with an unresolved value, alone or behind a wrapper."""
_EDGE_CHARACTERS = 300
"""Number of characters at each end of a text that are searched for an exit code or session id in free wording."""


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
    status: Literal["", "made", "succeeded"] = ""
    """What the host reports about the call: empty if it reports nothing, because it refused the call and the text is the reason."""


class Ending(NamedTuple):
    """The end of a call as reported by an event, which may contain an exit code or text that the call's output lacks."""

    call_id: str
    exit_code: int | None
    has_failed: bool
    text: str
    is_declined: bool = False
    """Whether the call was not allowed."""
    is_of_server: bool = False
    """Whether the text is an MCP server's, which may have the form of a message of the host."""
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
        success, result = payload.get("success"), as_object(payload.get("result"))
        has_failed = not success if isinstance(success, bool) else payload.get("status") == "failed"
        has_failed = has_failed or "Err" in result or as_object(result.get("Ok")).get("isError") is True
        text = get_first_string(payload, "aggregated_output", "stderr") or as_string(result.get("Err"))
        is_declined = payload.get("status") == "declined"
        exit_code = as_integer(payload.get("exit_code"))
        exit_code = None if is_declined or exit_code == _NO_EXIT_CODE else exit_code
        return cls(call_id, exit_code, has_failed, text, is_declined, "Ok" in result, position)


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
    has_untrusted_input: bool = False
    """Whether what was typed into its process prints the text of strangers."""

    def append_output(self, text: str) -> None:
        """Append output of the process. Only the head and tail of long output are stored."""
        self.printed = truncate_middle(self.printed + text, _MAX_OUTPUT_CHARACTERS)


def name_tool(name: str, namespace: str = "") -> str:
    """Return the full name of a tool, as scripts call it, or the bare name if the namespace is one of Codex's own.

    A tool of an MCP server may have the name of one of Codex's tools, and only its namespace distinguishes them.
    """
    separator = "" if not namespace or namespace.endswith("_") or name.startswith("_") else "__"
    return _CLIENT_NAMESPACE.sub("", f"{namespace}{separator}{name}")


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
        with suppress(ValueError):
            return as_object(parse_json(text.encode("utf-8", "replace")))
    return {"input": text}


def parse_result(output: object) -> Result:
    """Parse an output: text with or without a header, JSON with metadata (2025), a list of content parts, or an object."""
    if fields := as_object(output):
        result = parse_result(fields.get("content") or fields.get("output") or "")
        if fields.get("success") is True:
            return result._replace(status="succeeded")
        return result._replace(has_failed=fields.get("success") is False)
    if parts := as_list(output):
        texts = [text for part in parts if (text := as_string(as_object(part).get("text")))]
        has_other_content = any("text" not in as_object(part) for part in parts)
        return parse_result("\n".join(texts))._replace(has_other_content=has_other_content)
    text = as_string(output)
    if repeated_command := _REPEATED_COMMAND.match(text):
        text = text[repeated_command.end() :]
    if text.startswith('{"'):
        metadata = parse_object(text)
        if "output" in metadata and "metadata" in metadata:
            exit_code = as_integer(as_object(metadata.get("metadata")).get("exit_code"))
            return Result(as_string(metadata.get("output")), exit_code, status="made")
    exit_code = None
    running = ""
    status: Literal["", "made"] = ""
    for _ in range(2):  # a patch applied through the shell has a nested header
        head = text[:_MAX_HEADER_LENGTH]
        if not _HEADER.match(head):
            break
        status = "made"
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
    return Result(text, exit_code, running, status=status)


def parse_tool_list(tools: list[object]) -> Result:
    """Return the texts in the descriptions of tools, which are lists and objects, as the result of a search for tools."""
    texts: list[str] = []
    values: list[object] = [tools]
    while values:
        value = values.pop()
        if isinstance(value, str):
            texts.append(value)
        values += [*as_list(value), *as_object(value).values()][::-1]
    return Result("\n".join(texts))


def list_typed_answers(call: Call, output: str) -> list[str]:
    """Return what the user typed in answer to the questions of a call, without the offered answers, which the agent wrote.

    A script may print anything as an answer, so its calls do not count. The answer to a secret question is never returned.
    """
    if call.name != QUESTION_TOOL or call.is_from_script:
        return []
    answers, typed = as_object(parse_object(output).get("answers")), list[str]()
    for question in map(as_object, as_list(call.inputs.get("questions"))[: builders.MAX_QUESTIONS]):
        given = as_list(as_object(answers.get(as_string(question.get("id")))).get("answers"))[: builders.MAX_QUESTIONS]
        labels = builders.list_labels(question)
        if question.get("isSecret") is not True and question.get("is_secret") is not True:
            typed += [
                text.removeprefix(_NOTE_PREFIX)
                for text in map(as_string, given)
                if text.removeprefix(_NOTE_PREFIX).strip() not in ("", _NO_OPTION, *labels)
            ]
    return typed


def build_call(call: Call, result: Result | None, ending: Ending | None, end_line: int, agent: Agent) -> Observation:
    """Build the observation of a call; ``result`` is None if the call has no final result."""
    text = call.printed or (result.text if result else "") or (ending.text if ending else "")
    code = result.exit_code if result else None
    if code is None and ending is not None:
        code = ending.exit_code
    command = _get_command(call)
    patch = parse_patch(command)
    action = _get_action(call)
    if action == "edit" and patch.has_only_new_files:
        action = "write"
    if (known := get_known_files()) is not None:
        known.folder = as_string(call.inputs.get("workdir"))
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
        arguments=call.inputs,
        removed=patch.removed,
        added=patch.added,
        output=text,
        outcome=_get_outcome(call, result, ending, code, text),
        exit_code=code,
        has_other_content=_may_print_anything(call)
        or call.has_untrusted_input
        or (result is not None and result.has_other_content),
        is_outside_sandbox=call.inputs.get("sandbox_permissions") == "require_escalated"
        or call.inputs.get("with_escalated_permissions") is True,  # until 2025
    )


def is_untrusted(call: Call, text: str = "") -> bool:
    """Return whether what a call prints, such as ``text``, is the text of strangers."""
    return call.has_untrusted_input or builders.is_untrusted_output(
        call.name, _get_action(call), _get_command(call), text, has_other_content=_may_print_anything(call)
    )


def note_input(call: Call, typed: Call) -> None:
    """Note what was typed into the process of a call, if that prints the text of strangers."""
    if classify_input(_get_command(call), as_string(typed.inputs.get("chars"))) != "local":
        call.has_untrusted_input = True


def is_script_untrusted(script: Call, calls: list[Call]) -> bool:
    """Return whether any of a script's calls prints the text of strangers, or may do so unseen."""
    return javascript.hides_calls(as_string(script.inputs.get("input"))) or any(map(is_untrusted, calls))


def _may_print_anything(call: Call) -> bool:
    """Return whether a call lists tools, or runs a command of a script whose program is computed."""
    is_computed = call.is_from_script and _COMPUTED_COMMAND.search(_get_command(call)) is not None
    return call.name in _TOOL_LISTS or (is_computed and _get_action(call) == "run")


def _get_action(call: Call) -> Action:
    return SPEC.tools.get(call.name, "mcp")  # type: ignore[return-value]


def _get_outcome(call: Call, result: Result | None, ending: Ending | None, code: int | None, text: str) -> ToolOutcome:
    if code is not None:
        return "ok" if code == 0 else "failed"
    if result is None and (ending is None or call.is_continued):
        return "unknown" if call.is_continued else "aborted"
    if result is not None and result.lacks_output and not result.has_failed:
        return "unknown"
    is_of_server = ending is not None and ending.is_of_server
    if not is_of_server and (refusal := _find_refusal(text)):
        return refusal
    if result is not None and result.has_failed:
        return "failed"
    if ending is not None and ending.is_declined:
        return "rejected"
    if (ending is not None and ending.has_failed) or _FAILED.match(text[:_MAX_HEADER_LENGTH]):
        return "failed"
    if call.is_from_script:  # scripts usually print the output of a command without its exit code
        if _has_failure_line(call, text):
            return "failed"
        return "unknown" if _get_action(call) == "run" and lacks_counts(_get_command(call), text) else "ok"
    if result is None or ending is not None or _get_action(call) not in ("run", "edit"):
        return "ok"
    if result.status == "succeeded" or _PATCHED.match(text):
        return "ok"
    return "unknown" if result.status or not text.strip() else "failed"


def _find_refusal(text: str) -> ToolOutcome | None:
    """Return the outcome of a call that was aborted, denied or rejected, from the text that the host printed instead of its result."""
    reason = text.rpartition(_REASON)[2] if _LAUNCH_ERROR in text[: 2 * len(_LAUNCH_ERROR)] else text
    head = reason[:_MAX_HEADER_LENGTH]
    if _ABORTED.match(head):
        return "aborted"
    if _DENIED.search(head) or (reason.startswith("`") and _POLICY_REASON in reason):
        return "denied"
    return "rejected" if _REJECTED.match(head) else None


def _has_failure_line(call: Call, text: str) -> bool:
    """Return whether a command's output shows a failure; False if it only reads or fetches, because it may then print any text."""
    if SPEC.tools.get(call.name) != "run" or not has_failure_line(text):
        return False
    command = _get_command(call)
    return normalise(command).action == "run" and classify_command(command, get_known_files()) == "local"


def _get_command(call: Call) -> str:
    """Return the main argument of a call, such as its command, patch, input, pattern, queries or plan."""
    inputs = call.inputs
    command = inputs.get("cmd", inputs.get("command"))
    if parts := as_list(command):
        words = [as_string(part) for part in parts]
        if len(words) == 3 and words[1] in _SHELL_OPTIONS:
            return words[2]
        return shlex.join(words)
    if as_string(command):
        return as_string(command)
    if call.name == "update_plan":
        return "\n".join(as_string(as_object(step).get("step")) for step in as_list(inputs.get("plan")))
    searches = "; ".join(as_string(as_object(search).get("q")) for search in as_list(inputs.get("search_query")))
    return searches or get_first_string(inputs, "input", "chars", "pattern", "query", "path", "url", "title", "message")


class ScriptOutput(NamedTuple):
    """The output of ``exec`` or ``wait``. ``cell`` is the id of the cell if the script has not ended, else empty."""

    texts: tuple[str, ...]
    cell: str = ""
    has_failed: bool = False
    was_stopped: bool = False
    """Whether the script was terminated."""


def parse_script_output(output: object) -> ScriptOutput:
    """Parse the header of an output, and the texts that the script printed after it."""
    parts = [as_string(as_object(part).get("text")) for part in as_list(output)] or [as_string(output)]
    header = _SCRIPT_HEADER.match(parts[0])
    if header is None:
        return ScriptOutput(tuple(part for part in parts if part))
    parts[0] = parts[0][header.end() :]
    return ScriptOutput(
        tuple(part for part in parts if part.strip()), header[2] or "", header[1] == "failed", header[1] == "terminated"
    )


def parse_script_calls(script: Call) -> list[Call]:
    """Parse the calls of a script.

    A ``write_stdin`` call without a literal session id is omitted unless it is the first call: an earlier command of the script
    started its process.
    """
    calls: list[Call] = []
    for full_name, argument in javascript.find_calls(as_string(script.inputs.get("input"))):
        name = name_tool(full_name)
        inputs = as_object(argument) or ({"input": argument} if isinstance(argument, str) else {})
        if name == _STDIN_TOOL and "session_id" not in inputs and calls:
            continue
        call = Call("", script.line, script.at, name, inputs, is_continued=script.is_continued, is_from_script=True)
        call.positions = script.positions
        calls.append(call)
    return calls


def assign_results(
    calls: list[Call], printed: ScriptOutput, script: str, *, is_untrusted: bool
) -> list[tuple[Call, Result]]:
    """Assign each call its part of the output. What cannot be divided among several calls is untrusted if ``is_untrusted``.

    If the script failed, its last text belongs to the call that failed, and later calls are dropped.
    """
    texts = list(printed.texts)
    is_shared = printed.has_failed
    if printed.has_failed:
        calls = calls[: max(1, len(texts))]
    if len(texts) != len(calls):
        indexes = [index for index, call in enumerate(calls) if call.name not in _SILENT_TOOLS] or [len(calls) - 1]
        texts = _split_fields(texts, len(indexes)) or ["\n".join(texts)]
        is_shared = is_shared or len(texts) != len(indexes)
        indexes = indexes if len(texts) == len(indexes) else indexes[-1:]
    else:
        indexes = list(range(len(calls)))
    texts_by_index = dict(zip(indexes, texts, strict=True))
    last = len(calls) - 1
    prints_nothing = not any(texts) and not _PRINTS.search(script)
    results: list[tuple[Call, Result]] = []
    for index, call in enumerate(calls):
        result = Result("", lacks_output=call.name not in _SILENT_TOOLS)
        if index in texts_by_index:
            result = _parse_call_output(texts_by_index[index], script)
            lacks_output = printed.was_stopped or (prints_nothing and call.name not in _SILENT_TOOLS)
            result = result._replace(has_other_content=is_shared and is_untrusted, lacks_output=lacks_output)
        has_failed = printed.has_failed and index == last
        results.append((call, result._replace(has_failed=has_failed, text=_SCRIPT_ERROR.sub("", result.text, count=1))))
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
    if text.startswith("{") and (output_start := _PRINTED_OUTPUT.search(text[:2_000])):  # the host omitted the middle
        head, body = text[: output_start.start()], text[output_start.end() :]
        code_match, session_match = _PRINTED_EXIT_CODE.search(head), _PRINTED_SESSION_ID.search(head)
        return Result(
            javascript.unescape(body.removesuffix("}").removesuffix('"')),  # the rest may be truncated anywhere
            int(code_match[1]) if code_match else None,
            session_match[1] if session_match and not code_match else "",
        )
    if "exit_code" in script and "output" not in script and (only_code := _ONLY_EXIT_CODE.match(text)):
        return Result("", int(only_code[1]))
    edges = text if len(text) <= 2 * _EDGE_CHARACTERS else f"{text[:_EDGE_CHARACTERS]}\n{text[-_EDGE_CHARACTERS:]}"
    code_match = _PRINTED_EXIT_CODE.search(edges) if "exit_code" in script else None
    session_match = _PRINTED_SESSION_ID.search(edges) if "session_id" in script and code_match is None else None
    return Result(text, int(code_match[1]) if code_match else None, session_match[1] if session_match else "")


def _parse_object(text: str) -> JsonObject:
    return parse_object(text) if text.lstrip().startswith("{") else {}


def get_process(payload: JsonObject) -> str:
    """Return the process of a script's command whose end an ``event_msg`` reports; empty for other events."""
    item = as_object(payload.get("item"))
    is_command = payload.get("type") == "item_completed" and item.get("type") == "CommandExecution"
    return (
        as_string(item.get("process_id"))
        if is_command and as_string(item.get("id")).startswith(_CALL_ID_PREFIX)
        else ""
    )


def is_reported(call: Call) -> bool:
    """Return whether an event reports a call of a script, in a rollout with such events."""
    return call.name == _STDIN_TOOL or _get_action(call) in ("run", "edit", "mcp")


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
    command = words[2] if len(words) == 3 and words[1] in _SHELL_OPTIONS else " ".join(words)
    code = as_integer(item.get("exit_code"))
    code = None if item.get("status") == "declined" or code == _NO_EXIT_CODE else code
    output = as_string(item.get("aggregated_output"))
    outcome = _get_item_outcome(item, output) if code is None else "failed" if code else "ok"
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
        outcome=_get_item_outcome(item, as_string(item.get("stderr"))),
    )


def _build_mcp_call(item: JsonObject, line: int, at: int | None, agent: Agent) -> Observation:
    result = as_object(item.get("result"))
    output = "\n".join(as_string(as_object(part).get("text")) for part in as_list(result.get("content")))
    name = "__".join(filter(None, ("mcp", as_string(item.get("server")), as_string(item.get("tool")))))
    error = as_string(as_object(item.get("error")).get("message"))
    outcome = _get_item_outcome(item, error)
    return builders.build_tool_call(
        name,
        "mcp",
        line=line,
        at=at,
        agent=agent,
        arguments=as_object(item.get("arguments")),
        output=output or error,
        outcome=outcome,
        error=error,
    )


def _get_item_outcome(item: JsonObject, text: str) -> ToolOutcome:
    """Return the outcome of an item from its status; ``text`` is the host's message, which tells who refused a call."""
    outcomes: dict[str, ToolOutcome] = {"completed": "ok", "failed": "failed", "declined": "rejected"}
    outcome = outcomes.get(as_string(item.get("status")), "unknown")
    return outcome if outcome in ("ok", "unknown") else _find_refusal(text) or outcome
