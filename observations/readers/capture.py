"""Reader for a spool, which contains the hook events of a session (hooks/spool.py). ``line`` is the JSONL line.

A spool contains less than the host's log: no thinking, only the agent's last message of each turn (all of its messages with Gemini
CLI), and no exit codes with Codex. No observation is built from an event that is neither a message nor a tool call, or that repeats a
tool call. Tool calls are in the order in which they returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from mind_skills.observations import builders
from mind_skills.observations.codec import JsonObject, as_integer, as_list, as_object, as_string, get_first_string
from mind_skills.observations.commands import is_check
from mind_skills.observations.logfile import add_warning, read_objects
from mind_skills.observations.model import Agent, Observation, Session, ToolOutcome, extend_span
from mind_skills.observations.readers import claude_code, codex_calls, gemini
from mind_skills.observations.results import parse_check

MAX_CALLS = 100_000
"""Maximum number of tool calls whose ids are stored to detect repetitions."""
PROMPT_EVENTS = ("UserPromptSubmit", "BeforeAgent")
TURN_END_EVENTS = ("Stop", "AfterAgent")
TOOL_EVENTS = ("PostToolUse", "PostToolUseFailure", "AfterTool")


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a spool, and fill the header of ``session``. Raises OSError."""
    call_ids: set[str] = set()
    if session.progress is not None:
        call_ids.update(as_string(call_id) for call_id in as_list(session.progress.state.get("calls")))
        session.progress.register_state_function(lambda: {"calls": sorted(call_ids)})
    for line, entry in read_objects(path, session):
        event, at = as_object(entry.get("event")), as_integer(entry.get("at"))
        host = as_string(entry.get("host"))
        if entry.get("capture") != 1 or host not in _CALL_BUILDERS:
            continue
        extend_span(session, at)
        session.host = host
        session.session_id = as_string(event.get("session_id")) or session.session_id
        session.project = session.project or as_string(entry.get("project"))
        name, call_id = as_string(event.get("hook_event_name")), as_string(event.get("tool_use_id"))
        agent: Agent = "subagent" if as_string(event.get("agent_id")) else "main"
        observation: Observation | None = None
        if size := as_integer(event.get("cut")):
            add_warning(session, line, f"an event of {size} bytes was too large to be captured")
        elif name == "SessionEnd":
            session.end_reason = as_string(event.get("reason"))
        elif name in PROMPT_EVENTS:
            prompt = gemini.remove_injected_text(as_string(event.get("prompt")))
            observation = builders.build_message("user", prompt, line=line, at=at, agent=agent)
        elif name in TURN_END_EVENTS:
            message = get_first_string(event, "last_assistant_message", "prompt_response")
            observation = builders.build_message("assistant", message, line=line, at=at, agent=agent)
        elif name in TOOL_EVENTS and as_string(event.get("tool_name")) and not (call_id and call_id in call_ids):
            if call_id and len(call_ids) < MAX_CALLS:
                call_ids.add(call_id)
            observation = _CALL_BUILDERS[host](event, line, at, agent)
        if observation is not None:
            yield observation
        if observation is not None and observation.tool in _QUESTION_TOOLS:
            for text in _list_typed_answers(host, event):
                if answer := builders.build_message("user", text, line=line, at=at, agent=agent):
                    yield answer


_QUESTION_TOOLS = ("AskUserQuestion", codex_calls.QUESTION_TOOL, "ask_user")


def _list_typed_answers(host: str, event: JsonObject) -> list[str]:
    """Return what the user typed in answer to the questions of a call."""
    if host == "claude-code":
        return claude_code.list_typed_answers(as_object(event.get("tool_response")))
    if host == "codex":
        call = codex_calls.Call("", 0, None, as_string(event.get("tool_name")), as_object(event.get("tool_input")))
        return codex_calls.list_typed_answers(call, as_string(event.get("tool_response")))
    return gemini.list_typed_answers(_convert_gemini_call(event)[0])


def _build_claude_code_call(event: JsonObject, line: int, at: int | None, agent: Agent) -> Observation:
    """Build an observation from a Claude Code event. A failed call has an event of another type, whose ``error`` is the output."""
    call = claude_code.Call(line, at, as_string(event.get("tool_name")), as_object(event.get("tool_input")), agent)
    if event.get("hook_event_name") == "PostToolUseFailure":
        error = as_string(event.get("error"))
        outcome = "aborted" if event.get("is_interrupt") is True else claude_code.get_outcome(True, error)
        return claude_code.build_tool_call(call, error, error, outcome, line)
    response = event.get("tool_response")
    fields = as_object(response)
    is_running = bool(claude_code.get_task_id(call.name, response))
    outcome = "aborted" if fields.get("interrupted") is True else "unknown" if is_running else "ok"
    has_other_content = any(map(claude_code.has_non_text, (response, fields.get("content"))))
    has_other_content = has_other_content or fields.get("type") in _NON_TEXT_TYPES
    return claude_code.build_tool_call(call, _get_text(response), None, outcome, line, has_other_content)


_NON_TEXT_TYPES = ("image", "pdf", "parts", "document")
"""Types of responses that contain a file that is not text."""


def _get_text(response: object) -> str:
    """Return the text in the response of a Claude Code tool. Each tool's response has its own structure."""
    if isinstance(response, str):
        return response
    fields = as_object(response)
    if blocks := as_list(response) or as_list(fields.get("content")):
        return "\n".join(filter(None, (as_string(as_object(block).get("text")) for block in blocks)))
    if "stdout" in fields:
        return "\n".join(filter(None, (as_string(fields.get("stdout")), as_string(fields.get("stderr")))))
    if as_object(fields.get("file")):
        return as_string(as_object(fields.get("file")).get("content"))
    if "oldString" in fields or "structuredPatch" in fields:
        return ""  # an edit's response contains the entire file
    names = "\n".join(as_string(name) for name in as_list(fields.get("filenames")))
    return as_string(fields.get("content")) or as_string(fields.get("result")) or names


def _build_codex_call(event: JsonObject, line: int, at: int | None, agent: Agent) -> Observation:
    """Build an observation from a Codex event, in which all shell tools are named ``Bash`` and have no exit code.

    The outcome of a check is inferred from its output; the outcome of any other command is unknown.
    """
    name, text = as_string(event.get("tool_name")), as_string(event.get("tool_response"))
    result = codex_calls.parse_result(text)
    lacks_exit_code = name == "Bash" and result.exit_code is None
    call = codex_calls.Call(
        id=as_string(event.get("tool_use_id")),
        line=line,
        at=at,
        name="exec_command" if name == "Bash" else name,
        inputs=as_object(event.get("tool_input")),
        printed=text if lacks_exit_code else "",
        is_continued=lacks_exit_code,  # then the outcome is unknown
    )
    if not result.status:  # the event shows that the call was made
        result = result._replace(status="succeeded")
    observation = codex_calls.build_call(call, None if lacks_exit_code else result, None, line, agent)
    if observation.outcome == "unknown" and is_check(observation.signature):
        observation.outcome = _infer_outcome(observation)
    return observation


def _infer_outcome(check: Observation) -> ToolOutcome:
    """Infer the outcome of a check from its output; ``unknown`` if the output contains neither test results nor an error.

    A count of passed tests takes precedence over an error line, which the tested code may have printed.
    """
    verdict = parse_check(check).verdict
    if verdict == "passed":
        return "ok"
    if verdict == "failed" or check.error:
        return "failed"
    return "nothing" if verdict == "nothing" else "unknown"


def _build_gemini_call(event: JsonObject, line: int, at: int | None, agent: Agent) -> Observation:
    return gemini.build_tool_call(*_convert_gemini_call(event), line, at, agent)


def _convert_gemini_call(event: JsonObject) -> tuple[JsonObject, str]:
    """Convert a Gemini CLI event to the form that calls have in a chat's log, and return the call and its status."""
    response = as_object(event.get("tool_response"))
    error = response.get("error")
    error_text = as_string(error) or as_string(as_object(error).get("message"))
    function_response = {"response": {"output": as_string(response.get("llmContent")), "error": error_text}}
    call: JsonObject = {"name": event.get("tool_name"), "args": event.get("tool_input")}
    call["result"] = [{"functionResponse": function_response}]
    return call, "error" if error else "success"


_CALL_BUILDERS: dict[str, Callable[[JsonObject, int, int | None, Agent], Observation]] = {
    "claude-code": _build_claude_code_call,
    "codex": _build_codex_call,
    "gemini": _build_gemini_call,
}
